'use strict'

const path = require('node:path')
const { UsageError } = require('../lib/options')
const { installPeer, bunOf } = require('./peers')
const { buildRevision } = require('./revision')

const ROOT = path.join(__dirname, '..', '..')

/**
 * What is measured, as the parent knows it; `setup` goes to the child process.
 *
 * @typedef {object} Contender
 * @property {string} name as on the command line
 * @property {'stock' | 'parser' | 'register' | 'peer'} kind
 * @property {string | null} commit of this repository, where it is not the working tree
 * @property {Record<string, string>} versions of what is measured
 * @property {string} [execPath] where it does not run on this Node
 * @property {string[]} execArgv
 * @property {NodeJS.ProcessEnv} env
 * @property {Setup} setup
 *
 * @typedef {{say: (what: string) => void, defer: import('../lib/cleanup').Defer}} Tools `say` tells what
 *   takes long
 *
 * @typedef {{driver: 'pg' | 'pg-native' | 'postgres' | 'bun', kind: Contender['kind'], folder: string | null}} Setup
 */

const NAMES = `stock, parser, register, a git revision of this repository (parser@REVISION:
                  only its parser), pg-native, postgres, bun`

/**
 * @param {string} name
 * @param {Tools} tools
 * @returns {Promise<Contender>}
 * @throws {UsageError} where there is no such contender, or it cannot run here
 */
const prepareContender = async (name, tools) => {
  switch (name) {
    case 'stock':
      return stock()
    case 'parser':
    case 'register':
      return ours(name, name, { folder: ROOT, commit: null })
    case 'pg-native':
    case 'postgres':
    case 'bun':
      return peer(name, await installPeer(name, tools))
  }
  const [, kind, revision] = /** @type {[string, 'parser' | 'register', string]} */ (
    /** @type {unknown} */ (/^(?:(parser|register)@)?(.+)$/.exec(name) ?? [name, undefined, name])
  )
  return ours(name, kind ?? 'register', await buildRevision(revision, tools))
}

/**
 * `TZ`: what dates cost hangs on the zone; it must not on that of the machine.
 * @param {NodeJS.ProcessEnv} [more]
 */
const environment = (more) => {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, TZ: 'UTC', ...more }
  delete env.NODE_OPTIONS
  return env
}

/** @returns {Contender} */
const stock = () => ({
  name: 'stock',
  kind: 'stock',
  commit: null,
  versions: { pg: require('pg/package.json').version },
  execArgv: [],
  env: environment(),
  setup: { driver: 'pg', kind: 'stock', folder: null },
})

/**
 * @param {string} name
 * @param {'parser' | 'register'} kind
 * @param {{folder: string, commit: string | null}} checkout
 * @returns {Contender}
 */
const ours = (name, kind, { folder, commit }) => {
  const { version } = require(path.join(folder, 'package.json'))
  try {
    require(path.join(folder, 'lib', 'binding.js'))
  } catch (error) {
    throw new UsageError(`Cannot measure '${name}': ${/** @type {Error} */ (error).message}.`)
  }
  return {
    name,
    kind,
    commit,
    versions: { pg: require('pg/package.json').version, 'pg-protocol-native': version },
    // As an application does it.
    execArgv: kind === 'register' ? ['-r', path.join(folder, 'lib', 'register.js')] : [],
    // A fallback to JavaScript would be measured as if it were the real thing.
    env: environment({ PG_PROTOCOL_NATIVE: 'require' }),
    setup: { driver: 'pg', kind, folder },
  }
}

/**
 * @param {'pg-native' | 'postgres' | 'bun'} name
 * @param {{folder: string, version: string}} installed
 * @returns {Contender}
 */
const peer = (name, { folder, version }) => ({
  name,
  kind: 'peer',
  commit: null,
  versions: { [name]: version },
  execPath: name === 'bun' ? bunOf(folder) : undefined,
  execArgv: [],
  // pg looks for pg-native by its name.
  env: environment({ NODE_PATH: path.join(folder, 'node_modules') }),
  setup: { driver: name, kind: 'peer', folder },
})

/**
 * What a result says of a contender.
 * @param {Contender} contender
 */
const describeContender = ({ name, kind, commit, versions }) => ({ name, kind, commit, versions })

module.exports = { NAMES, prepareContender, describeContender }
