'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const { NativeParser, assertSameAsStock } = require('../support/compare')
const { messagesOf, guarded } = require('../support/chunks')

// Reports from the field about bytes that become strings.

// brianc/node-postgres#2732, #2475, #1033, #906, #523, #1338, #2215
test('F17: text that is not UTF-8 at all', () => {
  const latin1 = wire.hex('636166e9')
  const stream = Buffer.concat([
    wire.dataRow([latin1]),
    wire.dataRow(['ascii', latin1, 'é', '漢'.repeat(20)]),
    wire.readyForQuery(),
  ])
  assertSameAsStock(stream)
  const [row] = messagesOf(new NativeParser(), [guarded(stream)])
  assert.equal(row.text(0), 'caf\ufffd')
  assert.deepEqual(row.fields, ['caf\ufffd'])
  // What people want back is there without any option: the bytes.
  assert.equal(row.cell(0).toString('latin1'), 'café')
})

test('F17: every byte of a one-byte encoding', () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  const cells = [all, all.subarray(128), ...Array.from(all, (byte) => Buffer.from([byte]))]
  const stream = Buffer.concat([wire.dataRow(cells), wire.dataRow(cells)])
  const [byFields, byText] = messagesOf(new NativeParser(), [guarded(stream)])
  const expected = cells.map((cell) => cell.toString('utf8'))
  assert.deepEqual(byFields.fields, expected)
  cells.forEach((cell, i) => {
    assert.equal(byText.text(i), expected[i])
    assert.equal(byText.cell(i).toString('latin1'), cell.toString('latin1'))
  })
})

test('F17: the other messages of such a server', () => {
  const latin1 = wire.hex('fc6265726672616774')
  assertSameAsStock(
    Buffer.concat([
      wire.rowDescription([{ name: latin1 }]),
      wire.errorResponse({ S: 'FEHLER', M: latin1, C: '42703' }),
      wire.noticeResponse({ M: latin1 }),
      wire.message('S', wire.cstring(latin1), wire.cstring(latin1)),
      wire.message('A', wire.int32(1), wire.cstring(latin1), wire.cstring(latin1)),
      wire.message('C', wire.cstring(latin1)),
    ])
  )
})
