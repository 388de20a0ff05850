'use strict'

/**
 * Rows of a query or cursor with `rowMode: 'columns'`, on their way to a builder.
 *
 * Runs of rows come from the parser at once. Where somebody listens to a connection's messages each row is a message
 * before; it ends in the same builder. Whether a result is taken as columns is decided when it is described: in every case
 * in which rows are not pg's own to make, or somebody listens to them, it is not, and pg makes rows as ever.
 */

const { DATA_ROW, KIND_TEXT, KIND_RAW } = require('../layout')
const { encodingOf } = require('../data-row')
const { ColumnsBuilder } = require('./builder')
const { ColumnBatch, byName } = require('./batch')

/** On a query or a cursor, and on the stream around it: its {@link Taker}. */
const TAKER = Symbol('pg-protocol-native.columns')

/** @typedef {import('../accelerator').AcceleratorOfCopy} Accelerator */

/** @type {Map<unknown, { inMicros: boolean }>} */
const ROW_MODES = new Map([
  ['columns', { inMicros: false }],
  ['columns-micros', { inMicros: true }],
])

/** Takes the rows of one result, or of one cursor. */
class Taker {
  /**
   * @param {any} result
   * @param {Accelerator} accelerator
   * @param {boolean} inMicros
   */
  constructor(result, accelerator, inMicros) {
    this.result = result
    this.accelerator = accelerator
    this.inMicros = inMicros
    /** @type {import('./builder').Builder | null} */
    this.builder = null
    /** @type {any} which columns are texts, where those are to be rewritten */
    this.texts = undefined
    /** @type {{ error: unknown } | null} what went wrong: no columns will be handed out */
    this.failed = null
  }

  /**
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} count
   * @param {import('../encoding').Encoding | null} encoding of the texts, if that is not UTF-8
   * @throws {unknown} what is wrong with a row, or what a parser threw
   */
  append(bytes, body, count, encoding) {
    if (this.failed !== null) return
    const { result, accelerator } = this
    try {
      this.builder ??= new ColumnsBuilder(result.fields, result._parsers, accelerator.types, this.inMicros)
      if (encoding === null) this.builder.append(bytes, body, count)
      else this.appendRewritten(this.builder, bytes, body, count, encoding)
      accelerator.stats.rows += count
    } catch (error) {
      this.failed = { error }
      this.release()
      throw error
    }
  }

  /**
   * @param {import('./builder').Builder} builder
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} count
   * @param {import('../encoding').Encoding} encoding
   */
  appendRewritten(builder, bytes, body, count, encoding) {
    this.texts ??= { columns: this.result.fields.map(textOrBytes) }
    while (count > 0) {
      const text = encoding.rewrite(bytes, body, count, this.texts)
      if (text.rows === 0) {
        const sentence = 'malformed DataRow message, or one that is too long in UTF-8'
        throw Object.assign(new Error(sentence), { code: '08P01' })
      }
      builder.append(text.bytes, text.body, text.rows)
      count -= text.rows
      // The length before a body counts itself; behind the body stands the next message's header of 5 bytes.
      for (let row = text.rows; row > 0; row--) body += bytes.readInt32BE(body - 4) + 1
    }
  }

  /** @param {any} message a DataRow */
  appendMessage(message) {
    this.append(frameOf(message), 5, 1, encodingOf(message))
  }

  /** The columns of the rows that have come since the last time. */
  finish() {
    const { result, accelerator } = this
    const builder =
      this.builder ?? new ColumnsBuilder(result.fields, result._parsers, accelerator.types, this.inMicros)
    this.builder = null
    return new ColumnBatch(builder.finish(), builder.rows)
  }

  release() {
    this.builder?.release()
    this.builder = null
  }
}

/** Types whose binary format is their text. */
const TEXT_TYPES = new Set([18, 19, 25, 114, 142, 194, 705, 1042, 1043])

/**
 * What text of another encoding is rewritten in: all but values in a binary format of their own.
 *
 * @param {{ format: string, dataTypeID: number }} field
 */
function textOrBytes({ format, dataTypeID }) {
  return { kind: format !== 'binary' || TEXT_TYPES.has(dataTypeID) ? KIND_TEXT : KIND_RAW }
}

/**
 * The bytes of a row that is a message: its own, or those that its texts would have had.
 *
 * @param {any} message
 * @returns {Buffer}
 */
function frameOf({ bytes, offset, length, fields }) {
  if (Buffer.isBuffer(bytes)) {
    const frame = Buffer.alloc(length + 1)
    frame[0] = DATA_ROW
    frame.writeInt32BE(length, 1)
    bytes.copy(frame, 5, offset, offset + length - 4)
    return frame
  }
  const cells = /** @type {(string | null)[]} */ (fields).map((text) =>
    text === null ? null : Buffer.from(text)
  )
  const size = cells.reduce((sum, cell) => sum + 4 + (cell?.length ?? 0), 7)
  const frame = Buffer.alloc(size)
  frame[0] = DATA_ROW
  frame.writeInt32BE(size - 1, 1)
  frame.writeUInt16BE(cells.length, 5)
  let at = 7
  for (const cell of cells) {
    at = frame.writeInt32BE(cell === null ? -1 : cell.length, at)
    if (cell !== null) at += cell.copy(frame, at)
  }
  return frame
}

/**
 * @param {any} query
 * @returns {InstanceType<typeof Taker> | undefined}
 */
function takerOf(query) {
  return query[TAKER]
}

/**
 * Offers rows of a query to its taker. They count as taken, whatever becomes of them.
 *
 * @param {any} query
 * @param {InstanceType<typeof Taker>} taker
 * @param {{ taken: number, described: any }} rows
 * @param {Buffer} bytes
 * @param {number} body
 * @param {number} count
 * @param {import('../encoding').Encoding | null} encoding of the texts, if that is not UTF-8
 */
function takeRows(query, taker, rows, bytes, body, count, encoding) {
  // Rows of another description than the result's: as messages they go where pg takes them.
  if (taker.result.fields !== rows.described) return
  rows.taken = count
  if (query._canceledDueToError) return
  try {
    taker.append(bytes, body, count, encoding)
  } catch (err) {
    // Of a cursor it goes where stock's goes.
    if (query._canceledDueToError === undefined) throw err
    query._canceledDueToError = err
  }
}

/**
 * `Query.prototype.handleRowDescription` and `handleCommandComplete` of a copy of pg, which begin and end a result.
 *
 * @param {any} prototype
 * @param {Accelerator} accelerator
 * @param {(object: any, name: string, wrap: (stock: Function) => Function) => () => void} replace
 * @param {(handleDataRow: Function) => string} handlerKind
 * @returns {() => void} undoes it
 */
function changeQuery(prototype, accelerator, replace, handlerKind) {
  const undoDescription = replace(prototype, 'handleRowDescription', (stock) => {
    /** @this {any} */
    return function handleRowDescription() {
      end(this)
      stock.apply(this, arguments)
      const asked = ROW_MODES.get(this._rowMode)
      if (asked !== undefined && isOurs(this, prototype, accelerator, handlerKind)) {
        begin(this, new Taker(this._result, accelerator, asked.inMicros))
      }
    }
  })
  const undoCompletion = replace(prototype, 'handleCommandComplete', (stock) => {
    /** @this {any} */
    return function handleCommandComplete() {
      const taker = takerOf(this)
      if (taker !== undefined) complete(this, taker)
      stock.apply(this, arguments)
      const { _result: result } = this
      const isWithoutRows = result._parsers === undefined && result.fields.length === 0
      if (accelerator.active && ROW_MODES.has(this._rowMode) && isWithoutRows) give(result, [])
    }
  })
  return () => {
    undoDescription()
    undoCompletion()
  }
}

/**
 * Whether the rows of a query that was just described are pg's own to make, and nobody wants to see one by one.
 *
 * @param {any} query
 * @param {any} prototype
 * @param {Accelerator} accelerator
 * @param {(handleDataRow: Function) => string} handlerKind
 */
function isOurs(query, prototype, accelerator, handlerKind) {
  const { _result: result } = query
  return (
    accelerator.active &&
    query._accumulateRows &&
    query.listenerCount('row') === 0 &&
    query.handleCommandComplete === prototype.handleCommandComplete &&
    handlerKind(query.handleDataRow) === 'query' &&
    result.addRow === accelerator.addRow &&
    isPlainResult(result, accelerator)
  )
}

/**
 * @param {any} result
 * @param {Accelerator} accelerator
 */
function isPlainResult(result, accelerator) {
  const parsers = result._parsers ?? []
  return (
    accelerator.isStockResult(result) &&
    result.fields.every((/** @type {any} */ _, /** @type {number} */ i) => typeof parsers[i] === 'function')
  )
}

/**
 * @param {any} query pg's own
 * @param {InstanceType<typeof Taker>} taker
 */
function begin(query, taker) {
  own(query, TAKER, taker)
  own(query, 'handleDataRow', (/** @type {any} */ message) => {
    if (query._canceledDueToError) return
    try {
      taker.appendMessage(message)
    } catch (err) {
      query._canceledDueToError = err
    }
  })
  const { handleError } = query
  own(query, 'handleError', function (/** @type {any[]} */ ...args) {
    taker.release()
    end(query)
    return handleError.apply(query, args)
  })
}

/** @param {any} query */
function end(query) {
  if (!Object.hasOwn(query, TAKER)) return
  delete query[TAKER]
  delete query.handleDataRow
  delete query.handleError
}

/**
 * All rows of the result have come.
 *
 * @param {any} query
 * @param {InstanceType<typeof Taker>} taker
 */
function complete(query, taker) {
  end(query)
  if (taker.failed !== null) return
  try {
    give(taker.result, taker.finish().columnList)
  } catch (err) {
    query._canceledDueToError = err
  }
}

/**
 * @param {any} result
 * @param {import('./batch').AnyColumn[]} columnList
 */
function give(result, columnList) {
  result.columns = byName(columnList)
  result.columnList = columnList
}

/**
 * Changes a cursor, or the stream around one, that asks for columns and is about to be described.
 *
 * @param {any} query what the client runs
 * @param {Accelerator} accelerator
 * @param {(handleDataRow: Function) => string} handlerKind
 */
function changeCursor(query, accelerator, handlerKind) {
  // pg's own queries have no such thing, which is seen at once.
  if (query._conf === undefined && query.cursor === undefined) return
  if (!accelerator.active || takerOf(query) !== undefined) return
  const cursor = typeof query.cursor?.handleDataRow === 'function' ? query.cursor : query
  const asked = ROW_MODES.get(cursor._conf?.rowMode)
  if (asked === undefined || handlerKind(cursor.handleDataRow) !== 'cursor') return
  if (cursor.listenerCount('row') > 0 || !accelerator.isStockResult(cursor._result)) return
  const taker = new Taker(cursor._result, accelerator, asked.inMicros)
  for (const target of new Set([query, cursor])) {
    const { handleError } = target
    own(target, TAKER, taker)
    own(target, 'handleDataRow', (/** @type {any} */ message) => taker.appendMessage(message))
    own(target, 'handleError', function (/** @type {any[]} */ ...args) {
      taker.release()
      return handleError.apply(target, args)
    })
  }
  const { _sendRows: sendRows } = cursor
  own(cursor, '_sendRows', () => {
    sendBatch(cursor, taker)
    sendRows.call(cursor)
  })
  if (query !== cursor) oneBatchAtATime(query)
}

/**
 * Puts the batch where the cursor has its rows.
 *
 * @param {any} cursor
 * @param {InstanceType<typeof Taker>} taker
 */
function sendBatch(cursor, taker) {
  const callback = cursor._cb
  if (!callback) return taker.release()
  const { failed } = taker
  if (failed !== null) {
    cursor._cb = () => callback(failed.error)
    return
  }
  let batch
  try {
    batch = taker.finish()
  } catch (err) {
    cursor._cb = () => callback(err)
    return
  }
  const { columnList } = batch
  cursor._rows = batch
  cursor._cb = (/** @type {any} */ err, /** @type {any} */ rows, /** @type {any} */ result) => {
    result.rows = []
    give(result, columnList)
    callback(err, rows, result)
  }
}

/**
 * A stream reads ahead until it has so many objects as it would have rows in a batch: of batches one is enough.
 *
 * @param {any} stream
 */
function oneBatchAtATime(stream) {
  const size = stream.readableHighWaterMark
  const { _read: read } = stream
  if (stream._readableState) stream._readableState.highWaterMark = 1
  own(stream, '_read', () => read.call(stream, size))
}

/**
 * Sets a property of which nobody needs to know.
 *
 * @param {any} object
 * @param {PropertyKey} name
 * @param {unknown} value
 */
function own(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false })
}

module.exports = { takerOf, takeRows, changeQuery, changeCursor }
