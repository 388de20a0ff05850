'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const wire = require('../support/wire')
const { NativeParser, assertSameAsStock, assertSameOnce } = require('../support/compare')
const { messagesOf, guarded } = require('../support/chunks')

// Cells are exactly what `buffer.toString('utf8')` makes of their bytes: one U+FFFD per maximal subpart of a sequence
// that is not UTF-8, a byte order mark kept. Each sample is read alone, through `fields`, through `text(i)`, in a row
// of its own and between neighbours of each width, because those are different routes through the decoder.

/** @type {Record<string, string[]>} bytes as hex */
const samples = {
  'lone continuation bytes': ['80', 'bf', '8080', '80bf80bf', '6180', '806162'],
  'bytes that never occur': ['c0', 'c1', 'f5', 'f8', 'fb', 'fc', 'fd', 'fe', 'ff', 'fffe', 'feff'],
  'overlong forms': [
    'c080',
    'c1bf',
    'e08080',
    'e09fbf',
    'f0808080',
    'f08fbfbf',
    'f880808080',
    'fc8080808080',
    'c0af',
  ],
  surrogates: [
    'eda080',
    'edadbf',
    'edae80',
    'edb080',
    'edbfbf',
    'eda080edb080',
    'edafbfedbfbf',
    '61eda08062',
  ],
  'beyond U+10FFFF': ['f4908080', 'f490bfbf', 'f5808080', 'f7bfbfbf', 'f8888080', 'ffffffff'],
  'sequences cut at the end of the cell': [
    'c3',
    'e6',
    'e6bc',
    'f0',
    'f09f',
    'f09f98',
    '61c3',
    '61e6bc',
    '61f09f98',
    'edbf',
  ],
  'sequences cut by another character': [
    'c361',
    'e661',
    'e6bc61',
    'f061',
    'f09f61',
    'f09f9861',
    'e6bcc3a9',
    'f09f98f09f9880',
  ],
  'a byte order mark': ['efbbbf', 'efbbbf61', '61efbbbf', 'efbbbfefbbbf', 'efbb', 'efbbbe', 'fffe6100'],
  'the edges of each length': [
    '7f',
    'c280',
    'dfbf',
    'e0a080',
    'ed9fbf',
    'ee8080',
    'efbfbf',
    'f0908080',
    'f48fbfbf',
  ],
  'zero bytes': ['00', '6100', '006100', '0000'],
  'Latin-1 that was never UTF-8': ['636166e9', 'e9', 'fcfdfe', 'c4d6dc'],
}

const neighbours = [[], ['plain'], ['é'], ['漢字'], ['😀'], [null, '']]

for (const [kind, list] of Object.entries(samples)) {
  test(`${kind}: as buffer.toString('utf8')`, () => {
    for (const text of list) {
      for (const padding of ['', 'a'.repeat(13), 'a'.repeat(40), 'é'.repeat(20), '漢'.repeat(20)]) {
        for (const bytes of [
          Buffer.from(text, 'hex'),
          Buffer.concat([Buffer.from(padding), Buffer.from(text, 'hex')]),
          Buffer.concat([Buffer.from(text, 'hex'), Buffer.from(padding)]),
        ]) {
          assertEveryRoute(bytes)
        }
      }
    }
    assertSameAsStock(wire.dataRow(list.map((text) => Buffer.from(text, 'hex'))))
  })
}

test('a sequence that its neighbour would complete', () => {
  // The bytes of one character, cut between two cells: a decoder that reads the pool in one go would put it together.
  for (const character of ['é', '漢', '😀']) {
    const bytes = Buffer.from(character)
    for (let at = 1; at < bytes.length; at++) {
      const cells = [bytes.subarray(0, at), bytes.subarray(at), Buffer.from('x')]
      assertSameAsStock(Buffer.concat([wire.dataRow(cells), wire.dataRow(cells)]), { random: 5 })
      const split = [bytes.subarray(0, at)]
      assertSameOnce(Buffer.concat([wire.dataRow(split), wire.dataRow([bytes.subarray(at)])]))
    }
  }
})

test('every pair of bytes', () => {
  for (let first = 0; first < 256; first++) {
    const cells = Array.from({ length: 256 }, (_, second) => Buffer.from([first, second]))
    const [row] = messagesOf(new NativeParser(), [guarded(wire.dataRow(cells))])
    const texts = cells.map((_, i) => row.text(i))
    const expected = cells.map((cell) => cell.toString('utf8'))
    assert.deepEqual(row.fields, expected)
    assert.deepEqual(texts, expected)
  }
})

test('text of the other messages', () => {
  for (const text of Object.values(samples).flat()) {
    // A zero byte ends a C string; those samples are for cells.
    const bytes = Buffer.from(Buffer.from(text, 'hex').filter((byte) => byte !== 0))
    if (bytes.length === 0) continue
    const body = Buffer.concat([bytes, Buffer.from('a'.repeat(20))])
    assertSameOnce(
      Buffer.concat([
        wire.message('C', wire.cstring(body)),
        wire.message('S', wire.cstring(bytes), wire.cstring(body)),
        wire.message('A', wire.int32(1), wire.cstring(bytes), wire.cstring(body)),
        wire.rowDescription([{ name: bytes }, { name: body }]),
        wire.errorResponse({ M: bytes, D: body }),
        wire.noticeResponse({ M: body, D: bytes }),
        wire.authentication(10, Buffer.concat([wire.cstring(bytes), wire.cstring(body), Buffer.from([0])])),
        wire.authentication(11, bytes),
        wire.authentication(12, body),
      ])
    )
  }
})

test('arbitrary bytes', () => {
  const cell = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => new Uint8Array(Buffer.from(text))),
    // Mostly leading and continuation bytes: where the rule of the maximal subpart is decided.
    fc
      .array(
        fc.constantFrom(0x61, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc3, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5),
        { maxLength: 30 }
      )
      .map((bytes) => Uint8Array.from(bytes))
  )
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
      fc.nat(1000),
      (rows, pick) => {
        const stream = Buffer.concat(
          rows.map((cells) => wire.dataRow(cells.map((bytes) => Buffer.from(bytes))))
        )
        const messages = messagesOf(new NativeParser(), [guarded(stream)])
        const expected = rows.map((cells) => cells.map((bytes) => Buffer.from(bytes).toString('utf8')))
        const i = pick % rows.length
        if (rows[i].length > 0)
          assert.equal(messages[i].text(pick % rows[i].length), expected[i][pick % rows[i].length])
        assert.deepEqual(
          messages.map((message) => message.fields),
          expected
        )
      }
    ),
    { numRuns: 500 }
  )
})

/** @param {Buffer} bytes */
function assertEveryRoute(bytes) {
  const expected = bytes.toString('utf8')
  for (const before of neighbours) {
    for (const after of neighbours) {
      const row = wire.dataRow([...before, bytes, ...after])
      const [alone] = messagesOf(new NativeParser(), [guarded(row)])
      assert.equal(alone.text(before.length), expected)
      const [first, second] = messagesOf(new NativeParser(), [guarded(Buffer.concat([row, row]))])
      const all = [...before, expected, ...after]
      assert.deepEqual(first.fields, all)
      assert.deepEqual(second.fields, all)
    }
  }
}
