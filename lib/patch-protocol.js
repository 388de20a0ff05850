'use strict'

// Puts the native parser into a copy of pg-protocol, and tells whether it knows the copy.
//
// pg-protocol's dist/index.js reads `Parser` off the exports of dist/parser.js whenever a connection opens, so
// replacing that one export serves every connection from then on, no matter who loaded pg before.

const fs = require('node:fs')
const path = require('node:path')
const { createRequire } = require('node:module')

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

// On the Parser that took another's place: whose, and how many ask for it. Other copies of this package read it, too.
const REPLACED = Symbol.for('pg-protocol-native.replaced@1')

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
 * Puts the native parser into one copy of pg-protocol, unless it is there already.
 *
 * @param {string} parserFile  its dist/parser.js
 * @param {any} parserExports
 * @returns {(() => void) | string | null} takes it out again when nobody else asks for it; null: the pg-protocol is this
 *   package, by an override; a string: why it was left as it is
 */
function useProtocol(parserFile, parserExports) {
  if (!isNativeParser(parserExports?.Parser)) {
    const messages = createRequire(parserFile)('./messages')
    const unknown = unknownProtocol(parserExports, messages, versionAbove(parserFile))
    if (unknown !== null) return unknown
    // Not before: they load the binary, which doctor does without.
    const { completeMessages } = require('./messages')
    const native = require('./parser').createParser(completeMessages(messages))
    Object.defineProperty(native, REPLACED, {
      value: { stock: parserExports.Parser, users: 0 },
      configurable: true,
    })
    parserExports.Parser = native
  }
  const { Parser } = parserExports
  const replaced = Parser[REPLACED]
  if (replaced === undefined) return null
  replaced.users++
  return once(() => {
    if (--replaced.users === 0 && parserExports.Parser === Parser) parserExports.Parser = replaced.stock
  })
}

/**
 * @param {() => void} work
 * @returns {() => void} does it when called for the first time
 */
function once(work) {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
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

exports.isNativeParser = isNativeParser
exports.once = once
exports.protocolParserFile = protocolParserFile
exports.unknownProtocol = unknownProtocol
exports.useProtocol = useProtocol
exports.versionAbove = versionAbove
