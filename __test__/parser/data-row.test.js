'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const util = require('node:util')
const wire = require('../support/wire')
const { NativeParser, StockParser, stockMessages } = require('../support/compare')
const { messagesOf, guarded, inPieces } = require('../support/chunks')
const { createDataRowMessage } = require('../../lib/data-row')

// The row: raw until somebody asks, and to everybody who looks at it from outside the row of pg-protocol.

const DataRowMessage = createDataRowMessage(stockMessages.DataRowMessage)

const cells = ['1', null, '', 'é', '漢字', '😀', 'a text that is longer than sixteen characters']
const bytes = wire.dataRow(cells)
const native = () => messagesOf(new NativeParser(), [guarded(bytes)])[0]
const stock = () => messagesOf(new StockParser(), [Buffer.from(bytes)])[0]

test('fields is decoded once and is the same array from then on', () => {
  const row = native()
  const { fields } = row
  assert.ok(Array.isArray(fields))
  assert.deepEqual(fields, cells)
  assert.equal(row.fields, fields)
  row.text(0)
  assert.equal(row.detach().fields, fields)
})

test('a row that was frozen before it was read can be read', () => {
  assert.deepEqual(Object.freeze(native()).fields, cells)
})

test('rows of one run have arrays of their own', () => {
  const [first, second] = messagesOf(new NativeParser(), [Buffer.concat([bytes, bytes])])
  first.fields[0] = 'changed'
  assert.equal(second.fields[0], '1')
  assert.deepEqual(first.fields.slice(1), cells.slice(1))
})

test('name, length and fieldCount need no decoding', () => {
  const row = native()
  assert.equal(row.name, 'dataRow')
  assert.equal(row.length, bytes.length - 1)
  assert.equal(row.fieldCount, cells.length)
  assert.deepEqual(
    Object.keys(row)
      .filter((key) => key !== 'fields')
      .sort(),
    ['fieldCount', 'length', 'name']
  )
})

test('the own properties are those of pg-protocol', () => {
  const row = native()
  void row.fields
  assert.deepEqual(Object.keys(row).sort(), Object.keys(stock()).sort())
  const seen = []
  for (const key in row) seen.push(key)
  assert.deepEqual(seen.sort(), Object.keys(stock()).sort())
  assert.equal(Object.prototype.hasOwnProperty.call(row, 'fields'), true)
})

test('spread and Object.assign take fields along once it was read', () => {
  const row = native()
  void row.fields
  assert.deepEqual({ ...row }, { ...stock() })
  assert.deepEqual(Object.assign({}, row), { ...stock() })
})

test('fields may be set', () => {
  for (const read of [true, false]) {
    const row = native()
    if (read) void row.fields
    const mine = ['mine']
    row.fields = mine
    assert.equal(row.fields, mine)
    assert.equal(JSON.parse(JSON.stringify(row)).fields[0], 'mine')
  }
})

test('it is an instance of the class that the parser was made with', () => {
  const row = native()
  assert.ok(row instanceof stockMessages.DataRowMessage)
  assert.ok(!(stock() instanceof DataRowMessage))
  class Base {}
  const Other = createDataRowMessage(/** @type {any} */ (Base))
  assert.ok(new Other(4, []) instanceof Base)
})

test('console.log prints what it prints for the row of pg-protocol', () => {
  for (const options of [{}, { depth: 0 }, { colors: true }, { compact: false }, { breakLength: 40 }]) {
    assert.equal(util.inspect(native(), options), util.inspect(stock(), options))
    const read = native()
    void read.fields
    assert.equal(util.inspect(read, options), util.inspect(stock(), options))
    for (const wrap of [
      (/** @type {any} */ row) => [row],
      (/** @type {any} */ row) => ({ deep: { in: row } }),
    ]) {
      assert.equal(util.inspect(wrap(native()), options), util.inspect(wrap(stock()), options))
    }
  }
  assert.equal(util.format('%o %O %j %s', native(), native(), native(), 'x').includes('"dataRow"'), true)
  assert.equal(util.format('%O', native()), util.format('%O', stock()))
  assert.equal(util.format('%j', native()), util.format('%j', stock()))
})

test('a row that cannot be decoded can be printed all the same', () => {
  const wrong = wire.message('D', wire.int16(1), wire.int32(100), 'abc')
  const [row] = messagesOf(new NativeParser(), [guarded(wrong)])
  assert.match(util.inspect(row), /DataRowMessage/)
  assert.match(util.inspect([row]), /malformed DataRow/)
})

test('JSON.stringify writes what it writes for the row of pg-protocol', () => {
  for (const space of [undefined, 2]) {
    assert.equal(JSON.stringify(native(), null, space), JSON.stringify(stock(), null, space))
    assert.equal(
      JSON.stringify([{ row: native() }], null, space),
      JSON.stringify([{ row: stock() }], null, space)
    )
  }
})

test('structuredClone gives a plain row after fields was read, and never internals', () => {
  const row = native()
  void row.fields
  const clone = structuredClone(row)
  assert.deepEqual(clone, structuredClone(stock()))
  const unread = structuredClone(native())
  assert.deepEqual(
    Object.keys(unread).filter((key) => !['length', 'name', 'fieldCount', 'fields'].includes(key)),
    []
  )
})

test('a row that was read equals the row of pg-protocol, apart from the class', () => {
  const row = native()
  void row.fields
  // The loose comparison, which looks at own enumerable properties alone.
  require('node:assert').deepEqual(row, stock())
})

test('text gives one cell', () => {
  const row = native()
  cells.forEach((cell, i) => assert.equal(row.text(i), cell))
  for (let i = cells.length - 1; i >= 0; i--) assert.equal(row.text(i), cells[i])
  assert.equal(Object.keys(row).includes('fields'), false, 'fields was not decoded for it')
  assert.deepEqual(row.fields, cells)
  cells.forEach((cell, i) => assert.equal(row.text(i), cell))
})

test('text reads the bytes, not what was made of fields', () => {
  const row = native()
  row.fields[0] = 'changed'
  assert.equal(row.text(0), '1')
})

test('isNull tells NULL from empty', () => {
  const row = native()
  assert.deepEqual(
    cells.map((_, i) => row.isNull(i)),
    cells.map((cell) => cell === null)
  )
})

test('cell is a view of the bytes', () => {
  const row = native()
  cells.forEach((cell, i) => {
    const view = row.cell(i)
    if (cell === null) return assert.equal(view, null)
    assert.ok(Buffer.isBuffer(view))
    assert.equal(view.toString(), cell)
    assert.equal(view.length, Buffer.byteLength(cell))
    if (view.length > 0) assert.equal(view.buffer, row.bytes.buffer, 'no copy')
  })
})

test('bytes and offset say where the row is', () => {
  const stream = Buffer.concat([wire.bindComplete(), bytes, wire.readyForQuery()])
  const chunk = guarded(stream)
  const [, whole] = messagesOf(new NativeParser(), [chunk])
  assert.ok(Buffer.isBuffer(whole.bytes))
  assert.equal(whole.bytes.buffer, chunk.buffer, 'the chunk of the socket, not a copy')
  for (const size of [1, 7, 30, stream.length]) {
    const [, row] = messagesOf(new NativeParser(), inPieces(stream, size))
    assert.equal(row.bytes.readUInt16BE(row.offset), cells.length)
    const body = bytes.subarray(5)
    assert.deepEqual(row.bytes.subarray(row.offset, row.offset + body.length), body)
    const copy = new DataRowMessage(row.length, row.bytes, row.offset)
    assert.deepEqual(copy.fields, cells)
  }
})

test('an index that is none throws a RangeError that names the count', () => {
  for (const read of [true, false]) {
    const row = native()
    if (read) void row.fields
    for (const index of [
      -1,
      cells.length,
      cells.length + 1,
      65536,
      2 ** 31,
      2 ** 32,
      1.5,
      NaN,
      Infinity,
      '0',
      undefined,
      null,
    ]) {
      for (const method of ['text', 'cell', 'isNull']) {
        assert.throws(
          () => row[method](index),
          (error) => error instanceof RangeError && new RegExp(`\\b${cells.length}\\b`).test(error.message),
          `${method}(${String(index)})`
        )
      }
    }
  }
  const [empty] = messagesOf(new NativeParser(), [wire.dataRow([])])
  assert.throws(() => empty.text(0), { name: 'RangeError', message: /\b0\b/ })
})

test('the old constructor takes an array', () => {
  const fields = ['a', null, 'é']
  const row = new DataRowMessage(10, fields)
  const old = new stockMessages.DataRowMessage(10, /** @type {any} */ (fields))
  assert.equal(row.fields, fields)
  assert.deepEqual(Object.keys(row).sort(), Object.keys(old).sort())
  require('node:assert').deepEqual(row, old)
  assert.equal(JSON.stringify(row), JSON.stringify(old))
  assert.equal(util.inspect(row), util.inspect(old))
  assert.equal(row.fieldCount, 3)
  assert.equal(row.length, 10)
  assert.deepEqual([row.text(0), row.text(1), row.text(2)], fields)
  assert.deepEqual([row.isNull(0), row.isNull(1)], [false, true])
  assert.deepEqual(row.cell(2), Buffer.from('é'))
  assert.equal(row.cell(1), null)
  assert.throws(() => row.text(3), { name: 'RangeError', message: /\b3\b/ })
  assert.equal(row.detach(), row)
})

test('the new constructor takes bytes and the offset of the field count', () => {
  const body = bytes.subarray(5)
  for (const before of [0, 1, 100]) {
    const memory = guarded(Buffer.concat([Buffer.alloc(before, 0xff), body]))
    const row = new DataRowMessage(bytes.length - 1, memory, before)
    assert.equal(row.fieldCount, cells.length)
    assert.equal(row.length, bytes.length - 1)
    assert.equal(row.name, 'dataRow')
    assert.equal(row.offset, before)
    assert.equal(row.bytes, memory)
    assert.equal(row.text(4), '漢字')
    assert.deepEqual(row.fields, cells)
    assert.equal(JSON.stringify(row), JSON.stringify(stock()))
    assert.equal(util.inspect(row), util.inspect(stock()))
  }
})

test('a row made by hand reads no bytes after its length', () => {
  const body = Buffer.concat([wire.int16(1), wire.int32(10), Buffer.from('abc')])
  const memory = Buffer.concat([body, Buffer.from('bytes of somebody else')])
  const row = new DataRowMessage(body.length + 4, memory, 0)
  assert.throws(() => row.fields, { code: '08P01', message: /^malformed DataRow/ })
  assert.throws(() => row.text(0), { code: '08P01' })
  assert.throws(() => new DataRowMessage(body.length + 5, body, 0), RangeError)
  assert.throws(() => new DataRowMessage(body.length + 4, memory, memory.length - 3), RangeError)
})

test('detach copies the row out', () => {
  for (const before of [
    (/** @type {any} */ row) => row,
    (/** @type {any} */ row) => (row.text(6), row),
    (/** @type {any} */ row) => (row.fields, row),
  ]) {
    const chunk = guarded(Buffer.concat([wire.dataRow(['before']), bytes, wire.dataRow(['after'])]))
    const [, row] = messagesOf(new NativeParser(), [chunk])
    before(row)
    assert.equal(row.detach(), row)
    assert.notEqual(row.bytes.buffer, chunk.buffer)
    assert.ok(
      row.bytes.buffer.byteLength < bytes.length + 64,
      'its memory is its own, not a slice of a shared pool'
    )
    chunk.fill(0)
    assert.equal(row.text(5), '😀')
    assert.deepEqual(row.fields, cells)
    assert.equal(row.cell(6).toString(), cells[6])
    assert.equal(row.bytes.readUInt16BE(row.offset), cells.length)
    assert.equal(row.length, bytes.length - 1)
    assert.equal(row.detach(), row, 'twice is fine')
    assert.deepEqual(row.fields, cells)
  }
})

test('reading backwards or one column of many costs in proportion', () => {
  // Finding a cell from the row's start each time would make this columns squared: 10^9 steps for each row.
  const wide = Array.from({ length: 50_000 }, (_, i) => `c${i}`)
  const [row, other] = messagesOf(new NativeParser(), [
    Buffer.concat([wire.dataRow(wide), wire.dataRow(wide)]),
  ])
  const time = (/** @type {() => void} */ work) => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const backwards = time(() => {
    for (let i = wide.length - 1; i >= 0; i--) if (row.text(i) !== wide[i]) assert.fail(`column ${i}`)
  })
  assert.ok(backwards < 400, `${backwards} ms`)
  const twice = time(() => {
    for (let i = wide.length - 1; i >= 0; i--)
      if (other.isNull(i) || other.cell(i).length !== wide[i].length) assert.fail(`column ${i}`)
  })
  assert.ok(twice < 400, `${twice} ms`)
})

test('toJSON is not seen by those who list properties', () => {
  assert.equal(Object.keys(native()).includes('toJSON'), false)
  assert.deepEqual(native().toJSON(), { ...stock() })
  assert.deepEqual(Object.keys(native().toJSON()), Object.keys(stock()))
})
