'use strict'

const { once } = require('node:events')
const net = require('node:net')
const tls = require('node:tls')
const { Readable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const Cursor = require('pg-cursor')
const copyStreams = require('pg-copy-streams')
const { edgeQuery } = require('../../../scripts/sample-types')
const { rollingDigest } = require('../support/snapshot')
const { errorOf, recordMessages } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

/** A bit of everything, for connections whose bytes come in unusual pieces. */
const tour = async (/** @type {any} */ client) => {
  const messages = recordMessages(client)
  const results = [
    await client.query('select * from samples order by id'),
    await client.query(edgeQuery()),
    await client.query('select $1::text as t', ['é😀漢'.repeat(50)]),
    await errorOf(client.query('select 1 / 0')),
    await client.query(`select repeat('x', 300000) as long, 'end' as last`),
  ]
  const cursor = client.query(new Cursor('select * from samples order by id'))
  results.push(await cursor.read(10), await cursor.read(1000))
  await cursor.close()
  return { results, messages }
}

/** A socket whose bytes arrive in pieces of the lengths that `sizes` gives in turn. */
const choppingSocket = (/** @type {() => number} */ nextSize) => {
  const socket = new net.Socket()
  const emit = socket.emit
  socket.emit = /** @type {any} */ (
    function (/** @type {string} */ event, /** @type {any[]} */ ...args) {
      if (event !== 'data') return emit.call(socket, event, ...args)
      const [chunk] = args
      for (let at = 0; at < chunk.length;) {
        const size = nextSize()
        emit.call(socket, 'data', chunk.subarray(at, at + size))
        at += size
      }
      return true
    }
  )
  return socket
}

/** Numbers that look random and are the same in each process. */
const generator = (/** @type {number} */ seed) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

// Encrypted, but without any certificate, so that none has to be kept or made: enough for how the bytes come.
const ANONYMOUS = /** @type {const} */ ({ ciphers: 'AECDH-AES128-SHA:@SECLEVEL=0', maxVersion: 'TLSv1.2' })

/** Listens for pg's SSLRequest, speaks TLS from there on, and passes all else to the server. */
const startTlsProxy = async (/** @type {string} */ host, /** @type {number} */ port) => {
  const proxy = net.createServer((raw) => {
    raw.once('data', () => {
      raw.write('S')
      const secure = new tls.TLSSocket(raw, { isServer: true, ...ANONYMOUS })
      const server = net.connect(port, host)
      secure.pipe(server).pipe(secure)
      secure.on('error', () => server.destroy())
      server.on('error', () => secure.destroy())
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

module.exports = {
  async 'F01: one byte at a time'(/** @type {Context} */ { connect }) {
    return tour(await connect({ stream: () => choppingSocket(() => 1) }))
  },

  async 'F01: pieces of up to 9 bytes, and of up to 2 000'(/** @type {Context} */ { connect }) {
    const tours = []
    for (const limit of [9, 2000]) {
      const random = generator(limit)
      const nextSize = () => 1 + Math.floor(random() * limit)
      tours.push(await tour(await connect({ stream: () => choppingSocket(nextSize) })))
    }
    return tours
  },

  async 'TLS: queries, cursors, errors'(/** @type {Context} */ { pg, config, connect }) {
    const { host, port, user, password, database, ssl } = new pg.Client(config())
    // another server that is reached through TLS already, which the proxy does not speak on that side
    if (ssl) return tour(await connect())
    const proxy = await startTlsProxy(host, port)
    const client = await connect({
      connectionString: undefined,
      host: '127.0.0.1',
      port: /** @type {net.AddressInfo} */ (proxy.address()).port,
      user,
      password,
      database,
      ssl: { rejectUnauthorized: false, ...ANONYMOUS },
    })
    const encrypted = client.connection.stream.encrypted
    const cipher = client.connection.stream.getCipher().name
    const seen = await tour(client)

    const digest = rollingDigest()
    const { rows } = await client.query(
      `select i, repeat('ü', i % 100) as t from generate_series(1, 20000) i`
    )
    for (const row of rows) digest.add(row)

    await client.query('create temp table copied (i int, t text)')
    const lines = Array.from({ length: 20000 }, (_, i) => `${i}\tline ${i}\n`)
    await pipeline(Readable.from(lines), client.query(copyStreams.from('copy copied from stdin')))
    const back = []
    for await (const chunk of client.query(copyStreams.to('copy copied to stdout'))) back.push(chunk)
    const { rows: counted } = await client.query('select count(*), sum(i) from copied')
    proxy.close()
    return { encrypted, cipher, seen, rows: digest.value(), copied: Buffer.concat(back), counted }
  },
}
