'use strict'

// Other clients are installed when somebody asks for them: they are large (Bun is a runtime of 100 MB) or have to be
// compiled (pg-native needs libpq), and `npm install` of this repository must not fail for want of them.

const fs = require('node:fs')
const path = require('node:path')
const { cacheFolder } = require('../lib/cache')
const { UsageError } = require('../lib/options')
const { reasonOf, runTool } = require('../lib/tool')

/** @typedef {'pg-native' | 'postgres' | 'bun'} Peer */

/** @type {Record<Peer, {range: string, needs: string}>} */
const PEERS = {
  'pg-native': {
    range: '^3.5.0',
    needs: 'it is compiled with a C++ compiler, Python and libpq (on Debian the package libpq-dev)',
  },
  postgres: { range: '^3.4.0', needs: "npm's registry has to be in reach" },
  bun: { range: '^1.4.0', needs: "npm's registry has to be in reach, and Bun to exist for this platform" },
}

/**
 * @param {Peer} name
 * @param {import('./index').Tools} tools
 * @returns {Promise<{folder: string, version: string}>}
 */
const installPeer = async (name, { say, defer }) => {
  const folder = folderOf(name)
  const found = entryOf(name, folder)
  if (found) return { folder, version: found.version }

  say(`installing ${name} into ${folder}`)
  const half = defer(() => fs.rmSync(folder, { recursive: true, force: true }))
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n')
  const args = ['install', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${PEERS[name].range}`]
  const outcome = await runTool('npm', args, { cwd: folder, env: npmEnvironment(), defer })
  const installed = outcome.code === 0 ? entryOf(name, folder) : null
  if (installed) {
    half.cancel()
    return { folder, version: installed.version }
  }
  await half.now()
  throw new UsageError(
    `Cannot measure '${name}', for it could not be installed: ${PEERS[name].needs}; npm said: ${reasonOf(outcome)}`
  )
}

/**
 * Without what `npm run` says of this repository; the settings of whoever runs it stay. What is compiled has to be for the
 * Node that is measured, which need not be the one that npm would find.
 */
const npmEnvironment = () => {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|config_local_prefix)/i.test(name)
    )
  )
  const name = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  env[name] = [path.dirname(process.execPath), env[name]].join(path.delimiter)
  return env
}

/** pg-native is compiled for one Node, and not for the next. @param {Peer} name */
const folderOf = (name) =>
  cacheFolder('peers', name === 'pg-native' ? `${name}-abi${process.versions.modules}` : name)

/** @param {Peer} name */
const isInstalled = (name) => entryOf(name, folderOf(name)) !== null

/**
 * @param {Peer} name
 * @param {string} folder
 * @returns {{version: string} | null} null where it is not there, or only in part
 */
const entryOf = (name, folder) => {
  const modules = path.join(folder, 'node_modules')
  try {
    const { version } = JSON.parse(fs.readFileSync(path.join(modules, name, 'package.json'), 'utf8'))
    if (name === 'pg-native' && !fs.existsSync(path.join(modules, 'libpq', 'build', 'Release', 'addon.node')))
      return null
    if (name === 'bun' && !fs.existsSync(bunOf(folder))) return null
    return { version }
  } catch {
    return null
  }
}

/** The package's install script may not be allowed to run: what it would copy is taken where it lies. @param {string} folder */
const bunOf = (folder) => {
  const scope = path.join(folder, 'node_modules', '@oven')
  const file = process.platform === 'win32' ? 'bun.exe' : 'bun'
  const platforms = fs.existsSync(scope) ? fs.readdirSync(scope) : []
  const binaries = platforms.map((name) => path.join(scope, name, 'bin', file))
  return (
    binaries.find((binary) => fs.existsSync(binary)) ??
    path.join(folder, 'node_modules', 'bun', 'bin', 'bun.exe')
  )
}

module.exports = { PEERS, installPeer, isInstalled, bunOf }
