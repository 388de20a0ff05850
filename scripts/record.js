'use strict'

/**
 * Records what a real server sends, for the tests: node scripts/record.js
 *
 * Starts a temporary PostgreSQL and a TCP proxy before it, runs the scenarios of record-scenarios.js through the
 * proxy, and writes the backend's bytes of each connection to fixtures/<name>.bin and what is known of them to
 * fixtures/index.json. Only the server's side is kept.
 */

const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const { startServer } = require('./postgres-server')
const { SCENARIOS, prepareDatabase } = require('./record-scenarios')

const FOLDER = path.join(__dirname, '..', 'fixtures')
const LIMIT_BYTES = 300 * 1024

/**
 * Listens on a free port and passes each connection on; `take()` gives what the server sent since the last call, in
 * the pieces in which it came, one list of pieces per connection.
 *
 * @param {number} port
 * @param {string} host
 */
async function startProxy(port, host) {
  /** @type {Buffer[][]} */
  let connections = []
  const proxy = net.createServer((client) => {
    /** @type {Buffer[]} */
    const pieces = []
    connections.push(pieces)
    const server = net.connect(port, host)
    server.on('data', (piece) => pieces.push(/** @type {Buffer} */ (piece)))
    client.pipe(server).pipe(client)
    // each side sees the other one end; how it ended is the business of the two
    client.on('error', () => server.destroy())
    server.on('error', () => client.destroy())
  })
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(undefined)))
  return {
    port: /** @type {net.AddressInfo} */ (proxy.address()).port,
    take() {
      const taken = connections
      connections = []
      return taken
    },
    close: () => proxy.close(),
  }
}

/**
 * The message types in their order, repeats counted (`R4 S15 K Z T D20 C Z`). Walks the frames without any parser,
 * so that the tests of a parser can be held against it.
 */
function outline(/** @type {Buffer} */ bytes) {
  /** @type {{ type: string, count: number }[]} */
  const runs = []
  for (let at = 0; at < bytes.length;) {
    const type = String.fromCharCode(bytes[at])
    const last = runs.at(-1)
    if (last?.type === type) last.count++
    else runs.push({ type, count: 1 })
    at += 1 + bytes.readUInt32BE(at + 1)
    if (at > bytes.length) throw new Error('the recording ends inside a message')
  }
  return runs.map(({ type, count }) => (count > 1 ? type + count : type)).join(' ')
}

async function main() {
  if (process.env.DATABASE_URL)
    console.log('DATABASE_URL is left alone: recordings are made on a server of their own')
  for (const name of ['DATABASE_URL', 'PGHOST', 'PGPORT', 'PGDATABASE']) delete process.env[name]
  const server = await startServer()
  const target = new URL(/** @type {string} */ (server.config.connectionString))
  const proxy = await startProxy(Number(target.port), target.hostname)
  const config = {
    user: target.username,
    password: target.password,
    database: target.pathname.slice(1),
    host: '127.0.0.1',
    port: proxy.port,
  }
  const fixtures = []
  try {
    await prepareDatabase(server.config)
    fs.mkdirSync(FOLDER, { recursive: true })
    for (const old of fs.readdirSync(FOLDER)) {
      if (old.endsWith('.bin')) fs.rmSync(path.join(FOLDER, old))
    }
    for (const { name, contains, differs, run } of SCENARIOS) {
      await run(config)
      const connections = proxy.take()
      if (connections.length !== 1)
        throw new Error(`${name} made ${connections.length} connections instead of one`)
      const bytes = Buffer.concat(connections[0])
      fs.writeFileSync(path.join(FOLDER, `${name}.bin`), bytes)
      fixtures.push({
        name,
        contains,
        ...(differs && { differs }),
        bytes: bytes.length,
        messages: outline(bytes),
        pieces: connections[0].map((piece) => piece.length),
      })
      console.log(`${name.padEnd(24)} ${String(bytes.length).padStart(7)} bytes`)
    }
  } finally {
    proxy.close()
    await server.stop()
  }
  const total = fixtures.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total > LIMIT_BYTES) throw new Error(`${total} bytes are too many to keep in the repository`)
  const index = { server: server.description.replace(/ \(.*/, ''), fixtures }
  const prettier = await import('prettier')
  const text = await prettier.format(JSON.stringify(index), { parser: 'json', printWidth: 110 })
  fs.writeFileSync(path.join(FOLDER, 'index.json'), text)
  console.log(`${'total'.padEnd(24)} ${String(total).padStart(7)} bytes`)
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
