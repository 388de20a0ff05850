'use strict'

/**
 * `pg-protocol-native/pg`: accelerates a copy of pg.
 *
 * The parser under it becomes the native one, and the rows of its queries and cursors are built natively. What is
 * changed in pg for that stands in `patch-pg.js` and `patch-protocol.js`; `register` does the same with each pg it
 * finds.
 */

const path = require('node:path')
const { createRequire } = require('node:module')
const { native, reason, warnOnce } = require('./native')
const { hasOwnParser, isAccelerated, useConnection, useRows } = require('./patch-pg')
const { protocolParserFile, useProtocol } = require('./patch-protocol')
const { warnUnknown } = require('./unknown')

/** @typedef {import('./pg').Acceleration} Acceleration */

/**
 * @param {any} pg  what `require('pg')` gives
 * @param {{ rows?: boolean, encoding?: string }} [options]
 * @returns {Acceleration}
 */
function accelerate(pg, options) {
  const wanted = checkOptions(options)
  if (typeof pg?.Client !== 'function' || typeof pg.Connection !== 'function') {
    throw new TypeError(`accelerate() takes what require('pg') gives, not ${describe(pg)}`)
  }
  if (!native) {
    warnOnce('pg is left as it is')
    return inactive(reason)
  }
  const connectionFile = fileOf(pg.Connection)
  if (connectionFile === undefined) {
    return leaveStock('this pg', 'its Connection was not loaded from a file of its own')
  }
  const undo = /** @type {(() => void)[]} */ ([])
  try {
    return accelerateCopy(connectionFile, pg, wanted, undo)
  } catch (err) {
    for (const step of undo.reverse()) step()
    return leaveStock(path.dirname(path.dirname(connectionFile)), String(err))
  }
}

/**
 * @param {string} connectionFile
 * @param {any} pg
 * @param {{ rows: boolean, encoding: string | null }} wanted
 * @param {(() => void)[]} undo  what is done is undone by these
 * @returns {Acceleration}
 */
function accelerateCopy(connectionFile, { Connection, Client }, wanted, undo) {
  const folder = path.dirname(path.dirname(connectionFile))
  const fromPg = createRequire(connectionFile)
  const parserFile = protocolParserFile(connectionFile)
  if (parserFile === null || hasOwnParser(connectionFile)) return leaveStock(folder, 'it has its own parser')
  const StockClient = fromPg('./client')
  if (Client !== StockClient && !(Client.prototype instanceof StockClient)) {
    return leaveStock(folder, 'its Client is not that of lib/client.js, which pg-native replaces')
  }

  const parserExports = fromPg(parserFile)
  const protocol = useProtocol(parserFile, parserExports)
  if (typeof protocol === 'string') return leaveStock(parserFile, protocol)
  if (protocol !== null) undo.push(protocol)

  const connection = useConnection(Connection, parserExports, wanted.encoding)
  if (typeof connection === 'string') return parserOnly(`${connectionFile} as it is`, connection, undo)
  undo.push(connection)
  if (!wanted.rows) return active(undo, { rows: 0 }, null)

  const rows = useRows(Connection, StockClient, connectionFile)
  if (typeof rows === 'string') return parserOnly(`the rows of ${folder} to pg`, rows, undo)
  undo.push(rows.undo)
  return active(undo, rows.stats, null, true)
}

/**
 * @param {any} options
 * @returns {{ rows: boolean, encoding: string | null }}
 */
function checkOptions(options = {}) {
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`the options of accelerate() are an object, not ${describe(options)}`)
  }
  const { rows = true, encoding = null, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw new TypeError(`accelerate() has no option ${JSON.stringify(unknown)}, only "rows" and "encoding"`)
  }
  if (typeof rows !== 'boolean') {
    throw new TypeError(`the option "rows" of accelerate() is true or false, not ${describe(rows)}`)
  }
  // Without the binary nobody knows the names, and nothing is read in another encoding.
  if (encoding !== null && native) {
    require('./encoding').checkEncoding('the option "encoding" of accelerate()', encoding)
  }
  return { rows, encoding }
}

/** @param {unknown} value */
function describe(value) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'function') return `the function ${value.name || '(without a name)'}`
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? 'an array' : `an object with the keys ${list(Object.keys(value))}`
  }
  return String(value)
}

/** @param {string[]} names */
function list(names) {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')}, ...` : names.join(', ') || '(none)'
}

/**
 * The file that exports a value.
 *
 * @param {unknown} value
 * @returns {string | undefined}
 */
function fileOf(value) {
  return Object.keys(require.cache).find((file) => require.cache[file]?.exports === value)
}

/**
 * @param {(() => void)[]} undo
 * @param {{ rows: number }} stats
 * @param {string | null} why  there is something missing
 * @param {boolean} [rows]  whether rows are built natively
 * @returns {Acceleration}
 */
function active(undo, stats, why, rows = false) {
  let isActive = true
  return {
    get active() {
      return isActive
    },
    get rows() {
      return isActive && rows
    },
    reason: why,
    stats,
    restore() {
      isActive = false
      for (const step of undo.splice(0).reverse()) step()
    },
  }
}

/**
 * @param {string} what  is left, and to what
 * @param {string} why
 * @param {(() => void)[]} undo
 */
function parserOnly(what, why, undo) {
  warnUnknown(what, why)
  return active(undo, { rows: 0 }, why)
}

/**
 * @param {string} what
 * @param {string} why
 */
function leaveStock(what, why) {
  warnUnknown(`${what} as it is`, why)
  return inactive(why)
}

/**
 * @param {string | null} why
 * @returns {Acceleration}
 */
function inactive(why) {
  return { active: false, rows: false, reason: why, stats: { rows: 0 }, restore() {} }
}

/**
 * @param {any} client
 * @param {string} text
 * @param {any} [options]
 */
async function copyColumns(client, text, options = {}) {
  if (typeof client?.query !== 'function' || client.connection === undefined) {
    throw new TypeError(`copyColumns() takes a connected client of pg, not ${describe(client)}`)
  }
  if (typeof text !== 'string') {
    throw new TypeError(`copyColumns() takes the text of a COPY, not ${describe(text)}`)
  }
  const { columns, micros, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw new TypeError(`copyColumns() has no option ${JSON.stringify(unknown)}, only "columns" and "micros"`)
  }
  if (!native) throw new Error(`copyColumns() needs the native binary: ${reason}`)
  return require('./columns/copy').copyColumns(client, text, { columns, micros }, isAccelerated)
}

exports.accelerate = accelerate
exports.copyColumns = copyColumns
