'use strict'

/**
 * `query.pause()` and `query.resume()`: a query whose rows come too fast stops its connection.
 *
 * The connection is stopped while the query is the one that is answered: the parser delivers nothing more, and the socket
 * is not read, so that the server has to wait. Whatever ends the query lets the connection go on, for other queries need
 * it: an error (also one that does not come from the server, as that of `query_timeout`), the end of the client, the end
 * of the connection. Rows that had come are delivered before.
 */

/** @typedef {InstanceType<typeof import('./connection-rows').ConnectionRows>} ConnectionRows */

class QueryPauses {
  /** @type {Set<ConnectionRows>} the connections that are open */
  #connections = new Set()
  /** @type {Map<object, Hold>} by query */
  #holds = new Map()
  /** @type {WeakSet<object>} queries that were paused before it was their turn */
  #waiting = new WeakSet()
  #everWaited = false

  /** @param {ConnectionRows} rows of a connection that is open */
  add(rows) {
    this.#connections.add(rows)
    rows.stream.once?.('close', () => this.#connections.delete(rows))
  }

  /** @param {object} query */
  pause(query) {
    const rows = this.#connectionOf(query)
    if (rows !== null) return this.#hold(query, rows)
    this.#waiting.add(query)
    this.#everWaited = true
  }

  /** @param {object} query */
  resume(query) {
    this.#waiting.delete(query)
    this.#holds.get(query)?.release()
  }

  /**
   * A query's rows are about to come.
   *
   * @param {ConnectionRows} rows
   */
  begin(rows) {
    if (!this.#everWaited) return
    const query = rows.queryInTurn()
    if (query === null || !this.#waiting.has(query)) return
    this.#waiting.delete(query)
    this.#hold(query, rows)
  }

  /**
   * The client is about to leave: it waits for its queries, and they for nobody.
   *
   * @param {object} client
   */
  leave(client) {
    for (const hold of [...this.#holds.values()]) if (hold.rows.owner?.client === client) hold.release()
  }

  releaseAll() {
    for (const hold of [...this.#holds.values()]) hold.release()
  }

  /**
   * @param {object} query
   * @param {ConnectionRows} rows
   */
  #hold(query, rows) {
    if (!this.#holds.has(query)) this.#holds.set(query, new Hold(rows, () => this.#holds.delete(query)))
  }

  /**
   * @param {object} query
   * @returns {ConnectionRows | null} null: it is not the query's turn
   */
  #connectionOf(query) {
    for (const rows of this.#connections) if (rows.queryInTurn() === query) return rows
    return null
  }
}

/** A connection that a query has stopped. */
class Hold {
  #released
  #onEnd = () => this.#end()

  /**
   * @param {ConnectionRows} rows
   * @param {() => void} released
   */
  constructor(rows, released) {
    this.rows = rows
    this.#released = released
    // Before pg's own, which gives the query up.
    for (const event of ['error', 'close']) rows.stream.prependListener?.(event, this.#onEnd)
    rows.parser.pause()
  }

  release() {
    this.#forget()
    this.rows.parser.resume()
  }

  /** The connection has ended: rows that had come go to the query before the error does. */
  #end() {
    this.#forget()
    try {
      this.rows.parser.deliverHeld()
    } catch (err) {
      // An exception here would keep pg from hearing of the end.
      process.nextTick(() => {
        throw err
      })
    }
  }

  #forget() {
    for (const event of ['error', 'close']) this.rows.stream.removeListener?.(event, this.#onEnd)
    this.#released()
  }
}

/**
 * Gives pg's queries `pause` and `resume`, unless they have them.
 *
 * @param {any} Query
 * @param {any} Client
 * @param {QueryPauses} pauses
 * @param {typeof import('./patch-pg').replace} replace
 * @returns {() => void} undoes it
 */
function useQueryPauses({ prototype: query }, { prototype: client }, pauses, replace) {
  if (query.pause !== undefined || query.resume !== undefined) return () => {}
  const methods = {
    /** @this {any} */
    pause() {
      pauses.pause(this)
      return this
    },
    /** @this {any} */
    resume() {
      pauses.resume(this)
      return this
    },
  }
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(query, name, { value, writable: true, configurable: true, enumerable: false })
  }
  const undoError = replace(query, 'handleError', (stock) => {
    /** @this {any} */
    return function handleError() {
      pauses.resume(this)
      return stock.apply(this, arguments)
    }
  })
  const undoEnd = replace(client, 'end', (stock) => {
    /** @this {any} */
    return function end() {
      const ended = stock.apply(this, arguments)
      pauses.leave(this)
      return ended
    }
  })
  return () => {
    undoError()
    undoEnd()
    for (const [name, value] of Object.entries(methods)) if (query[name] === value) delete query[name]
    pauses.releaseAll()
  }
}

module.exports = { QueryPauses, useQueryPauses }
