'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const { NativeParser, assertSameOnce } = require('../support/compare')
const { messagesOf, guarded, inPieces } = require('../support/chunks')

// Which route a cell takes depends on its length and its widest character: 16 bytes are the end of the short path, 13
// characters the start of V8's sliced strings, 8 KiB the end of a pool. Every length is tried with every width.

const ALPHABETS = {
  ASCII: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN',
  'Latin-1': 'àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ¡¢£¤¥¦§¨',
  CJK: '日本語漢字假名中文字符測試文本一二三四五六七八九十百千萬億天地玄黃宇宙洪荒日月盈',
  emoji: Array.from('😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰😗😙😚🙂🤗🤩🤔🤨😐😑😶🙄😏😣😥😮🤐😯😪😫🥱😴😌😛😜').join(
    ''
  ),
}

/**
 * Texts with exactly `length` characters (Unicode code points).
 * @param {string} alphabet @param {number} length
 */
const textOf = (alphabet, length) => Array.from(alphabet).slice(0, length).join('')

/** The first `length` bytes filled up with one wider character at the given place. */
const mixed = (/** @type {number} */ length, /** @type {string} */ wide, /** @type {number} */ at) =>
  'x'.repeat(at) + wide + 'y'.repeat(Math.max(0, length - at - 1))

for (const [name, alphabet] of Object.entries(ALPHABETS)) {
  test(`${name}: every length from 0 to 40 through fields and text(i)`, () => {
    assert.equal(Array.from(alphabet).length, 40)
    for (let length = 0; length <= 40; length++) {
      const text = textOf(alphabet, length)
      const bytes = wire.dataRow([text])
      const [byText, byFields, again] = messagesOf(new NativeParser(), [
        guarded(Buffer.concat([bytes, bytes, bytes])),
      ])
      assert.equal(byText.text(0), text)
      assert.deepEqual(byFields.fields, [text])
      assert.deepEqual(again.fields, [text])
      assert.equal(byText.text(0), text, 'the second time too')
      assert.deepEqual(byText.fields, [text])
      const [alone] = messagesOf(new NativeParser(), [guarded(bytes)])
      assert.deepEqual(alone.fields, [text])
    }
  })
}

test('every length from 0 to 40 beside neighbours of each width', () => {
  const rows = []
  for (let length = 0; length <= 40; length++) {
    const texts = Object.values(ALPHABETS).map((alphabet) => textOf(alphabet, length))
    for (let shift = 0; shift < 4; shift++) {
      rows.push([...texts.slice(shift), ...texts.slice(0, shift), null, ''])
      rows.push([texts[shift], texts[(shift + 1) % 4]])
    }
  }
  const stream = Buffer.concat(rows.map((cells) => wire.dataRow(cells)))
  const forFields = messagesOf(new NativeParser(), [guarded(stream)])
  assert.deepEqual(
    forFields.map((row) => row.fields),
    rows
  )
  const forText = messagesOf(new NativeParser(), [guarded(stream)])
  forText.forEach((row, i) => {
    assert.deepEqual(
      rows[i].map((_, column) => row.text(column)),
      rows[i]
    )
  })
  assertSameOnce(stream, inPieces(stream, 1000))
})

test('one wide character at every place of a text of every length', () => {
  for (const wide of ['é', 'ÿ', 'Ā', '漢', '😀', '\u0080', '\ufeff']) {
    const cells = []
    for (let length = 1; length <= 40; length++) {
      for (let at = 0; at < length; at++) cells.push(mixed(length, wide, at))
    }
    const [byFields, byText] = messagesOf(new NativeParser(), [
      guarded(Buffer.concat([wire.dataRow(cells), wire.dataRow(cells)])),
    ])
    assert.deepEqual(byFields.fields, cells)
    assert.deepEqual(
      cells.map((_, i) => byText.text(i)),
      cells
    )
  }
})

test('cells around the border of a pool', () => {
  const sizes = [15, 16, 17, 4095, 4096, 4097, 8191, 8192, 8193, 16384, 65536, 100000]
  for (const [name, alphabet] of Object.entries(ALPHABETS)) {
    const repeated = alphabet.repeat(Math.ceil(100000 / alphabet.length))
    for (const size of sizes) {
      // In bytes where characters are one byte, near it elsewhere: cut at a whole character.
      const text = new TextDecoder().decode(Buffer.from(repeated).subarray(0, size)).replace(/\ufffd$/, '')
      for (const cells of [
        [text],
        ['a', text, 'b'],
        [text, text],
        ['é', text, null, '漢', text, ''],
        [text, 'z'.repeat(8192)],
      ]) {
        const stream = Buffer.concat([wire.dataRow(cells), wire.dataRow(['after']), wire.dataRow(cells)])
        const rows = messagesOf(new NativeParser(), [guarded(stream)])
        const label = `${name}, ${size} bytes`
        assert.ok(same(rows[0].fields, cells), label)
        assert.deepEqual(rows[1].fields, ['after'], label)
        assert.ok(
          cells.every((cell, i) => rows[2].text(i) === cell),
          label
        )
        assert.ok(same(rows[2].fields, cells), label)
      }
    }
  }
})

test('a border of a pool at every place of the cells', () => {
  // Filler of growing length moves all later cells byte by byte across the end of the first pool.
  for (let filler = 8192 - 70; filler <= 8192 + 10; filler++) {
    for (const cells of [
      ['f'.repeat(filler), 'abc', 'é', '漢字', '😀', null, '', 'x'.repeat(20), 'last'],
      ['é'.repeat(filler / 2), 'abc', 'ü'.repeat(20), 'end'],
      ['漢'.repeat(filler / 3), 'abc', '字'.repeat(20), 'end'],
    ]) {
      const [row, next] = messagesOf(new NativeParser(), [
        guarded(Buffer.concat([wire.dataRow(cells), wire.dataRow(cells)])),
      ])
      assert.ok(same(row.fields, cells), `filler ${filler}`)
      assert.ok(same(next.fields, cells), `filler ${filler}, second row`)
    }
  }
})

test('rows of one chunk with more text than a pool holds', () => {
  const widths = Object.values(ALPHABETS)
  for (const columns of [1, 3, 40]) {
    const rows = Array.from({ length: 400 }, (_, i) =>
      Array.from({ length: columns }, (_, j) => {
        const kind = (i * 7 + j * 3) % 9
        if (kind === 0) return null
        if (kind === 1) return ''
        return textOf(widths[(i + j) % 4], (i * 13 + j * 5) % 41) + i
      })
    )
    const stream = Buffer.concat(rows.map((cells) => wire.dataRow(cells)))
    const messages = messagesOf(new NativeParser(), inPieces(stream, 65536))
    messages.forEach((row, i) => assert.deepEqual(row.fields, rows[i], `row ${i} of ${columns} columns`))
    assertSameOnce(stream, inPieces(stream, 65536))
  }
})

test('long runs of rows whose cells are all short', () => {
  // Short cells stay out of the pools of 8 KiB: one batch takes them until its table or its offsets are full.
  const long = Object.fromEntries(
    Object.entries(ALPHABETS).map(([name, alphabet]) => [name, alphabet.repeat(40)])
  )
  for (const width of [1, 4, 7, 12, 13]) {
    for (const columns of [1, 5, 9]) {
      /** @type {Record<string, (i: number, j: number) => string>} */
      const kinds = {
        ASCII: (i, j) =>
          String(i * 31 + j)
            .padStart(width, 'x')
            .slice(0, width),
        'Latin-1': (i, j) => long['Latin-1'].slice((i * 3 + j) % 1000, ((i * 3 + j) % 1000) + width),
        CJK: (i, j) => long.CJK.slice((i * 3 + j) % 1000, ((i * 3 + j) % 1000) + width),
        'one after the other': (i, j) => Object.values(long)[(i + j) % 3].slice(i % 1000, (i % 1000) + width),
      }
      for (const [name, cell] of Object.entries(kinds)) {
        const rows = Array.from({ length: 60_000 / (width * columns) + 3000 }, (_, i) =>
          Array.from({ length: columns }, (_, j) => cell(i, j))
        )
        const stream = Buffer.concat(rows.map((cells) => wire.dataRow(cells)))
        const kept = messagesOf(new NativeParser(), [stream])
        let i = 0
        new NativeParser().parse(stream, (row) => {
          if (!same(row.fields, rows[i]))
            assert.deepEqual(row.fields, rows[i], `${name}, ${width} wide, row ${i}`)
          i += 1
        })
        assert.equal(i, rows.length)
        // From the end to the middle, then from the start: batches begin elsewhere.
        for (let at = rows.length - 1; at > rows.length / 2; at -= 501)
          assert.deepEqual(kept[at].fields, rows[at])
        kept.forEach((row, at) => {
          if (!same(row.fields, rows[at]))
            assert.deepEqual(row.fields, rows[at], `${name}, ${width} wide, row ${at}`)
        })
      }
    }
  }
})

/** @param {any[]} actual @param {any[]} expected */
function same(actual, expected) {
  return actual.length === expected.length && expected.every((cell, i) => actual[i] === cell)
}
