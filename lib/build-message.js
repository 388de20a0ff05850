'use strict'

/**
 * An entry of the message index to a message object: every message but DataRow, field by field the same as
 * pg-protocol's `parser.js` makes it. What the words of an entry mean stands in `src/message.rs`.
 */

const { readText } = require('./text')
const { NegotiateProtocolVersionMessage, FunctionCallResponseMessage } = require('./new-messages')
const { Descriptions } = require('./descriptions')
const L = require('./layout')

/** SQLSTATE protocol_violation. */
const PROTOCOL_VIOLATION = '08P01'

/** @typedef {(bytes: Buffer, start: number, end: number) => string} Read gives the text of some bytes */

/**
 * @param {any} messages the classes and constants to make messages with, as pg-protocol's `messages` exports them
 * @param {Read} [read] where text is not UTF-8
 * @returns {(tag: number, words: Int32Array, detail: number, bytes: Buffer, body: number, length: number) => any}
 */
function createBuilder(messages, read = readText) {
  const {
    DatabaseError,
    NoticeMessage,
    Field,
    RowDescriptionMessage,
    ParameterDescriptionMessage,
    ParameterStatusMessage,
    AuthenticationMD5Password,
    BackendKeyDataMessage,
    NotificationResponseMessage,
    ReadyForQueryMessage,
    CommandCompleteMessage,
    CopyDataMessage,
    CopyResponse,
  } = messages

  const descriptions = new Descriptions()

  return function build(tag, words, detail, bytes, body, length) {
    switch (tag) {
      case L.BIND_COMPLETE:
        return shared(messages.bindComplete, length)
      case L.PARSE_COMPLETE:
        return shared(messages.parseComplete, length)
      case L.CLOSE_COMPLETE:
        return shared(messages.closeComplete, length)
      case L.NO_DATA:
        return shared(messages.noData, length)
      case L.PORTAL_SUSPENDED:
        return shared(messages.portalSuspended, length)
      case L.COPY_DONE:
        return shared(messages.copyDone, length)
      case L.COPY_BOTH_RESPONSE:
        return shared(messages.replicationStart, length)
      case L.EMPTY_QUERY_RESPONSE:
        return shared(messages.emptyQuery, length)
      case L.COMMAND_COMPLETE:
        return new CommandCompleteMessage(length, readText(bytes, body, detail))
      case L.READY_FOR_QUERY:
        return new ReadyForQueryMessage(length, readText(bytes, body, body + 1))
      case L.ROW_DESCRIPTION:
        return rowDescription(words, detail, bytes, body, length)
      case L.PARAMETER_STATUS:
        return new ParameterStatusMessage(
          length,
          text(words, detail, bytes, read),
          text(words, detail + 2, bytes, read)
        )
      case L.PARAMETER_DESCRIPTION:
        return parameterDescription(words, detail, length)
      case L.NOTIFICATION_RESPONSE:
        return new NotificationResponseMessage(
          length,
          words[detail],
          text(words, detail + 1, bytes, read),
          text(words, detail + 3, bytes, read)
        )
      case L.BACKEND_KEY_DATA:
        return backendKeyData(words, detail, bytes, body, length)
      case L.AUTHENTICATION:
        return authentication(words, detail, bytes, body, length)
      case L.ERROR_RESPONSE: {
        const message = optionalText(words, detail, bytes, read)
        return errorFields(new DatabaseError(message, length, 'error'), words, detail, bytes, read)
      }
      case L.NOTICE_RESPONSE:
        return errorFields(
          new NoticeMessage(length, optionalText(words, detail, bytes, read)),
          words,
          detail,
          bytes,
          read
        )
      case L.COPY_IN_RESPONSE:
        return copyResponse('copyInResponse', words, detail, length)
      case L.COPY_OUT_RESPONSE:
        return copyResponse('copyOutResponse', words, detail, length)
      case L.COPY_DATA:
        return new CopyDataMessage(length, bytes.subarray(body, body + length - 4))
      case L.NEGOTIATE_PROTOCOL_VERSION:
        return new NegotiateProtocolVersionMessage(
          length,
          words[detail],
          texts(words, detail + 1, bytes, read)
        )
      case L.FUNCTION_CALL_RESPONSE:
        return new FunctionCallResponseMessage(
          length,
          detail < 0 ? null : bytes.subarray(body + 4, body + 4 + detail)
        )
      default:
        return new DatabaseError('received invalid response: ' + tag.toString(16), length, 'error')
    }
  }

  /**
   * @param {Int32Array} words
   * @param {number} detail
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} length
   */
  function rowDescription(words, detail, bytes, body, length) {
    const count = words[detail]
    const hash = words[detail + 1]
    const message = new RowDescriptionMessage(length, count)
    const { fields } = message
    const seen = descriptions.find(hash, bytes, body, length)
    if (seen !== null) {
      // The names exist already. The fields are made anew: they belong to the application.
      const { values } = seen
      for (let i = 0; i < count; i++) {
        const { name, tableID, columnID, dataTypeID, dataTypeSize, dataTypeModifier, format } = values[i]
        fields[i] = new Field(name, tableID, columnID, dataTypeID, dataTypeSize, dataTypeModifier, format)
      }
      seen.mark(fields)
      return message
    }
    for (let i = 0, at = detail + 2; i < count; i++, at += L.FIELD_WORDS) {
      fields[i] = new Field(
        read(bytes, words[at], words[at + 1]),
        words[at + 2] >>> 0,
        words[at + 3],
        words[at + 4] >>> 0,
        words[at + 5],
        words[at + 6],
        words[at + 7] === 0 ? 'text' : 'binary'
      )
    }
    descriptions.add(hash, bytes, body, length, fields)
    return message
  }

  /**
   * @param {Int32Array} words
   * @param {number} detail
   * @param {number} length
   */
  function parameterDescription(words, detail, length) {
    const count = words[detail]
    const message = new ParameterDescriptionMessage(length, count)
    for (let i = 0; i < count; i++) message.dataTypeIDs[i] = words[detail + 1 + i] >>> 0
    return message
  }

  /**
   * @param {string} name
   * @param {Int32Array} words
   * @param {number} detail
   * @param {number} length
   */
  function copyResponse(name, words, detail, length) {
    const count = words[detail + 1]
    const message = new CopyResponse(length, name, words[detail] !== 0, count)
    for (let i = 0; i < count; i++) message.columnTypes[i] = words[detail + 2 + i]
    return message
  }

  /**
   * @param {Int32Array} words
   * @param {number} detail
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} length
   */
  function backendKeyData(words, detail, bytes, body, length) {
    const message = new BackendKeyDataMessage(length, words[detail], words[detail + 1])
    // Four bytes up to protocol 3.0, 32 or more since 3.2. `secretKey` cannot hold those.
    if (length !== 12) message.secretKeyBytes = bytes.subarray(body + 4, body + length - 4)
    return message
  }

  /**
   * @param {Int32Array} words
   * @param {number} detail
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} length
   */
  function authentication(words, detail, bytes, body, length) {
    const code = words[detail]
    /** @type {{ name: string, length: number, mechanisms?: string[], data?: string }} */
    const message = { name: 'authenticationOk', length }
    switch (code) {
      case 0:
        break
      case 3:
        if (length === 8) message.name = 'authenticationCleartextPassword'
        break
      case 5:
        if (length === 12) return new AuthenticationMD5Password(length, bytes.subarray(body + 4, body + 8))
        break
      case 10:
        message.name = 'authenticationSASL'
        message.mechanisms = texts(words, detail + 1, bytes, read)
        break
      case 11:
        message.name = 'authenticationSASLContinue'
        message.data = readText(bytes, body + 4, body + length - 4)
        break
      case 12:
        message.name = 'authenticationSASLFinal'
        message.data = readText(bytes, body + 4, body + length - 4)
        break
      default:
        throw new Error('Unknown authenticationOk message type ' + code)
    }
    return message
  }
}

/**
 * pg-protocol has one object for all messages of such a kind, and sets its length each time.
 *
 * @template {{ length: number }} T
 * @param {T} message
 * @param {number} length
 */
function shared(message, length) {
  message.length = length
  return message
}

/**
 * The text whose two offsets stand at `at`.
 *
 * @param {Int32Array} words
 * @param {number} at
 * @param {Buffer} bytes
 * @param {Read} read
 */
function text(words, at, bytes, read) {
  return read(bytes, words[at], words[at + 1])
}

/**
 * The text of an error's field; undefined where there is none.
 *
 * @param {Int32Array} words
 * @param {number} at
 * @param {Buffer} bytes
 * @param {Read} read
 */
function optionalText(words, at, bytes, read) {
  return words[at] < 0 ? undefined : text(words, at, bytes, read)
}

/**
 * A count and as many texts.
 *
 * @param {Int32Array} words
 * @param {number} at
 * @param {Buffer} bytes
 * @param {Read} read
 */
function texts(words, at, bytes, read) {
  const found = []
  for (let i = 0; i < words[at]; i++) found.push(text(words, at + 1 + 2 * i, bytes, read))
  return found
}

/**
 * In the order of `ERROR_FIELDS` in `src/message.rs`, which is that of pg-protocol's `parseErrorMessage`.
 *
 * @param {any} message
 * @param {Int32Array} words
 * @param {number} detail
 * @param {Buffer} bytes
 * @param {Read} read
 */
function errorFields(message, words, detail, bytes, read) {
  message.severity = optionalText(words, detail + 2, bytes, read)
  message.code = optionalText(words, detail + 4, bytes, read)
  message.detail = optionalText(words, detail + 6, bytes, read)
  message.hint = optionalText(words, detail + 8, bytes, read)
  message.position = optionalText(words, detail + 10, bytes, read)
  message.internalPosition = optionalText(words, detail + 12, bytes, read)
  message.internalQuery = optionalText(words, detail + 14, bytes, read)
  message.where = optionalText(words, detail + 16, bytes, read)
  message.schema = optionalText(words, detail + 18, bytes, read)
  message.table = optionalText(words, detail + 20, bytes, read)
  message.column = optionalText(words, detail + 22, bytes, read)
  message.dataType = optionalText(words, detail + 24, bytes, read)
  message.constraint = optionalText(words, detail + 26, bytes, read)
  message.file = optionalText(words, detail + 28, bytes, read)
  message.line = optionalText(words, detail + 30, bytes, read)
  message.routine = optionalText(words, detail + 32, bytes, read)
  return message
}

/**
 * The message in place of one that is not what the protocol demands.
 *
 * @param {any} DatabaseError
 * @param {string} sentence what is wrong and where
 * @param {number} length
 * @param {boolean} lost whether the stream is lost with it
 */
function protocolViolation(DatabaseError, sentence, length, lost) {
  const message = new DatabaseError(sentence, length, 'error')
  message.severity = lost ? 'FATAL' : 'ERROR'
  message.code = PROTOCOL_VIOLATION
  return message
}

module.exports = { createBuilder, protocolViolation }
