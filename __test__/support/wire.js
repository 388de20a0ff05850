'use strict'

// Backend messages from a readable description: what PostgreSQL's documentation calls "Message Formats", one function
// per message kind, in the order in which a connection meets them. Every function returns the bytes of one message.

/** @param {number} value */
const int16 = (value) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value & 0xffff)
  return bytes
}

/** @param {number} value */
const int32 = (value) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** @param {string | Buffer} text */
const cstring = (text) => Buffer.concat([Buffer.from(text), Buffer.from([0])])

/**
 * Bytes written as hex; blanks are for the reader's eye.
 * @param {string} text
 */
const hex = (text) => {
  const digits = text.replace(/\s+/g, '')
  const bytes = Buffer.from(digits, 'hex')
  if (bytes.length * 2 !== digits.length) throw new Error(`not hex: ${text}`)
  return bytes
}

/**
 * One message: type byte, length (which counts itself and the body), body.
 * @param {string | number} type
 * @param {...(string | Buffer)} body
 */
const message = (type, ...body) => {
  const content = Buffer.concat(body.map((part) => Buffer.from(part)))
  const code = typeof type === 'number' ? type : type.charCodeAt(0)
  return Buffer.concat([Buffer.from([code]), int32(content.length + 4), content])
}

/**
 * A header alone, for frames whose length lies.
 * @param {string} type
 * @param {number} length
 */
const header = (type, length) => Buffer.concat([Buffer.from(type, 'latin1'), int32(length)])

const authentication = (/** @type {number} */ code, /** @type {Buffer} */ rest = Buffer.alloc(0)) =>
  message('R', int32(code), rest)
const authenticationOk = () => authentication(0)
const authenticationCleartextPassword = () => authentication(3)
const authenticationMD5Password = (/** @type {Buffer} */ salt) => authentication(5, salt)
const authenticationSASL = (/** @type {string[]} */ mechanisms) =>
  authentication(10, Buffer.concat([...mechanisms.map(cstring), Buffer.from([0])]))
const authenticationSASLContinue = (/** @type {string} */ data) => authentication(11, Buffer.from(data))
const authenticationSASLFinal = (/** @type {string} */ data) => authentication(12, Buffer.from(data))

/** @param {number} minor @param {string[]} options */
const negotiateProtocolVersion = (minor, options) =>
  message('v', int32(minor), int32(options.length), ...options.map(cstring))

/** @param {string} name @param {string} value */
const parameterStatus = (name, value) => message('S', cstring(name), cstring(value))

/** @param {number} processID @param {number | Buffer} key */
const backendKeyData = (processID, key) =>
  message('K', int32(processID), typeof key === 'number' ? int32(key) : key)

const readyForQuery = (status = 'I') => message('Z', status)

const parseComplete = () => message('1')
const bindComplete = () => message('2')
const closeComplete = () => message('3')
const noData = () => message('n')
const portalSuspended = () => message('s')
const emptyQuery = () => message('I')

/** @param {number[]} types */
const parameterDescription = (types) => message('t', int16(types.length), ...types.map(int32))

/**
 * @typedef {{name?: string | Buffer, tableID?: number, columnID?: number, dataTypeID?: number, dataTypeSize?: number,
 *   dataTypeModifier?: number, format?: number}} FieldDescription
 */

/** @param {(string | FieldDescription)[]} fields names, or descriptions where the other numbers matter */
const rowDescription = (fields) => {
  const parts = fields.map((field) => {
    const of = typeof field === 'string' ? { name: field } : field
    return Buffer.concat([
      cstring(of.name ?? 'a'),
      int32(of.tableID ?? 0),
      int16(of.columnID ?? 0),
      int32(of.dataTypeID ?? 25),
      int16(of.dataTypeSize ?? -1),
      int32(of.dataTypeModifier ?? -1),
      int16(of.format ?? 0),
    ])
  })
  return message('T', int16(fields.length), ...parts)
}

/** @param {(string | Buffer | null)[]} cells */
const dataRow = (cells) => message('D', dataRowBody(cells))

/** @param {(string | Buffer | null)[]} cells */
const dataRowBody = (cells) => {
  const parts = [int16(cells.length)]
  for (const cell of cells) {
    if (cell === null) {
      parts.push(int32(-1))
    } else {
      const bytes = Buffer.from(cell)
      parts.push(int32(bytes.length), bytes)
    }
  }
  return Buffer.concat(parts)
}

/** @param {string} tag */
const commandComplete = (tag) => message('C', cstring(tag))

/** @param {Record<string, string | Buffer>} fields by the letter of the field */
const errorFields = (fields) =>
  Buffer.concat([
    ...Object.entries(fields).map(([letter, text]) => Buffer.concat([Buffer.from(letter), cstring(text)])),
    Buffer.from([0]),
  ])
const errorResponse = (/** @type {Record<string, string | Buffer>} */ fields) =>
  message('E', errorFields(fields))
const noticeResponse = (/** @type {Record<string, string | Buffer>} */ fields) =>
  message('N', errorFields(fields))

/** @param {number} processId @param {string} channel @param {string} payload */
const notificationResponse = (processId, channel, payload) =>
  message('A', int32(processId), cstring(channel), cstring(payload))

/** @param {string} type @param {number} format @param {number[]} columns */
const copyResponse = (type, format, columns) =>
  message(type, Buffer.from([format]), int16(columns.length), ...columns.map(int16))
const copyInResponse = (format = 0, columns = [0]) => copyResponse('G', format, columns)
const copyOutResponse = (format = 0, columns = [0]) => copyResponse('H', format, columns)
/** CopyBothResponse, which pg-protocol calls `replicationStart`. */
const copyBothResponse = (format = 0, columns = /** @type {number[]} */ ([])) =>
  copyResponse('W', format, columns)
const copyData = (/** @type {string | Buffer} */ chunk) => message('d', chunk)
const copyDone = () => message('c')

/** @param {Buffer | null} value */
const functionCallResponse = (value) =>
  value === null ? message('V', int32(-1)) : message('V', int32(value.length), value)

module.exports = {
  int16,
  int32,
  cstring,
  hex,
  message,
  header,
  authentication,
  authenticationOk,
  authenticationCleartextPassword,
  authenticationMD5Password,
  authenticationSASL,
  authenticationSASLContinue,
  authenticationSASLFinal,
  negotiateProtocolVersion,
  parameterStatus,
  backendKeyData,
  readyForQuery,
  parseComplete,
  bindComplete,
  closeComplete,
  noData,
  portalSuspended,
  emptyQuery,
  parameterDescription,
  rowDescription,
  dataRow,
  dataRowBody,
  commandComplete,
  errorResponse,
  noticeResponse,
  notificationResponse,
  copyInResponse,
  copyOutResponse,
  copyBothResponse,
  copyData,
  copyDone,
  functionCallResponse,
}
