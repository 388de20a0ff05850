'use strict'

// What `register` changes in a copy of pg-protocol and in a copy of pg, and how it tells that it knows the copy.
//
// pg-protocol: dist/index.js reads `Parser` off the exports of dist/parser.js whenever a connection opens, so
// replacing that one export serves every connection from then on, no matter who loaded pg before.
// pg: `Connection.prototype.attachListeners(stream)` is where the parser is made; our parser learns there which
// socket it reads from, to pause it and, when the stream is beyond repair, to destroy it.

const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')
const { completeMessages } = require('./messages')

// Message classes of pg-protocol 1.2.0 and all later ones, with the number of their constructors' parameters.
const CONSTRUCTORS = Object.entries({
  DatabaseError: 3,
  CopyDataMessage: 2,
  CopyResponse: 4,
  Field: 7,
  RowDescriptionMessage: 2,
  ParameterStatusMessage: 3,
  AuthenticationMD5Password: 2,
  BackendKeyDataMessage: 3,
  NotificationResponseMessage: 4,
  ReadyForQueryMessage: 2,
  CommandCompleteMessage: 2,
  DataRowMessage: 2,
  NoticeMessage: 2,
})

const SINGLETONS = [
  'parseComplete',
  'bindComplete',
  'closeComplete',
  'noData',
  'portalSuspended',
  'replicationStart',
  'emptyQuery',
  'copyDone',
]

// Marks a wrapped attachListeners for other copies of this package.
const WRAPPED = Symbol.for('pg-protocol-native.attachListeners')

/**
 * Whether a Parser class is one of ours, be it of another copy of this package.
 *
 * @param {any} Parser
 */
function isNativeParser(Parser) {
  return typeof Parser === 'function' && typeof Parser.forStream === 'function'
}

/**
 * Why a copy of pg-protocol cannot be served, or null if it can.
 *
 * @param {any} parserExports  the exports of its dist/parser.js
 * @param {any} messages  the exports of its dist/messages.js
 * @param {string | null} version
 * @returns {string | null}
 */
function unknownProtocol(parserExports, messages, version) {
  if (version !== null && !version.startsWith('1.')) return `version ${version} is not known`
  const Parser = parserExports?.Parser
  const prototype = typeof Parser === 'function' ? Parser.prototype : undefined
  if (typeof prototype?.parse !== 'function' || typeof prototype.handlePacket !== 'function') {
    return 'its Parser has another shape'
  }
  if (!Object.getOwnPropertyDescriptor(parserExports, 'Parser')?.writable)
    return 'its Parser cannot be replaced'
  // The text of a class contains that of its methods: if not, somebody has put another method in its place, which
  // would be lost with the class.
  if (!String(Parser).includes(String(prototype.parse))) return 'its Parser.prototype.parse has been patched'
  for (const [name, parameters] of CONSTRUCTORS) {
    if (typeof messages?.[name] !== 'function' || messages[name].length !== parameters) {
      return `its ${name} has another shape`
    }
  }
  for (const name of SINGLETONS) {
    if (messages[name]?.name !== name) return `its ${name} has another shape`
  }
  return null
}

/**
 * Puts the native parser into one copy of pg-protocol.
 *
 * @param {any} parserExports
 * @param {any} messages
 * @returns {() => void} puts back what was there
 */
function patchProtocol(parserExports, messages) {
  const stock = parserExports.Parser
  const native = require('./parser').createParser(completeMessages(messages))
  parserExports.Parser = native
  return () => {
    if (parserExports.Parser === native) parserExports.Parser = stock
  }
}

/**
 * Tells the parsers of one copy of pg which socket they read.
 *
 * @param {any} Connection
 * @param {any} parserExports  of the pg-protocol that this pg uses
 * @returns {() => void} puts back what was there
 */
function patchConnection(Connection, parserExports) {
  const { prototype } = Connection
  const stock = prototype.attachListeners
  let active = true

  /** @this {any} */
  function attachListeners(/** @type {any} */ stream) {
    const { Parser } = parserExports
    if (!active || !isNativeParser(Parser)) return stock.apply(this, arguments)
    return Parser.forStream(stream, () => stock.apply(this, arguments))
  }

  Object.defineProperty(attachListeners, WRAPPED, { value: true })
  prototype.attachListeners = attachListeners
  return () => {
    active = false
    if (prototype.attachListeners === attachListeners) prototype.attachListeners = stock
  }
}

/**
 * Whether `attachListeners` can be wrapped: 'yes', 'no', or 'done' where a copy of this package did it.
 *
 * @param {any} Connection
 */
function connectionShape(Connection) {
  const attachListeners = typeof Connection === 'function' ? Connection.prototype?.attachListeners : undefined
  if (typeof attachListeners !== 'function') return 'no'
  return attachListeners[WRAPPED] ? 'done' : 'yes'
}

/**
 * Where the pg-protocol lies that a file of pg uses; null when it has none (pg before 8.0.1).
 *
 * @param {string} filename  of any file in that pg
 * @returns {string | null}
 */
function protocolParserFile(filename) {
  try {
    return createRequire(filename).resolve('pg-protocol/dist/parser.js')
  } catch {
    return null
  }
}

/**
 * The version in the package.json one folder above the given file's.
 *
 * @param {string} filename
 * @returns {string | null}
 */
function versionAbove(filename) {
  try {
    return (
      JSON.parse(fs.readFileSync(path.join(path.dirname(filename), '..', 'package.json'), 'utf8')).version ??
      null
    )
  } catch {
    return null
  }
}

exports.connectionShape = connectionShape
exports.isNativeParser = isNativeParser
exports.patchConnection = patchConnection
exports.patchProtocol = patchProtocol
exports.protocolParserFile = protocolParserFile
exports.unknownProtocol = unknownProtocol
exports.versionAbove = versionAbove
