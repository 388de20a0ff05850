'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const { inChild } = require('../support/child')
const {
  NativeParser,
  StockParser,
  stockMessages,
  assertSameMessages,
  stockCollect,
} = require('../support/compare')
const { everyWay, collect, messagesOf, guarded } = require('../support/chunks')
const { createParser } = require('../../lib/parser')

// The parser reads text in the encoding that the server names in client_encoding.

/** A word in each kind of encoding, by its bytes. @type {[string, string, string][]} */
const WORDS = [
  ['LATIN1', '636166e9 20 80', 'café \u0080'],
  ['LATIN5', 'dd fe', 'İş'],
  ['LATIN9', 'a4', '€'],
  ['WIN1252', '80 93 78 94', '€“x”'],
  ['WIN1251', 'cce8f0', 'Мир'],
  ['KOI8R', 'edc9d2', 'Мир'],
  ['EUC_JP', 'c6fccbdc 8eb1', '日本ｱ'],
  ['SJIS', '93fa967b 835c', '日本ソ'],
  ['BIG5', 'a4a4a4e5', '中文'],
  ['GBK', 'd6d0cec4', '中文'],
  ['GB18030', 'd6d0 9439fc36', '中😀'],
  ['EUC_KR', 'c7d1', '한'],
  ['UHC', '8141', '갂'],
]

/**
 * All messages that have text in them, with that text.
 * @param {Buffer} text
 */
const messagesWith = (text) => [
  wire.rowDescription([{ name: text }, { name: 'ascii' }]),
  wire.dataRow([text, 'ascii', null, '', Buffer.concat([text, Buffer.from(' and more than sixteen bytes')])]),
  wire.dataRow([text]),
  wire.dataRow([Buffer.concat(Array(500).fill(text))]),
  wire.errorResponse({ S: 'ERROR', M: text, D: text, C: '42703', t: text }),
  wire.noticeResponse({ M: text, H: text }),
  wire.notificationResponse(1, /** @type {any} */ (text), /** @type {any} */ (text)),
  wire.parameterStatus(/** @type {any} */ ('application_name'), /** @type {any} */ (text)),
  wire.commandComplete('SELECT 3'),
  wire.readyForQuery(),
]

for (const [encoding, hex, text] of WORDS) {
  test(`${encoding}: every message with text, however it is cut`, () => {
    const bytes = wire.hex(hex)
    const announce = wire.parameterStatus('client_encoding', encoding)
    const stream = Buffer.concat([announce, ...messagesWith(bytes)])
    const utf8 = messagesWith(Buffer.from(text))
    const expected = stockCollect(Buffer.concat(utf8)).map((seen) => {
      // The lengths are those of the bytes.
      return { message: seen.message, length: seen.length }
    })
    const lengths = messagesWith(bytes).map(({ length }) => length - 1)
    expected.forEach((seen, i) => {
      seen.length = seen.message.length = lengths[i]
    })
    for (const { how, chunks } of everyWay(stream, { cuts: [3, 40, 100, stream.length - 90] })) {
      const seen = collect(new NativeParser(), chunks)
      assertSameMessages(seen.slice(1), expected, how)
      assert.deepEqual(seen[2].message.cell(0), bytes, 'the bytes are as they came')
      assert.equal(seen[3].message.text(0), text)
      assert.equal(seen[3].message.detach().text(0), text)
      assert.equal(seen[4].message.detach().fields[0], text.repeat(500))
    }
  })
}

test('the encoding changes within a chunk, and each row is read in its own, late and in any order', () => {
  const of = (/** @type {string} */ name) => wire.parameterStatus('client_encoding', name)
  const e9 = Buffer.from([0xe9])
  const rows = (/** @type {Buffer | string} */ cell) =>
    Array.from({ length: 20 }, () => wire.dataRow([cell, 'x']))
  const stream = Buffer.concat([
    ...rows('é'),
    of('LATIN1'),
    ...rows(e9),
    of('KOI8R'),
    ...rows(e9),
    of('UTF8'),
    ...rows('é'),
    of('SQL_ASCII'),
    ...rows('é'),
    of('EUC_TW'),
    ...rows('é'),
  ])
  for (const { how, chunks } of everyWay(stream, { cuts: [1, 400, 1000] })) {
    const kept = messagesOf(new NativeParser(), chunks).filter(({ name }) => name === 'dataRow')
    const texts = [...Array(40).fill('é'), ...Array(20).fill('И'), ...Array(60).fill('é')]
    for (let i = 119; i >= 0; i -= 2) assert.equal(kept[i].text(0), texts[i], how)
    kept.forEach((row, i) => assert.deepEqual(row.fields, [texts[i], 'x'], `${how}, row ${i}`))
  }
})

test('names are found however they are spelled; ones that are none change nothing', () => {
  const read = (/** @type {string} */ name) => {
    const [, row] = messagesOf(new NativeParser(), [
      wire.parameterStatus('client_encoding', name),
      wire.dataRow([Buffer.from([0xe9])]),
    ])
    return row.fields[0]
  }
  for (const name of ['LATIN1', 'latin1', 'Latin-1', 'ISO 8859-1', 'iso_8859_1'])
    assert.equal(read(name), 'é', name)
  for (const name of ['', 'UTF8', 'utf-8', 'Unicode', 'sql_ascii', 'ebcdic', '\u00e9', 'x'.repeat(100_000)]) {
    assert.equal(read(name), '\ufffd', name.slice(0, 20))
  }
  const [, row] = messagesOf(new NativeParser(), [
    wire.parameterStatus('server_encoding', 'LATIN1'),
    wire.dataRow([Buffer.from([0xe9])]),
  ])
  assert.equal(row.fields[0], '\ufffd', 'only client_encoding counts')
})

test('a hostile server that names a thousand encodings', () => {
  const parser = new NativeParser()
  for (let i = 0; i < 1000; i++)
    parser.parse(wire.parameterStatus('client_encoding', `latin1${' '.repeat(i)}`), () => {})
  const [row] = messagesOf(parser, [wire.dataRow([Buffer.from([0xe9])])])
  assert.equal(row.fields[0], 'é')
})

test('bytes that are no character: a replacement, and nothing of a neighbour', () => {
  for (const [encoding, cell] of [
    ['EUC_JP', '61c6'],
    ['SJIS', '6181'],
    ['GB18030', '61813081'],
    ['BIG5', '61a4'],
  ]) {
    const stream = Buffer.concat([
      wire.parameterStatus('client_encoding', encoding),
      wire.dataRow([wire.hex(cell), Buffer.from('neighbour of this cell')]),
    ])
    const [, row] = messagesOf(new NativeParser(), [guarded(stream)])
    assert.match(row.fields[0], /^a\ufffd+[08]*\ufffd*$/, encoding)
    assert.equal(row.fields[1], 'neighbour of this cell')
  }
})

test('the option encoding: "utf8" is what stock reads, another one is read whatever the server says', () => {
  const chunks = [
    wire.parameterStatus('client_encoding', 'LATIN1'),
    wire.dataRow([Buffer.from([0xe9])]),
    wire.errorResponse({ M: Buffer.from([0xe9]) }),
  ]
  const stock = stockCollect(Buffer.concat(chunks))
  assertSameMessages(collect(new NativeParser({ encoding: 'utf8' }), chunks), stock)
  assertSameMessages(collect(new NativeParser({ encoding: 'utf-8' }), chunks), stock)
  const texts = (/** @type {any} */ options) => {
    const [, row, error] = messagesOf(new NativeParser(options), chunks)
    return [row.fields[0], error.message]
  }
  assert.deepEqual(texts({ encoding: 'KOI8R' }), ['И', 'И'])
  assert.deepEqual(texts({ encoding: 'auto' }), ['é', 'é'])
  assert.deepEqual(texts({}), ['é', 'é'])
  for (const encoding of ['ebcdic', '', 7, null, {}]) {
    assert.throws(() => new NativeParser(/** @type {any} */ ({ encoding })), {
      name: 'TypeError',
      message:
        /^the option "encoding" of a Parser is "auto", "utf8" or another encoding of PostgreSQL's, not /,
    })
  }
})

test('Parser.forStream with an encoding', () => {
  const Parser = /** @type {any} */ (createParser(stockMessages))
  const stream = /** @type {any} */ ({ pause() {}, resume() {} })
  const row = wire.dataRow([Buffer.from([0xe9])])
  const read = (/** @type {any} */ parser) => messagesOf(parser, [row])[0].fields[0]
  const parser = Parser.forStream(stream, () => Parser.forStream(stream, () => new Parser()), null, 'latin1')
  assert.equal(read(parser), 'é')
  assert.equal(read(new Parser()), '\ufffd')
})

test('PG_PROTOCOL_NATIVE_ENCODING', () => {
  const run = (/** @type {string} */ value) =>
    inChild(
      __filename,
      (require) => {
        try {
          const { Parser } = require('../../index.js')
          const wire = require('../support/wire')
          const texts = /** @type {any[]} */ ([])
          const parser = new Parser()
          const read = (/** @type {any} */ message) =>
            message.name === 'dataRow' && texts.push(message.fields[0])
          parser.parse(wire.parameterStatus('client_encoding', 'LATIN1'), read)
          parser.parse(wire.dataRow([Buffer.from([0xe9])]), read)
          return texts[0]
        } catch (error) {
          return String(error)
        }
      },
      { env: { ...process.env, PG_PROTOCOL_NATIVE_ENCODING: value } }
    ).result
  assert.equal(run(''), 'é')
  assert.equal(run('auto'), 'é')
  assert.equal(run('utf8'), '\ufffd')
  assert.equal(run('WIN1251'), 'й')
  assert.equal(
    run('ebcdic'),
    `TypeError: PG_PROTOCOL_NATIVE_ENCODING is "auto", "utf8" or another encoding of PostgreSQL's, not "ebcdic"`
  )
})

test('stock is as before: it reads UTF-8 whatever the server names', () => {
  const [, { message }] = collect(new StockParser(), [
    Buffer.concat([wire.parameterStatus('client_encoding', 'LATIN1'), wire.dataRow([Buffer.from([0xe9])])]),
  ])
  assert.deepEqual(message.fields, ['\ufffd'])
})
