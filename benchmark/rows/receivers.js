'use strict'

// How chunks get to a query: through the whole of pg's own code, from the socket's 'data' event to the callback, with a
// socket that is made up. Nothing waits in between, so a pass is one synchronous piece of work.

const { EventEmitter } = require('node:events')
const { createRequire } = require('node:module')
const wire = require('../../__test__/support/wire')

/**
 * @typedef {import('./streams').QueryConfig} QueryConfig
 * @typedef {(row: any) => void} RowListener
 *
 * @typedef {object} Receiver
 * @property {(config: QueryConfig, listener: RowListener | null) => void} ask makes a query; without a listener its rows
 *   gather in the result
 * @property {(chunk: Buffer) => void} receive
 * @property {() => any} result of the query, when all of its answer has come
 */

/** What pg calls on a socket, and no more. */
class Socket extends EventEmitter {
  writable = true
  setNoDelay() {}
  setKeepAlive() {}
  ref() {}
  unref() {}
  cork() {}
  uncork() {}
  pause() {}
  resume() {}
  end() {}
  destroy() {}
  connect() {
    process.nextTick(() => this.emit('connect'))
  }
  write() {
    return true
  }
}

/** What a Query makes of itself for the server. */
const SENDING = ['query', 'parse', 'bind', 'describe', 'execute', 'sync', 'flush', 'close']

/**
 * @param {any} pg
 * @param {{sends?: boolean}} [options] `sends`: queries are written, too, in messages that go nowhere
 * @returns {Promise<Receiver>}
 */
const openClient = async (pg, { sends = false } = {}) => {
  const socket = new Socket()
  const client = new pg.Client({ user: 'u', database: 'd', password: 'p', ssl: false, stream: () => socket })
  const connected = client.connect()
  await new Promise((resolve) => socket.once('connect', () => setImmediate(resolve)))
  socket.emit(
    'data',
    Buffer.concat([wire.authenticationOk(), wire.backendKeyData(1, 2), wire.readyForQuery()])
  )
  await connected
  // Nobody is there to be asked, and only answers are measured.
  if (!sends) for (const name of SENDING) client.connection[name] = () => {}

  /** @type {any} */
  let result = null
  /** @type {any} */
  let failed = null
  const onError = (/** @type {any} */ error) => void (failed = error)
  const onEnd = (/** @type {any} */ whole) => void (result = whole)
  const callback = (/** @type {any} */ error, /** @type {any} */ whole) => {
    if (error) failed = error
    result = whole
  }
  return {
    ask(config, listener) {
      if (listener === null) client.query(config, callback)
      else client.query(new pg.Query(config)).on('row', listener).once('end', onEnd).once('error', onError)
    },
    receive: (chunk) => void socket.emit('data', chunk),
    result() {
      const whole = result
      result = null
      if (failed !== null) throw failed
      if (whole === null) throw new Error('the query did not come to its end')
      return whole
    },
  }
}

/**
 * Stock's Parser and Result with nothing between them: less than any application of pg can have.
 * @param {any} pg
 * @returns {Receiver}
 */
const openDirect = (pg) => {
  const fromPg = createRequire(require.resolve('pg'))
  const { Parser } = fromPg('pg-protocol/dist/parser')
  const Result = fromPg('./result')
  const types = new pg.TypeOverrides(pg.types)
  const parser = new Parser()
  /** @type {any} */
  let result = null
  /** @type {RowListener | null} */
  let listen = null
  const onMessage = (/** @type {any} */ message) => {
    switch (message.name) {
      case 'dataRow': {
        const row = result.parseRow(message.fields)
        if (listen === null) result.addRow(row)
        else listen(row)
        break
      }
      case 'rowDescription':
        result.addFields(message.fields)
        break
      case 'commandComplete':
        result.addCommandComplete(message)
    }
  }
  return {
    ask({ rowMode }, listener) {
      result = new Result(rowMode, types)
      listen = listener
    },
    receive: (chunk) => parser.parse(chunk, onMessage),
    result: () => result,
  }
}

module.exports = { openClient, openDirect }
