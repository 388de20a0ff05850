'use strict'

const test = require('node:test')
const wire = require('../support/wire')
const { assertSameAsStock, assertSameOnce } = require('../support/compare')
const { inPieces } = require('../support/chunks')

// Shapes of rows: text of every width, empty cells, NULL, no columns at all, and as many columns as a table may have.

test('multi-byte text, however the stream is cut', () => {
  assertSameAsStock(
    Buffer.concat([
      wire.rowDescription(['é😀']),
      wire.dataRow(['é😀漢']),
      wire.dataRow(['ascii', 'Grüße', '日本語', '😀😀', 'z']),
      wire.dataRow([
        '\u0000',
        '\u007f',
        '\u0080',
        '\u00ff',
        '\u0100',
        '\u07ff',
        '\u0800',
        '\uffff',
        '\u{10000}',
        '\u{10ffff}',
      ]),
      wire.commandComplete('SELECT 3'),
    ])
  )
})

test('empty cells and NULL in every place', () => {
  const rows = []
  for (const first of ['', null, 'x']) {
    for (const middle of ['', null, 'é']) {
      for (const last of ['', null, '漢']) rows.push(wire.dataRow([first, middle, last]))
    }
  }
  assertSameAsStock(Buffer.concat(rows))
})

test('rows without columns', () => {
  assertSameAsStock(
    Buffer.concat([
      wire.rowDescription([]),
      wire.dataRow([]),
      wire.dataRow([]),
      wire.dataRow(['between']),
      wire.dataRow([]),
      wire.commandComplete('SELECT 4'),
    ])
  )
})

test('1600 columns', () => {
  const texts = ['1', null, '', 'abc', 'é', '漢字', '😀', '2020-01-01 00:00:00']
  const names = Array.from({ length: 1600 }, (_, i) => `column${i}`)
  const cells = Array.from({ length: 1600 }, (_, i) => texts[i % texts.length])
  const stream = Buffer.concat([
    wire.rowDescription(names.slice(0, 3)),
    wire.dataRow(cells),
    wire.dataRow(cells.map(() => null)),
    wire.readyForQuery(),
  ])
  // Every cut would be 20 000 times 3200 cells: each offset of the first row's start, then every 61st.
  const cuts = Array.from({ length: stream.length - 1 }, (_, i) => i + 1).filter(
    (at) => at < 200 || at % 61 === 0
  )
  assertSameAsStock(stream, { cuts, random: 20 })
  assertSameOnce(Buffer.concat([wire.rowDescription(names), wire.dataRow(cells)]))
})

test('bytes after the last cell are left alone', () => {
  const body = Buffer.concat([wire.dataRowBody(['a', null, 'é']), Buffer.from('left over')])
  assertSameAsStock(
    Buffer.concat([wire.message('D', body), wire.message('D', wire.hex('0000 00')), wire.readyForQuery()])
  )
})

test('rows of changing shape in one chunk', () => {
  const rows = []
  for (let i = 0; i < 300; i++) {
    const cells = Array.from(
      { length: i % 7 },
      (_, j) => [null, '', String(i * j), 'é'.repeat(i % 19), '漢'.repeat(j)][j % 5]
    )
    rows.push(wire.dataRow(cells))
    if (i % 50 === 49) rows.push(wire.noticeResponse({ M: `row ${i}` }))
  }
  const stream = Buffer.concat(rows)
  const cuts = Array.from({ length: 150 }, (_, i) => (i * 97) % stream.length)
  assertSameAsStock(stream, { cuts, random: 20 })
  for (const size of [1000, 4096, 8192]) assertSameOnce(stream, inPieces(stream, size))
})
