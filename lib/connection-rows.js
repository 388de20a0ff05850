'use strict'

/**
 * Rows of a connection: from DataRow messages straight to the query that waits for them.
 *
 * On stock's way each row is a message, two events, an array of strings and then an object. Here the parser offers
 * a run of rows at once; if the query that is active would do with them just what pg's own code does, they are
 * decoded and built in batches and put where that code puts them. In every other case the offer is declined and
 * the rows become messages, so that whatever else an application does with them goes on as before.
 */

const { createDictionaryDecoder, decode } = require('./binding')
const { followZone } = require('./local-time')
const { descriptionOf } = require('./descriptions')
const { makePlan } = require('./row-plan')
const { shapeFor } = require('./lazy-shape')
const { makeStrings, learnTexts } = require('./cells')
const { takerOf, takeRows, changeCursor } = require('./columns/target')
const { ROWS, BATCH_HEADER_WORDS, ROW_BODY, ROW_WORDS } = require('./layout')

/** Room for the cells of some dozen wide or some hundred narrow rows: 64 KiB. */
const TABLE_WORDS = 16384

/** Where a batch is decoded. Whoever builds rows has one of his own, for he may call what decodes another. */
class Scratch {
  constructor() {
    this.table = new Int32Array(TABLE_WORDS)
    this.doubles = new Float64Array(this.table.buffer)
    this.pools = ['', '', '', '']
    this.decoder = createDictionaryDecoder()
    this.strings = makeStrings()
    /** @type {Buffer} */
    this.bytes = NO_BYTES
  }

  /**
   * @param {Buffer} bytes
   * @param {number} body of the first row
   * @param {Uint8Array} plan
   * @returns {number} how many rows were decoded
   */
  decode(bytes, body, plan) {
    const { table, pools, decoder } = this
    // For Rust an empty plan is one that reads whatever is there.
    if (plan.length === 0) return findEmptyRows(bytes, body, table)
    pools[0] = pools[1] = pools[2] = pools[3] = ''
    table[ROWS] = body
    this.bytes = bytes
    decode(decoder, bytes, table, pools, plan)
    learnTexts(table, pools[0], this.strings)
    return table[ROWS]
  }

  release() {
    this.bytes = NO_BYTES
    spares.push(this)
  }
}

const NO_BYTES = Buffer.alloc(0)

/**
 * Rows without cells, which are always of the same bytes.
 *
 * @param {Buffer} bytes
 * @param {number} body
 * @param {Int32Array} table
 */
function findEmptyRows(bytes, body, table) {
  let rows = 0
  let record = BATCH_HEADER_WORDS
  while (
    record < table.length &&
    body + 2 <= bytes.length &&
    EMPTY_ROW.compare(bytes, body - 5, body + 2) === 0
  ) {
    table[record + ROW_BODY] = body
    record += ROW_WORDS
    body += EMPTY_ROW.length
    rows++
  }
  return rows
}

const EMPTY_ROW = Buffer.from('44000000060000', 'hex')

/** @type {Scratch[]} */
const spares = []

/** What pg's and pg-cursor's `handleDataRow` do, told by their source: it has been the same since pg 8.0. */
const KNOWN_HANDLERS = new Map([
  [
    'handleDataRow(msg){letrowif(this._canceledDueToError){return}try{row=this._result.parseRow(msg.fields)}catch(err){' +
      "this._canceledDueToError=errreturn}this.emit('row',row,this._result)if(this._accumulateRows){this._result.addRow(row)}}",
    'query',
  ],
  [
    "handleDataRow(msg){constrow=this._result.parseRow(msg.fields)this.emit('row',row,this._result)this._rows.push(row)}",
    'cursor',
  ],
])

/** @type {WeakMap<Function, 'query' | 'cursor' | 'other'>} */
const handlers = new WeakMap()

/**
 * @param {Function} handleDataRow
 * @returns {'query' | 'cursor' | 'other'}
 */
function handlerKind(handleDataRow) {
  let kind = handlers.get(handleDataRow)
  if (kind === undefined) {
    const source = Function.prototype.toString.call(handleDataRow).replace(/\s+|;/g, '')
    kind = /** @type {any} */ (KNOWN_HANDLERS.get(source) ?? 'other')
    handlers.set(handleDataRow, /** @type {any} */ (kind))
  }
  return /** @type {any} */ (kind)
}

/** Takes the rows of one connection. */
class ConnectionRows {
  /**
   * @param {any} connection pg's
   * @param {import('./accelerator').AcceleratorOfCopy} accelerator
   */
  constructor(connection, accelerator) {
    this.connection = connection
    this.accelerator = accelerator
    /** @type {any} what reads the connection */
    this.parser = null
    /** @type {any} */
    this.stream = null
    /** @type {{ client: any, listener: Function } | undefined} whose connection it is, as soon as that is known */
    this.owner = undefined
    /** How many rows of the last offer were taken: the parser goes on behind them, also after an exception. */
    this.taken = 0
    /**
     * The fields of the latest RowDescription. The result itself is not kept: it would live as long as the connection.
     *
     * @type {any}
     */
    this.described = null
    /** How many rows were offered since. */
    this.offered = 0
    /** @type {import('./row-plan').PlanOfRows | null} of the last description that was not kept */
    this.plan = null
    /** @type {import('./row-plan').PlanOfRows | null} what the rows that were offered last are built with */
    this.current = null
  }

  /**
   * Tells what reads the connection.
   *
   * @param {any} parser
   * @param {any} stream
   */
  attach(parser, stream) {
    this.parser = parser
    this.stream = stream
    this.accelerator.pauses.add(this)
  }

  /**
   * Tells that rows with these fields will follow.
   *
   * @param {any[]} fields as the message has them
   */
  describe(fields) {
    this.described = fields
    this.offered = 0
    this.accelerator.pauses.begin(this)
    const query = this.queryInTurn()
    if (query !== null) changeCursor(query, this.accelerator, handlerKind)
  }

  /**
   * Offers rows. Those that are taken have been handed to the query when this returns or throws.
   *
   * @param {{ paused: boolean, encoding: import('./encoding').Encoding | null }} parser
   * @param {Buffer} bytes
   * @param {number} body of the first row
   * @param {number} count how many rows there are, one behind the other
   */
  take(parser, bytes, body, count) {
    this.taken = 0
    const query = this.activeQuery()
    if (query === null) return
    const taker = takerOf(query)
    if (taker !== undefined) return takeRows(query, taker, this, bytes, body, count, parser.encoding)
    const target = query.cursor !== undefined && isBound(query) ? query.cursor : query
    const kind = handlerKind(target.handleDataRow)
    if (kind === 'other') return
    if (kind === 'query' && target._canceledDueToError) {
      this.taken = count
      return
    }
    const result = target._result
    const plain = this.shapeOf(result)
    if (plain === null) return
    const shape = shapeFor(plain, target)
    if (parser.encoding !== null) {
      const text = parser.encoding.rewrite(bytes, body, count, shape)
      if (text.rows === 0) return
      bytes = text.bytes
      body = text.body
      count = text.rows
    }
    const scratch = spares.pop() ?? new Scratch()
    try {
      if (kind === 'query') this.feedQuery(target, result, shape, scratch, parser, bytes, body, count)
      else this.feedCursor(target, result, shape, scratch, parser, bytes, body, count)
    } finally {
      scratch.release()
      this.accelerator.stats.rows += this.taken
    }
  }

  /** The query whose rows these are; null where somebody else looks at them too. */
  activeQuery() {
    const { connection, accelerator } = this
    if (!accelerator.active || connection._emitMessage || connection.emit !== accelerator.emit) return null
    const query = this.queryInTurn()
    if (query === null) return null
    const { client, listener } = /** @type {NonNullable<typeof this.owner>} */ (this.owner)
    if (client._handleDataRow !== accelerator.handleDataRow || !isOnlyListener(connection, listener))
      return null
    return query
  }

  /** The query that is answered. */
  queryInTurn() {
    if (this.owner === undefined) this.owner = this.accelerator.clientOf(this.connection)
    if (this.owner === undefined) return null
    const { client } = this.owner
    return (
      (typeof client._getActiveQuery === 'function' ? client._getActiveQuery() : client.activeQuery) ?? null
    )
  }

  /**
   * The shape of a result's rows; null where the result is not pg's own.
   *
   * @param {any} result
   */
  shapeOf(result) {
    if (!this.accelerator.isStockResult(result) || result.fields !== this.described) return null
    const keeper = descriptionOf(result.fields) ?? this
    let { plan } = keeper
    if (plan === null || !plan.fits(result.fields, result._parsers, result.rowAsArray)) {
      plan = keeper.plan = makePlan(result, this.accelerator)
    }
    this.current = plan
    const { shape } = plan
    if (shape === null || shape.asArray || this.offered > 0) return shape
    return startsEmpty(result._prebuiltEmptyResultObject, shape.names) ? shape : null
  }

  /**
   * What `Query.handleDataRow` does with each row.
   *
   * @param {any} query
   * @param {any} result
   * @param {import('./row-builder').RowShape} shape
   * @param {Scratch} scratch
   * @param {{ paused: boolean }} parser
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} count
   */
  feedQuery(query, result, shape, scratch, parser, bytes, body, count) {
    const emits = query.emit !== this.accelerator.emit || query.listenerCount('row') > 0
    const { rows } = result
    const gathers = query._accumulateRows && result.addRow === this.accelerator.addRow
    const parsers = result._parsers
    while (this.taken < count) {
      if (shape.isLocal) followZone()
      const decoded = Math.min(scratch.decode(bytes, body, shape.plan), count - this.taken)
      // A row that is not as it should be becomes a message, with which pg's own code deals.
      if (decoded === 0) return
      this.countRows(shape, decoded, count)
      if (!emits && gathers) {
        try {
          shape.buildMany(rows, decoded, scratch, parsers)
        } catch (err) {
          query._canceledDueToError = err
          this.taken = count
          return
        }
        this.taken += decoded
      } else if (!this.feedOneByOne(query, result, shape, scratch, parser, decoded, emits)) {
        if (query._canceledDueToError) this.taken = count
        return
      }
      body = nextBody(bytes, scratch.table, shape, decoded)
    }
  }

  /**
   * @param {import('./row-builder').RowShape} shape
   * @param {number} decoded how many rows will be built now
   * @param {number} count how many were offered with them
   */
  countRows(shape, decoded, count) {
    shape.count(this.offered === 0 ? count : decoded, this.offered)
    this.offered += decoded
  }

  /**
   * @param {any} query
   * @param {any} result
   * @param {import('./row-builder').RowShape} shape
   * @param {Scratch} scratch
   * @param {{ paused: boolean }} parser
   * @param {number} decoded
   * @param {boolean} emits
   * @returns {boolean} whether to go on
   */
  feedOneByOne(query, result, shape, scratch, parser, decoded, emits) {
    const { fields } = result
    let record = BATCH_HEADER_WORDS
    for (let i = 0; i < decoded; i++, record += shape.stride) {
      let row
      try {
        row = shape.build(scratch, record, result._parsers)
      } catch (err) {
        query._canceledDueToError = err
        return false
      }
      this.taken++
      if (emits) query.emit('row', row, result)
      if (query._accumulateRows) result.addRow(row)
      if (!emits) continue
      // Whoever listens may have paused, ended the query, or taken other rows.
      if (parser.paused || this.activeQuery() !== query || query._result !== result) return false
      if (result.fields !== fields || !this.current?.isParsedBy(result._parsers)) return false
      if (shape.isLocal) followZone()
    }
    return true
  }

  /**
   * What `Cursor.handleDataRow` does with each row.
   *
   * @param {any} cursor
   * @param {any} result
   * @param {import('./row-builder').RowShape} shape
   * @param {Scratch} scratch
   * @param {{ paused: boolean }} parser
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} count
   */
  feedCursor(cursor, result, shape, scratch, parser, bytes, body, count) {
    while (this.taken < count) {
      if (shape.isLocal) followZone()
      const decoded = Math.min(scratch.decode(bytes, body, shape.plan), count - this.taken)
      if (decoded === 0) return
      this.countRows(shape, decoded, count)
      const emits = cursor.emit !== this.accelerator.emit || cursor.listenerCount('row') > 0
      let record = BATCH_HEADER_WORDS
      for (let i = 0; i < decoded; i++, record += shape.stride) {
        // Counted first: a parser that throws has had its row, and the exception goes where stock's goes.
        this.taken++
        const row = shape.build(scratch, record, result._parsers)
        if (emits) cursor.emit('row', row, result)
        cursor._rows.push(row)
        if (emits && parser.paused) return
      }
      body = nextBody(bytes, scratch.table, shape, decoded)
    }
  }
}

/**
 * Whether pg's own listener is the only one that hears of rows. Looks where `EventEmitter` keeps a single listener as it
 * is, for it is asked after each row that an application has listened to.
 *
 * @param {any} connection
 * @param {Function} listener
 */
function isOnlyListener(connection, listener) {
  if (connection._events?.dataRow === listener) return true
  const listeners = connection.listeners('dataRow')
  return listeners.length === 1 && listeners[0] === listener
}

/**
 * Whether a row of the result starts with nothing but its columns' names, as pg's `addFields` has it.
 *
 * @param {any} empty what its rows start with
 * @param {string[]} names
 */
function startsEmpty(empty, names) {
  // Before pg 8.11.1 a row starts without properties.
  if (empty === null || empty === undefined) return true
  let i = 0
  for (const name in empty) {
    if (name !== names[i] || empty[name] !== null) return isPermutation(empty, names)
    i++
  }
  return i === names.length || isPermutation(empty, names)
}

/**
 * The same for names that occur twice or are numbers, which come first.
 *
 * @param {Record<string, unknown>} empty
 * @param {string[]} names
 */
function isPermutation(empty, names) {
  const expected = Object.fromEntries(names.map((name) => [name, null]))
  const keys = Object.keys(expected)
  const found = Object.keys(empty)
  return found.length === keys.length && keys.every((key, i) => found[i] === key && empty[key] === null)
}

/**
 * Where the body of the row behind a batch begins.
 *
 * @param {Buffer} bytes
 * @param {Int32Array} table
 * @param {import('./row-builder').RowShape} shape
 * @param {number} decoded
 */
function nextBody(bytes, table, shape, decoded) {
  const last = table[BATCH_HEADER_WORDS + shape.stride * (decoded - 1) + ROW_BODY]
  // The length before the body counts itself; behind the body stands the next message's header of 5 bytes.
  return last - 4 + bytes.readInt32BE(last - 4) + 5
}

/**
 * Whether a query hands its rows to its cursor, as pg-query-stream does.
 *
 * @param {any} query
 */
function isBound(query) {
  return (
    query.handleDataRow.name === 'bound handleDataRow' && typeof query.cursor?.handleDataRow === 'function'
  )
}

module.exports = { ConnectionRows, handlerKind }
