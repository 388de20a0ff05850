'use strict'

// Looks at what `pg-protocol-native doctor` reports. It finds out by the same code that the ways in use, and changes
// nothing.

const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')
const { hasOwnParser, unknownRows } = require('./patch-pg')
const { platformName, libc } = require('./platform')
const { readRowsSetting } = require('./setting')
const { version } = require('../package.json')

/**
 * @typedef {object} Copy  an installed package
 * @property {string} name  what its package.json calls it
 * @property {string | null} version
 * @property {string} path  its folder
 */

/**
 * @typedef {object} PgCopy
 * @property {Copy} pg
 * @property {string[]} foundFrom  '.' for the current folder, otherwise the dependencies that bring their own
 * @property {Copy | null} protocol  the pg-protocol that this pg loads
 * @property {{ active: boolean, reason: string }} register
 * @property {{ active: boolean, reason: string }} rows  whether register would build its rows natively
 * @property {{ active: boolean, reason: string }} override
 */

/**
 * @typedef {object} Report
 * @property {boolean} native
 * @property {string | null} reason  why not
 * @property {string | null} binary  path of the addon that is loaded
 * @property {string | null} addonVersion
 * @property {string} version  of this package
 * @property {string} platform  such as linux-x64-gnu
 * @property {{ name: string, version: string } | null} libc
 * @property {string} node
 * @property {string | null} setting  PG_PROTOCOL_NATIVE as it is set
 * @property {string | null} rowsSetting  PG_PROTOCOL_NATIVE_ROWS as it is set
 * @property {PgCopy[]} pg  the copies of pg that the current folder and its dependencies load
 * @property {Copy | null} protocol  the pg-protocol that the current folder itself loads
 * @property {{ active: boolean, reason: string }} direct
 */

/**
 * @param {string} cwd
 * @returns {Report}
 */
function examine(cwd) {
  const { native, binding, reason } = loadNative()
  const root = path.join(cwd, 'noop.js')
  return {
    native,
    reason,
    binary: native ? loadedBinary() : null,
    addonVersion: native ? addonVersion(binding) : null,
    version,
    platform: platformName(),
    libc: libc(),
    node: process.version,
    setting: process.env.PG_PROTOCOL_NATIVE ?? null,
    rowsSetting: process.env.PG_PROTOCOL_NATIVE_ROWS ?? null,
    pg: pgCopies(cwd).map(({ file, foundFrom }) => describePg(file, foundFrom, native)),
    protocol: findCopy(root, 'pg-protocol'),
    direct: native
      ? { active: true, reason: "require('pg-protocol-native') gives the native Parser" }
      : { active: false, reason: "require('pg-protocol-native') gives the JavaScript Parser of pg-protocol" },
  }
}

/** @returns {{ native: boolean, binding: any, reason: string | null }} */
function loadNative() {
  try {
    return require('./native')
  } catch (err) {
    // PG_PROTOCOL_NATIVE=require, or a value that it does not know
    return { native: false, binding: null, reason: /** @type {Error} */ (err).message }
  }
}

function loadedBinary() {
  return (
    Object.keys(require.cache).find((file) => file.endsWith('.node') && path.dirname(file) === __dirname) ??
    null
  )
}

/** @param {any} binding */
function addonVersion(binding) {
  const value = typeof binding.version === 'function' ? binding.version() : binding.version
  return value === undefined ? null : String(value)
}

/**
 * The copies of pg which a program in `cwd` can get to load: its own, and those that its dependencies bring along.
 *
 * @param {string} cwd
 * @returns {{ file: string, foundFrom: string[] }[]}
 */
function pgCopies(cwd) {
  /** @type {Map<string, string[]>} */
  const copies = new Map()
  /** @type {(from: string, label: string) => void} */
  const look = (from, label) => {
    const file = resolve(from, 'pg')
    if (file === null) return
    const labels = copies.get(file)
    if (labels) labels.push(label)
    else copies.set(file, [label])
  }

  const root = path.join(cwd, 'noop.js')
  look(root, '.')
  for (const dependency of dependencies(cwd)) {
    const folder = folderOf(root, dependency)
    if (folder !== null) look(path.join(folder, 'noop.js'), dependency)
  }
  return [...copies].map(([file, foundFrom]) => ({
    file,
    foundFrom: foundFrom.includes('.') ? ['.'] : foundFrom,
  }))
}

/**
 * @param {string} cwd
 * @returns {string[]}
 */
function dependencies(cwd) {
  const manifest = readManifest(cwd)
  return Object.keys({
    ...manifest?.dependencies,
    ...manifest?.optionalDependencies,
    ...manifest?.devDependencies,
  })
}

/**
 * @param {string} file  the main file of a pg
 * @param {string[]} foundFrom
 * @param {boolean} native
 * @returns {PgCopy}
 */
function describePg(file, foundFrom, native) {
  const protocol = findCopy(file, 'pg-protocol')
  const overridden = protocol?.name === 'pg-protocol-native'
  /** @type {PgCopy['override']} */
  const override = overridden
    ? { active: native, reason: 'its pg-protocol is pg-protocol-native' }
    : { active: false, reason: protocol ? 'its pg-protocol is the stock one' : 'it loads no pg-protocol' }
  const register = describeRegister(file, protocol, overridden, native)
  return {
    pg: packageOf(file) ?? { name: 'pg', version: null, path: path.dirname(file) },
    foundFrom,
    protocol,
    register,
    rows: describeRows(file, register.active || override.active),
    override,
  }
}

/**
 * @param {string} file
 * @param {boolean} hasNativeParser
 */
function describeRows(file, hasNativeParser) {
  if (!hasNativeParser) return { active: false, reason: 'they need the native parser' }
  try {
    if (readRowsSetting() === 'off') {
      return { active: false, reason: 'PG_PROTOCOL_NATIVE_ROWS=off leaves them to pg' }
    }
  } catch (err) {
    return { active: false, reason: /** @type {Error} */ (err).message }
  }
  const unknown = unknownRows(file)
  if (unknown !== null) return { active: false, reason: `register would leave them to pg: ${unknown}` }
  return { active: true, reason: 'register would build them natively' }
}

/**
 * @param {string} file
 * @param {Copy | null} protocol
 * @param {boolean} overridden
 * @param {boolean} native
 */
function describeRegister(file, protocol, overridden, native) {
  if (protocol === null) return { active: false, reason: 'it loads no pg-protocol' }
  if (hasOwnParser(path.join(path.dirname(file), 'connection.js')))
    return { active: false, reason: 'this old pg has a parser of its own' }
  if (overridden) return { active: false, reason: 'its parser is native by the override' }
  const unknown = unknownShape(file, protocol)
  if (unknown) return { active: false, reason: `pg-protocol is left as it is: ${unknown}` }
  if (!native) return { active: false, reason: 'without a binary it leaves pg as it is' }
  return { active: true, reason: `it would serve pg-protocol ${protocol.version}` }
}

/**
 * @param {string} file
 * @param {Copy} protocol
 * @returns {string | null}
 */
function unknownShape(file, protocol) {
  const { protocolParserFile, unknownProtocol } = require('./patch-protocol')
  const parserFile = protocolParserFile(file)
  if (parserFile === null) return 'it has no dist/parser.js'
  try {
    return unknownProtocol(
      require(parserFile),
      require(path.join(path.dirname(parserFile), 'messages.js')),
      protocol.version
    )
  } catch (err) {
    return String(err)
  }
}

/**
 * @param {string} from  a file
 * @param {string} name  of a package
 * @returns {Copy | null}
 */
function findCopy(from, name) {
  const file = resolve(from, name)
  return file === null ? null : packageOf(file)
}

/**
 * @param {string} from
 * @param {string} request
 * @returns {string | null}
 */
function resolve(from, request) {
  try {
    return createRequire(from).resolve(request)
  } catch {
    return null
  }
}

/**
 * Where a dependency lies. Not resolved as a module: many can only be imported, and some have no main file.
 *
 * @param {string} from
 * @param {string} name
 * @returns {string | null}
 */
function folderOf(from, name) {
  for (const modules of createRequire(from).resolve.paths(name) ?? []) {
    const folder = path.join(modules, name)
    if (fs.existsSync(path.join(folder, 'package.json'))) return fs.realpathSync(folder)
  }
  return null
}

/**
 * The package that a file belongs to. Looked for upwards, since `exports` need not give out package.json.
 *
 * @param {string} file
 * @returns {Copy | null}
 */
function packageOf(file) {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const manifest = readManifest(folder)
    if (manifest?.name) return { name: manifest.name, version: manifest.version ?? null, path: folder }
  }
  return null
}

/**
 * @param {string} folder
 * @returns {any}
 */
function readManifest(folder) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  } catch {
    return null
  }
}

exports.examine = examine
