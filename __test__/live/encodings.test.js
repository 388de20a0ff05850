'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const { compareFlavours } = require('./support/compare-flavours')
const { flavours } = require('../support/query')
const { useServer } = require('../support/server')

const server = useServer()
const reports = compareFlavours(require.resolve('./scenarios/encodings'))

test('F17: with register and with the override latin1 is read as what it is', () => {
  const { stock, register, override } = reports()
  const outcome = (/** @type {any} */ { outcomes }) => {
    const { value, threw, stack } = outcomes['F17: latin1']
    assert.equal(threw, undefined, stack)
    return JSON.stringify(value)
  }
  assert.match(outcome(stock), /caf\ufffd/)
  for (const report of [register, override]) {
    const shown = outcome(report)
    for (const text of [
      '"café"',
      '"né"',
      '"payé"',
      '"noté"',
      '"échec"',
      `"${'é'.repeat(40)}"`,
      '"café 漢"',
    ]) {
      assert.ok(shown.includes(text), `${text} in ${shown}`)
    }
    assert.ok(!shown.includes('\ufffd'), shown)
  }
  const { rows, built } = register.outcomes['F17: latin1']
  assert.equal(rows, 0, 'all rows are built natively')
  assert.ok(built >= 4)
})

/**
 * Encodings, how many sequences of bytes they have at least, and how many of these are read in another way than
 * PostgreSQL reads them. `docs/encodings.md` tells which ones.
 *
 * @type {[string, number, number][]}
 */
const ENCODINGS = [
  ['LATIN1', 255, 0],
  ['LATIN2', 255, 0],
  ['LATIN3', 248, 0],
  ['LATIN4', 255, 0],
  ['LATIN5', 255, 0],
  ['LATIN6', 255, 0],
  ['LATIN7', 255, 0],
  ['LATIN8', 255, 0],
  ['LATIN9', 255, 0],
  ['LATIN10', 255, 0],
  ['ISO_8859_5', 255, 0],
  ['ISO_8859_6', 210, 0],
  ['ISO_8859_7', 252, 0],
  ['ISO_8859_8', 219, 0],
  ['KOI8R', 255, 0],
  ['KOI8U', 255, 0],
  ['WIN866', 255, 0],
  ['WIN874', 224, 0],
  ['WIN1250', 250, 0],
  ['WIN1251', 254, 0],
  ['WIN1252', 250, 0],
  ['WIN1253', 238, 0],
  ['WIN1254', 248, 0],
  ['WIN1255', 232, 0],
  ['WIN1256', 255, 0],
  ['WIN1257', 243, 0],
  ['WIN1258', 246, 0],
  ['SJIS', 7500, 0],
  ['EUC_JP', 13300, 93],
  ['EUC_CN', 7570, 0],
  ['GBK', 21900, 1],
  ['GB18030', 60000, 21],
  ['EUC_KR', 8350, 1],
  ['UHC', 17300, 189],
  ['BIG5', 13800, 250],
]

test('every character of every encoding, as the server itself reads it', async () => {
  const { pg, made } = flavours().native
  const client = new pg.Client(server().config)
  await client.connect()
  for (const [name, body] of [
    ['bytes', 'return convert_to(chr(n), encoding)'],
    ['text', 'return convert_from(convert_to(chr(n), encoding), encoding)'],
  ]) {
    await client.query(`create function pg_temp.${name}(n int, encoding text) returns ${name === 'bytes' ? 'bytea' : 'text'}
      language plpgsql as $$ begin ${body}; exception when others then return null; end $$`)
  }
  for (const [encoding, fewest, others] of ENCODINGS) {
    // One for each sequence of bytes: some stand for several characters, of which the server gives one back.
    const { rows: expected } = await client.query(
      `select distinct on (bytes) n, bytes, pg_temp.text(n, $1) as text
      from (select n, pg_temp.bytes(n, $1) as bytes from generate_series(1, 65535) n where n not between 55296 and 57343)
      where bytes is not null order by bytes`,
      [encoding]
    )
    assert.ok(expected.length >= fewest, `${encoding}: ${expected.length} characters`)
    await client.query(`set client_encoding to '${encoding}'`)
    const before = made()
    const { rows } = await client.query('select chr(n) as text from unnest($1::int[]) n', [
      expected.map((/** @type {any} */ { n }) => n),
    ])
    assert.equal(made() - before, expected.length, 'rows are built natively')
    await client.query('reset client_encoding')
    const wrong = expected.filter(
      (/** @type {any} */ { text }, /** @type {number} */ i) => rows[i].text !== text
    )
    const shown = wrong
      .slice(0, 5)
      .map((/** @type {any} */ { bytes, text }) => `${bytes.toString('hex')} ${text}`)
    assert.equal(wrong.length, others, `${encoding}: ${shown.join(', ')}`)
  }
  await client.end()
})

test('encodings that cannot be read are read as stock does', async () => {
  const { stock, native } = flavours()
  const texts = []
  for (const { pg } of [stock, native]) {
    const client = new pg.Client(server().config)
    await client.connect()
    for (const encoding of ['EUC_TW', 'JOHAB', 'EUC_JIS_2004', 'SHIFT_JIS_2004', 'SQL_ASCII', 'UTF8']) {
      await client.query(`set client_encoding to '${encoding}'`)
      texts.push(
        (
          await client
            .query(`select U&'a\\4e00\\3000' as text`)
            .catch((/** @type {any} */ { code }) => ({ rows: code }))
        ).rows
      )
    }
    await client.end()
  }
  assert.deepEqual(texts.slice(6), texts.slice(0, 6))
  assert.equal(texts[5][0].text, 'a一\u3000')
})
