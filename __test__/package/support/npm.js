'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const root = path.join(__dirname, '../../..')

/**
 * Runs npm and gives what it printed; throws when it fails.
 * @param {string} cwd
 * @param {...string} args
 * @returns {string}
 */
function npm(cwd, ...args) {
  const windows = process.platform === 'win32'
  const { status, stdout, stderr, error } = spawnSync(windows ? 'npm.cmd' : 'npm', args, {
    cwd,
    encoding: 'utf8',
    env: environment(),
    // npm is a batch file on Windows
    shell: windows,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`npm ${args.join(' ')} in ${cwd} failed:\n${stdout}${stderr}`)
  return stdout
}

/**
 * An npm that runs these tests tells its children about itself; one started in another folder would take that to
 * heart. Where packages come from must stay as it is.
 */
function environment() {
  const kept = /^npm_config_(cache|registry|userconfig|globalconfig)$/i
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name))
  // What the tests themselves set must not decide how the package behaves.
  return Object.fromEntries(entries.filter(([name]) => !/^(PG_PROTOCOL_NATIVE|NODE_OPTIONS)$/.test(name)))
}

/**
 * Runs Node.js in a folder, with this test's own binary.
 * @param {string} cwd
 * @param {...string} args
 */
function node(cwd, ...args) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: environment() })
}

/**
 * A folder that is removed when the tests of this file are through. The real path, because what the package reports
 * about itself is one.
 * @param {string} name
 */
function temporaryFolder(name) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `pg-protocol-native-${name}-`)))
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/**
 * The tarball as npm would publish it, with the addon that is in lib/ now.
 * @param {string} folder where to put it
 * @returns {{ tarball: string, files: string[] }}
 */
function pack(folder) {
  // Without scripts: `prepare` would build, and what is to be tested has been built.
  const [packed] = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder))
  return {
    tarball: path.join(folder, packed.filename),
    files: packed.files.map((/** @type {{ path: string }} */ file) => file.path),
  }
}

/**
 * @param {string} folder
 * @param {object} manifest
 */
function installApp(folder, manifest) {
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'app', private: true, ...manifest })
  )
  npm(folder, 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund')
}

/**
 * A copy of an app in which the package has no binary, as on a platform without one.
 * @param {string} app
 * @param {string} folder
 * @param {string} [name] what the package is installed as
 */
function withoutBinary(app, folder, name = 'pg-protocol-native') {
  fs.cpSync(app, folder, { recursive: true })
  const lib = path.join(folder, 'node_modules', name, 'lib')
  const binaries = fs.readdirSync(lib).filter((file) => file.endsWith('.node'))
  if (binaries.length === 0) throw new Error(`${lib} has no binary: run \`npm run build\` first`)
  for (const file of binaries) fs.rmSync(path.join(lib, file))
}

module.exports = { root, npm, node, environment, temporaryFolder, pack, installApp, withoutBinary }
