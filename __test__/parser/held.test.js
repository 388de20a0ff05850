'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const wire = require('../support/wire')
const {
  NativeParser,
  StockParser,
  assertSameMessages,
  nativeCollect,
  stockCollect,
} = require('../support/compare')
const { collect, messagesOf, guarded, inPieces, cutAt } = require('../support/chunks')

// Bytes that were handed out are never rewritten: a message that is kept until the stream is over reads the same as one
// that is read at once, whatever was read, decoded or thrown away in between.

/**
 * Rows with text of every width, so that each decoding route is used; every text names its row and column.
 * @param {number} count @param {number} columns
 */
const table = (count, columns) =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: columns }, (_, j) => {
      const at = `${i}/${j}`
      switch ((i + j * 5) % 8) {
        case 0:
          return null
        case 1:
          return ''
        case 2:
          return `é ${at}`
        case 3:
          return `漢字 ${at}`
        case 4:
          return `😀 ${at} `.repeat(4)
        case 5:
          return `a long ASCII text ${at} `.repeat(5)
        default:
          return at
      }
    })
  )

const rows = table(2000, 6)
const stream = Buffer.concat([
  wire.rowDescription(['a', 'b', 'c', 'd', 'e', 'f']),
  ...rows.map((cells) => wire.dataRow(cells)),
  wire.commandComplete('SELECT 2000'),
])

const rowsOf = (/** @type {any[]} */ messages) => messages.filter(({ name }) => name === 'dataRow')

/** A repeatable shuffle. @param {number} length @param {number} seed */
const shuffled = (length, seed) => {
  const order = Array.from({ length }, (_, i) => i)
  let state = seed
  for (let i = length - 1; i > 0; i--) {
    state = (state * 1103515245 + 12345) % 2147483648
    const j = state % (i + 1)
    const other = order[j]
    order[j] = order[i]
    order[i] = other
  }
  return order
}

for (const size of [64 * 1024, 8192, 1000, 77]) {
  test(`rows kept until the end, read in any order, from chunks of ${size} bytes`, () => {
    const forward = rows.map((_, i) => i)
    for (const order of [forward, forward.toReversed(), shuffled(rows.length, 1), shuffled(rows.length, 2)]) {
      const kept = rowsOf(messagesOf(new NativeParser(), inPieces(stream, size)))
      assert.equal(kept.length, rows.length)
      for (const i of order) assert.deepEqual(kept[i].fields, rows[i], `row ${i}`)
      for (const i of order) assert.deepEqual(kept[i].fields, rows[i], `row ${i} again`)
    }
  })

  test(`only some rows are read, from chunks of ${size} bytes`, () => {
    const last = rows.length - 1
    /** @type {Record<string, (i: number) => boolean>} */
    const choices = {
      'every second': (i) => i % 2 === 0,
      'every third': (i) => i % 3 === 2,
      'every 100th': (i) => i % 100 === 50,
      'only the first': (i) => i === 0,
      'only the last': (i) => i === last,
      'the first and the last': (i) => i === 0 || i === last,
      'all but one': (i) => i !== 1000,
      'runs of 10 and gaps of 10': (i) => i % 20 < 10,
    }
    for (const [name, chosen] of Object.entries(choices)) {
      const kept = rowsOf(messagesOf(new NativeParser(), inPieces(stream, size)))
      const inside = new NativeParser()
      let at = -1
      for (const chunk of inPieces(stream, size)) {
        inside.parse(chunk, (message) => {
          if (message.name !== 'dataRow') return
          at += 1
          if (chosen(at)) assert.deepEqual(message.fields, rows[at], `${name}, row ${at}, in the callback`)
        })
      }
      kept.forEach((row, i) => {
        if (chosen(i)) assert.deepEqual(row.fields, rows[i], `${name}, row ${i}`)
      })
    }
  })
}

test('some rows read in the callback, the others after the stream', () => {
  for (const chosen of [
    (/** @type {number} */ i) => i % 2 === 0,
    (/** @type {number} */ i) => i % 5 !== 0,
    () => false,
  ]) {
    const parser = new NativeParser()
    const kept = /** @type {any[]} */ ([])
    for (const chunk of inPieces(stream, 4096)) {
      parser.parse(chunk, (message) => {
        if (message.name !== 'dataRow') return
        if (chosen(kept.length)) assert.deepEqual(message.fields, rows[kept.length])
        kept.push(message)
      })
    }
    kept.forEach((row, i) => assert.deepEqual(row.fields, rows[i], `row ${i}`))
  }
})

test('an earlier row is read while a later one is delivered', () => {
  const parser = new NativeParser()
  const kept = /** @type {any[]} */ ([])
  const order = shuffled(rows.length, 3)
  for (const chunk of inPieces(stream, 65536)) {
    parser.parse(chunk, (message) => {
      if (message.name !== 'dataRow') return
      kept.push(message)
      const i = order[kept.length - 1] % kept.length
      assert.deepEqual(kept[i].fields, rows[i], `row ${i} while row ${kept.length - 1} is delivered`)
    })
  }
  kept.forEach((row, i) => assert.deepEqual(row.fields, rows[i], `row ${i}`))
})

const others = table(2000, 3).map((cells) =>
  cells.map((text) => text && text.toUpperCase().replaceAll('/', '+'))
)
const otherStream = Buffer.concat(others.map((cells) => wire.dataRow(cells)))

test('two parsers are read in turn', () => {
  const a = new NativeParser()
  const b = new NativeParser()
  const fromA = /** @type {any[]} */ ([])
  const fromB = /** @type {any[]} */ ([])
  const chunksOfA = inPieces(stream, 3000)
  const chunksOfB = inPieces(otherStream, 2000)
  for (let i = 0; i < Math.max(chunksOfA.length, chunksOfB.length); i++) {
    if (chunksOfA[i]) a.parse(chunksOfA[i], (message) => message.name === 'dataRow' && fromA.push(message))
    if (fromA.length > 0) {
      const last = fromA.length - 1
      assert.deepEqual(fromA[last].fields, rows[last])
    }
    if (chunksOfB[i]) b.parse(chunksOfB[i], (message) => fromB.push(message))
    if (fromB.length > 0) {
      const last = fromB.length - 1
      assert.deepEqual(fromB[last].fields, others[last])
    }
  }
  for (let i = 0; i < rows.length; i++) {
    assert.deepEqual(fromB[i].fields, others[i])
    assert.deepEqual(fromA[i].fields, rows[i])
  }
})

test('a parser works inside the callback of another', () => {
  const outer = rowsOf(messagesOf(new NativeParser(), [stream]))
  const parser = new NativeParser()
  let at = 0
  parser.parse(stream, (message) => {
    if (message.name !== 'dataRow') return
    if (at % 100 === 0) {
      const inner = rowsOf(messagesOf(new NativeParser(), [otherStream]))
      inner.forEach((row, i) => assert.deepEqual(row.fields, others[i]))
    }
    assert.deepEqual(message.fields, rows[at])
    at += 1
  })
  outer.forEach((row, i) => assert.deepEqual(row.fields, rows[i]))
})

test('fields, text, cell and isNull mixed at will', () => {
  const kept = rowsOf(messagesOf(new NativeParser(), inPieces(stream, 4096)))
  kept.forEach((row, i) => {
    for (let step = 0; step < 8; step++) {
      const column = (i * 5 + step * 7) % 6
      const expected = rows[i][column]
      switch ((i * 3 + step) % 4) {
        case 0:
          assert.equal(row.text(column), expected)
          break
        case 1:
          assert.equal(row.fields[column], expected)
          break
        case 2:
          assert.deepEqual(row.cell(column), expected === null ? null : Buffer.from(expected))
          break
        default:
          assert.equal(row.isNull(column), expected === null)
      }
    }
    if (i % 3 === 0) assert.deepEqual(row.fields, rows[i])
  })
})

test('a detached row does not care what becomes of its chunk', () => {
  const chunks = inPieces(stream, 4096)
  const kept = rowsOf(messagesOf(new NativeParser(), chunks))
  kept.forEach((row, i) => {
    if (i % 4 === 1) assert.equal(row.text(5), rows[i][5])
    if (i % 4 === 2) assert.deepEqual(row.fields, rows[i])
    assert.equal(row.detach(), row)
  })
  for (const chunk of chunks) new Uint8Array(chunk.buffer).fill(0x41)
  kept.forEach((row, i) => {
    assert.deepEqual(row.fields, rows[i], `row ${i}`)
    assert.equal(row.text(4), rows[i][4])
    assert.deepEqual(row.cell(2), rows[i][2] === null ? null : Buffer.from(rows[i][2]))
  })
})

test('a row detached in the callback while its run is being read', () => {
  const chunks = inPieces(stream, 4096)
  const parser = new NativeParser()
  const kept = /** @type {any[]} */ ([])
  for (const chunk of chunks) {
    parser.parse(chunk, (message) => {
      if (message.name !== 'dataRow') return
      if (kept.length % 7 === 0) assert.deepEqual(message.fields, rows[kept.length])
      kept.push(message.detach())
    })
    chunk.fill(0x41)
  }
  kept.forEach((row, i) => assert.deepEqual(row.fields, rows[i], `row ${i}`))
})

test('copyData chunks and salts stay as they were', () => {
  const parts = []
  const contents = []
  for (let i = 0; i < 500; i++) {
    const content = Buffer.alloc(1 + ((i * 37) % 300), i)
    contents.push(content)
    parts.push(wire.copyData(content))
    if (i % 50 === 0) parts.push(wire.authenticationMD5Password(Buffer.from([i, 1, 2, 3])))
  }
  const copyStream = Buffer.concat(parts)
  for (const size of [1, 7, 64, 300, 1000, 65536]) {
    const messages = messagesOf(new NativeParser(), inPieces(copyStream, size))
    assert.deepEqual(
      messages.filter(({ name }) => name === 'copyData').map(({ chunk }) => chunk),
      contents
    )
    messages
      .filter(({ name }) => name === 'authenticationMD5Password')
      .forEach(({ salt }, i) => assert.deepEqual(salt, Buffer.from([i * 50, 1, 2, 3])))
  }
})

test('copyData chunks are Buffers of their own message', () => {
  const [first, second] = messagesOf(new NativeParser(), [
    guarded(Buffer.concat([wire.copyData('abc'), wire.copyData('')])),
  ])
  assert.ok(Buffer.isBuffer(first.chunk))
  assert.ok(Buffer.isBuffer(second.chunk))
  assert.equal(first.chunk.length, 3)
  assert.equal(second.chunk.length, 0)
})

test('kept messages of a mixed stream, however it is cut', () => {
  const mixed = Buffer.concat([
    wire.authenticationMD5Password(wire.hex('00ff0180')),
    ...table(60, 4).flatMap((cells, i) => [
      wire.dataRow(cells),
      ...(i % 9 === 0 ? [wire.copyData(`chunk ${i}`)] : []),
    ]),
    wire.errorResponse({ S: 'ERROR', M: 'the end', C: '57014' }),
  ])
  const expected = stockCollect(mixed)
  fc.assert(
    fc.property(fc.array(fc.nat({ max: mixed.length }), { maxLength: 40 }), (offsets) => {
      const chunks = cutAt(mixed, offsets)
      const parser = new NativeParser()
      assertSameMessages(collect(parser, chunks), expected)
    }),
    { numRuns: 200 }
  )
  assertSameMessages(nativeCollect([mixed]), expected)
  assertSameMessages(collect(new StockParser(), [Buffer.from(mixed)]), expected)
})
