'use strict'

// Enough of a PostgreSQL server for pg, pg-cursor and pg-query-stream to run a query. It knows these:
//
//   rows <n>    n rows of the columns id (int4) and name (text)
//   error       an error, 42P01
//   broken      a message with an impossible length
//
// It reads what the client sends with no code of this package or of pg-protocol.

const net = require('node:net')

/**
 * @param {string} type
 * @param {...Buffer} parts
 */
function message(type, ...parts) {
  const body = Buffer.concat(parts)
  const header = Buffer.alloc(5)
  header.write(type, 'latin1')
  header.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

const int16 = (/** @type {number} */ value) => Buffer.from([(value >> 8) & 0xff, value & 0xff])
const int32 = (/** @type {number} */ value) => Buffer.concat([int16(value >> 16), int16(value)])
const cstring = (/** @type {string} */ text) => Buffer.from(`${text}\0`)
const cell = (/** @type {string} */ text) =>
  Buffer.concat([int32(Buffer.byteLength(text)), Buffer.from(text)])

/**
 * @param {string} name
 * @param {number} oid
 */
const column = (name, oid) =>
  Buffer.concat([cstring(name), int32(0), int16(0), int32(oid), int16(-1), int32(-1), int16(0)])

const READY = message('Z', Buffer.from('I'))
const COLUMNS = message('T', int16(2), column('id', 23), column('name', 25))
const ERROR = message(
  'E',
  ...['SERROR', 'VERROR', 'C42P01', 'Mrelation "nowhere" does not exist'].map(cstring),
  Buffer.from([0])
)
const BROKEN = Buffer.concat([Buffer.from('D'), int32(0), Buffer.from('never to be read')])
const GREETING = Buffer.concat([
  message('R', int32(0)),
  message('S', cstring('server_version'), cstring('18.0')),
  message('K', int32(4711), int32(42)),
  READY,
])

/** @param {number} id */
const row = (id) => message('D', int16(2), cell(String(id)), cell(`é😀 ${id}`))

/**
 * One execution of a query: gives its messages, at most `limit` rows at a time.
 *
 * @param {string} text
 */
function portal(text) {
  const [command, count] = text.split(' ')
  let next = 1
  return {
    description: command === 'rows' ? COLUMNS : message('n'),
    /** @param {number} limit */
    execute(limit) {
      if (command === 'error') return ERROR
      if (command === 'broken') return BROKEN
      const last = Number(count)
      const parts = []
      while (next <= last && (limit === 0 || parts.length < limit)) parts.push(row(next++))
      const full = limit > 0 && parts.length === limit
      parts.push(full ? message('s') : message('C', cstring(`SELECT ${last}`)))
      return Buffer.concat(parts)
    },
  }
}

/** @param {import('node:net').Socket} socket */
function serve(socket) {
  let held = Buffer.alloc(0)
  let started = false
  let failed = false
  let statement = ''
  let current = portal('rows 0')

  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const header = started ? 5 : 4
      if (held.length < header) return
      const size = held.readInt32BE(header - 4) + header - 4
      if (held.length < size) return
      const type = started ? String.fromCharCode(held[0]) : 'startup'
      const body = held.subarray(header, size)
      held = held.subarray(size)
      answer(type, body)
    }
  })

  /**
   * @param {string} type
   * @param {Buffer} body
   */
  function answer(type, body) {
    if (type === 'startup') {
      started = true
      socket.write(GREETING)
    } else if (type === 'Q') {
      const query = portal(body.toString('utf8', 0, body.length - 1))
      const result = query.execute(0)
      socket.write(
        Buffer.concat(
          result === ERROR || result === BROKEN ? [result, READY] : [query.description, result, READY]
        )
      )
    } else if (type === 'S') {
      failed = false
      socket.write(READY)
    } else if (type === 'X') {
      socket.end()
    } else if (!failed) {
      extended(type, body)
    }
  }

  /**
   * @param {string} type
   * @param {Buffer} body
   */
  function extended(type, body) {
    if (type === 'P') {
      const from = body.indexOf(0) + 1
      statement = body.toString('utf8', from, body.indexOf(0, from))
      socket.write(message('1'))
    } else if (type === 'B') {
      current = portal(statement)
      socket.write(message('2'))
    } else if (type === 'D') {
      socket.write(current.description)
    } else if (type === 'E') {
      const result = current.execute(body.readInt32BE(body.indexOf(0) + 1))
      failed = result === ERROR
      socket.write(result)
    } else if (type === 'C') {
      socket.write(message('3'))
    }
  }
}

/** @returns {Promise<{ port: number, env: Record<string, string>, close: () => Promise<void> }>} */
async function startFakeServer() {
  const sockets = new Set()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    port,
    env: {
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'someone',
      PGDATABASE: 'something',
      PGPASSWORD: 'x',
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

exports.startFakeServer = startFakeServer
