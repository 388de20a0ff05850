'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { parse: stockParse } = require('postgres-array')
const { readArray, createArrayParsers } = require('../../lib/values/array')

const runs = Number(process.env.PG_PROTOCOL_NATIVE_TEST_CASES ?? 2000)

/** @typedef {(text: string) => any} Parse */

/** @type {Record<number, Parse>} */
const stock = {}
require('pg-types/lib/textParsers').init((/** @type {number} */ oid, /** @type {Parse} */ parse) => {
  stock[oid] = parse
})
const twins = createArrayParsers(stock)
const ARRAYS = Object.keys(stock)
  .map(Number)
  .filter((oid) => twins.has(stock[oid]))
const BYTEA_ARRAY = 1001

const identity = (/** @type {string} */ text) => text

/** Invalid dates as something that is equal to itself. @param {any} value @returns {any} */
const comparable = (value) => {
  if (Array.isArray(value)) return value.map(comparable)
  return value instanceof Date ? { date: value.getTime() } : value
}

/** @param {() => any} work */
const outcome = (work) => {
  try {
    return { value: comparable(work()) }
  } catch (error) {
    return { error: String(error) }
  }
}

/** @param {string} text */
const compareAsText = (text) => {
  const read = outcome(() => readArray(text, identity))
  if ('value' in read && read.value === null) return false
  assert.deepStrictEqual(
    read,
    outcome(() => stockParse(text, identity)),
    text
  )
  return true
}

/**
 * @param {string} text
 * @param {number[]} oids
 */
const compareAll = (text, oids) => {
  for (const oid of oids) {
    const parse = stock[oid]
    const twin = /** @type {Parse} */ (twins.get(parse))
    assert.deepStrictEqual(
      outcome(() => twin(text)),
      outcome(() => parse(text)),
      `${oid}: ${text}`
    )
  }
}

/** An element as `array_out` prints it. @param {string | null} value */
const element = (value) => {
  if (value === null) return 'NULL'
  const needsQuotes = value === '' || /^null$/i.test(value) || /[{}",\\\s]/.test(value)
  return needsQuotes ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}

/** @typedef {string | null | Nested[]} Nested */

/** @param {Nested} value @returns {string} */
const arrayText = (value) => (Array.isArray(value) ? `{${value.map(arrayText).join(',')}}` : element(value))

const value = fc.oneof(
  fc.constantFrom(
    null,
    'NULL',
    'null',
    '',
    ' ',
    '\n',
    'a b',
    'a,b',
    'a"b',
    'a\\b',
    '{x}',
    '}',
    '"',
    '\\',
    '\\\\',
    'é',
    '日本',
    '😀'
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom(
    't',
    'f',
    'NaN',
    '-Infinity',
    '2024-05-06 07:08:09+00',
    'infinity',
    '1 day -04:05:06',
    '(1,2)',
    '{"a":[1]}',
    '[]',
    '1'
  )
)
const { array } = fc.letrec((tie) => ({
  array: fc.array(fc.oneof({ maxDepth: 4 }, value, tie('array')), { maxLength: 5 }),
}))
const bounds = fc.constantFrom('', '', '', '[0:1]=', '[2:3][5:6]=', '[-5:-4]=')

test('F43: every array parser of pg-types has a twin', () => {
  const oids = Object.keys(stock).map(Number)
  const arrayOids = oids.filter((oid) => /Array$/.test(stock[oid].name))
  const parsers = arrayOids.map((oid) => stock[oid])
  assert.deepEqual(
    new Set(parsers.filter((parse) => !twins.has(parse)).map((parse) => parse.name)),
    new Set()
  )
  assert.equal(twins.size, new Set(parsers).size)
  assert.deepEqual(ARRAYS, arrayOids)
  assert.ok(ARRAYS.length > 25)
})

test('F43: quotes, NULL, empty strings and levels', () => {
  const values = ['NULL', null, 'null', 'Null', '', 'a b', 'a,b', 'a"b', 'a\\b', '{x}', ' ', '\n']
  const text = arrayText(values)
  assert.equal(text, '{"NULL",NULL,"null","Null","","a b","a,b","a\\"b","a\\\\b","{x}"," ","\n"}')
  assert.deepEqual(readArray(text, identity), values)
  assert.deepEqual(readArray('{null,Null,NULLS,NUL}', identity), ['null', 'Null', 'NULLS', 'NUL'])
  assert.deepEqual(readArray('{}', identity), [])
  assert.deepEqual(readArray('{{a,b},{c,NULL}}', identity), [
    ['a', 'b'],
    ['c', null],
  ])
  assert.deepEqual(readArray('{{{a},{b}},{{c},{"}"}}}', identity), [
    [['a'], ['b']],
    [['c'], ['}']],
  ])
  assert.deepEqual(readArray('[0:1][-1:-1]={{a},{b}}', identity), [['a'], ['b']])
  for (const each of [text, '{}', '{{a,b},{c,NULL}}', '{{{a},{b}},{{c},{"}"}}}'])
    assert.ok(compareAsText(each))
})

test('F37: arrays of int8 are exact and of numeric are numbers, as in the pg-types that is installed', () => {
  const int8 = '{9007199254740993,-9223372036854775808,NULL}'
  assert.deepEqual(twins.get(stock[1016])?.(int8), ['9007199254740993', '-9223372036854775808', null])
  assert.deepEqual(twins.get(stock[1231])?.('{1.10,NaN,NULL}'), [1.1, NaN, null])
  compareAll(int8, [1016, 1231, 1007])
})

test('integers of every length, sign and spelling', () => {
  const digits = ['1', '12', '999999999', '1234567890', '2147483647', '2147483648', '99999999999999999999']
  const spellings = [
    ...digits,
    ...digits.map((text) => `-${text}`),
    '-0',
    '0',
    '00',
    '007',
    '+5',
    ' 5',
    '5 ',
    '5a',
    '0x1',
    '1e3',
    'x',
    '-',
  ]
  for (const text of spellings) {
    compareAll(`{${text}}`, [1005, 1007, 1028])
    compareAll(`{1,${text},NULL,${text},2}`, [1005, 1007, 1028])
    compareAll(`{{"${text}"},{${text}}}`, [1005, 1007, 1028])
  }
})

test('F32: infinities within arrays of dates', () => {
  compareAll(
    '{infinity,-infinity,NULL,"2024-05-06 07:08:09+00","0044-03-15 00:00:00+00 BC"}',
    [1115, 1182, 1185]
  )
})

test('arrays of bytea', () => {
  compareAll('{"\\\\x","\\\\x00ff41",NULL,"\\\\x0"}', [BYTEA_ARRAY])
})

test('an element that cannot be read throws what it throws in stock', () => {
  compareAll('{"{\\"a\\":1}","{bad"}', [199, 3807])
  assert.throws(() => twins.get(stock[199])?.('{"{bad"}'), SyntaxError)
})

test('what is no array is left to stock, with its error', () => {
  const texts = [
    '',
    '{',
    '}',
    '{1',
    '1}',
    '{1}x',
    '{1}}',
    '{{1}',
    '{1,}',
    '{,1}',
    '{,}',
    '{1,,2}',
    '{"a}',
    '{"a"b}',
    '{a"b"}',
    '{a{b}}',
    '{{a}b}',
    '{a\\"b}',
    '{\\{a}',
    '{"a\\',
    '[0:1',
    '[0:1]',
    '[0:1]=',
    '[0:1]={',
    'abc',
    ' {1}',
    '{1} ',
    '{{{{{{{1}}}}}}}',
    '{'.repeat(50) + '}'.repeat(50),
  ]
  for (const text of texts) {
    assert.equal(readArray(text, identity), null, text)
    compareAll(
      text,
      ARRAYS.filter((oid) => oid !== BYTEA_ARRAY)
    )
  }
})

test('an array parser that makes other elements gets no twin', () => {
  const texts = (/** @type {string} */ text) => stockParse(text, identity)
  const others = createArrayParsers({ ...stock, 1231: texts, 1007: () => [] })
  assert.ok(!others.has(texts))
  assert.equal(others.size, twins.size)
  assert.equal(createArrayParsers({}).size, 0)
})

test('other functions can make the elements where they give the same', () => {
  const calls = /** @type {string[]} */ ([])
  const own = createArrayParsers(stock, {
    16: (text) => {
      calls.push(text)
      return stock[16](text)
    },
  })
  calls.length = 0
  assert.deepEqual(own.get(stock[1000])?.('{t,NULL,f}'), [true, null, false])
  assert.deepEqual(calls, ['t', 'f'])
})

test('what a server prints is read as stock reads it, without stock', () => {
  fc.assert(
    fc.property(bounds, array, (prefix, values) => {
      assert.ok(compareAsText(prefix + arrayText(/** @type {any} */ (values))))
    }),
    { numRuns: runs }
  )
})

test('every parser gives what stock gives for what a server prints and for what is near it', () => {
  const oids = ARRAYS.filter((oid) => oid !== BYTEA_ARRAY)
  const damage = fc.array(
    fc.tuple(fc.nat(60), fc.constantFrom('', '{', '}', ',', '"', '\\', 'N', ' ', '[', '=')),
    {
      maxLength: 3,
    }
  )
  fc.assert(
    fc.property(bounds, array, damage, (prefix, values, changes) => {
      let text = prefix + arrayText(/** @type {any} */ (values))
      for (const [at, char] of changes) text = text.slice(0, at) + char + text.slice(at + 1)
      compareAll(text, oids)
    }),
    { numRuns: Math.ceil(runs / 4) }
  )
})

test('any text of braces, quotes and commas is read as stock reads it', () => {
  const text = fc.string({
    unit: fc.constantFrom('{', '}', '{', '}', ',', '"', '\\', 'a', '1', 'NULL', '[', '=', ' '),
    maxLength: 14,
  })
  let read = 0
  fc.assert(
    fc.property(text, fc.boolean(), (inner, wrap) => {
      if (compareAsText(wrap ? `{${inner}}` : inner)) read++
    }),
    { numRuns: runs }
  )
  assert.ok(read > 0)
})
