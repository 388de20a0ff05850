'use strict'

// The columns of the two tables. Each value is made twice from a row's number `i`: as the text that goes into the table,
// and as the JavaScript value that pg means to give for it. Answers are compared with the latter, not with what some
// client gave.

const { createHash } = require('node:crypto')

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {string} type
 * @property {(i: number) => string | null} text
 * @property {(i: number) => any} value
 * @property {(i: number) => any} parameter what an application hands to its client to have this value stored
 */

/**
 * @param {string} type
 * @param {(i: number) => string} text
 * @param {(i: number) => any} [value]
 * @param {(i: number) => any} [parameter]
 */
const column = (type, text, value = text, parameter = value) => ({ type, text, value, parameter })

/** @param {string} type @param {(i: number) => number} value */
const number = (type, value) => column(type, (i) => String(value(i)), value)

/** @param {number} value @param {number} [digits] */
const padded = (value, digits = 2) => String(value).padStart(digits, '0')

/** @param {number} i */
const md5 = (i) => createHash('md5').update(String(i)).digest('hex')

/** @param {number} i */
const uuid = (i) => md5(i).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const DAY = 86_400_000
/** @param {number} i */
const day = (i) => new Date(Date.UTC(2000, 0, 1) + i * DAY)
/** @param {number} i */
const moment = (i) => new Date(Date.UTC(2020, 0, 1) + i * 3_600_001)

/** @param {Date} date */
const timestamp = (date) => date.toISOString().replace('T', ' ').replace('Z', '')

const WORDS = ['plain words', 'Grüße', '漢字 😀', 'a text of some length, as comments are']

/** @param {number} i */
const json = (i) => ({ i, name: `Zoë ${i}`, tags: ['a', 'b'], active: i % 2 === 0 })

/** @param {number} i none of them 0: what is 0 is left out of the object that pg-types makes */
const interval = (i) => ({
  days: 1 + (i % 29),
  hours: 1 + (i % 22),
  minutes: 1 + (i % 58),
  seconds: 1 + (i % 57),
})
/** @param {number} i */
const intervalText = (i) => {
  const { days, hours, minutes, seconds } = interval(i)
  return `${days} days ${padded(hours)}:${padded(minutes)}:${padded(seconds)}`
}

/** @type {Omit<Column, 'name'>[]} */
const TYPES = [
  number('int2', (i) => ((i * 37) % 65536) - 32768),
  number('int4', (i) => i * 7919 - 1_000_000),
  column('int8', (i) => String(9_007_199_254_740_993n + BigInt(i))),
  number('oid', (i) => 4_294_967_295 - i),
  number('float4', (i) => i / 8),
  number('float8', (i) => i / 7),
  column(
    'bool',
    (i) => (i % 3 === 0 ? 't' : 'f'),
    (i) => i % 3 === 0
  ),
  column('numeric', (i) => `${i * 11}.${padded(i % 100)}`),
  column('text', (i) => `${WORDS[i % 4]} ${i}`),
  column('varchar(40)', (i) => `größer als ${i}`),
  column('char(8)', (i) => `c${i % 1000}`.padEnd(8)),
  column('name', (i) => `name_${i}`),
  column('"char"', (i) => String.fromCharCode(65 + (i % 26))),
  column('uuid', uuid),
  column('date', (i) => day(i).toISOString().slice(0, 10), day),
  column('timestamp', (i) => timestamp(moment(i)), moment),
  column('timestamptz', (i) => `${timestamp(moment(i))}+00`, moment),
  column(
    'bytea',
    (i) => `\\x${md5(i)}`,
    (i) => Buffer.from(md5(i), 'hex')
  ),
  column('json', (i) => JSON.stringify(json(i)), json),
  column('jsonb', (i) => JSON.stringify(json(i)), json),
  column('interval', intervalText, interval, intervalText),
  column(
    'int4[]',
    (i) => `{${i},NULL,${-i}}`,
    (i) => [i, null, -i]
  ),
  column(
    'text[]',
    (i) => `{a${i},"ü,\\"\\\\",NULL,""}`,
    (i) => [`a${i}`, 'ü,"\\', null, '']
  ),
  column(
    'bool[]',
    (i) => `{t,${i % 2 === 0 ? 't' : 'f'}}`,
    (i) => [true, i % 2 === 0]
  ),
  column(
    'point',
    (i) => `(${i},${-i / 2})`,
    (i) => ({ x: i, y: -i / 2 }),
    (i) => `(${i},${-i / 2})`
  ),
  column(
    'circle',
    (i) => `<(${i},${-i}),${1 + (i % 5)}>`,
    (i) => ({ x: i, y: -i, radius: 1 + (i % 5) }),
    (i) => `<(${i},${-i}),${1 + (i % 5)}>`
  ),
]

/** @param {string} type */
const nameOf = (type) =>
  `c_${type
    .replace('char(8)', 'bpchar')
    .replace('[]', '_array')
    .replace(/"|\(\d+\)/g, '')}`

/**
 * NULL in one cell of eleven, in another column of each row.
 * @param {Omit<Column, 'name'>} column
 * @param {number} at
 * @returns {Column}
 */
const nullable = ({ type, text, value, parameter }, at) => {
  const isNull = (/** @type {number} */ i) => (i + at) % 11 === 0
  return {
    name: nameOf(type),
    type,
    text: (i) => (isNull(i) ? null : text(i)),
    value: (i) => (isNull(i) ? null : value(i)),
    parameter: (i) => (isNull(i) ? null : parameter(i)),
  }
}

/**
 * Each byte of a binary int4 below 0x80: stock pg destroys the others, and there would be no common answer.
 * @param {number} i below 16384
 */
const sevenBit = (i) => ((i >> 7) << 8) | (i & 0x7f)

/** @type {Column} */
const ID = { name: 'id', ...number('int4', (i) => i) }

/** Every type that pg converts or passes on in a way of its own, once. @type {Column[]} */
const ALL_TYPES = [ID, ...TYPES.map(nullable)]

/** @type {Column[]} */
const SIMPLE = [
  { name: 'id', ...number('int4', sevenBit) },
  { name: 'owner_id', ...number('int4', (i) => sevenBit((i * 31) % 128)) },
  {
    name: 'active',
    ...column(
      'bool',
      (i) => (i % 3 === 0 ? 't' : 'f'),
      (i) => i % 3 === 0
    ),
  },
  { name: 'amount', ...number('int4', (i) => sevenBit((i * 101) % 16384)) },
  { name: 'title', ...column('varchar(20)', (i) => `${i % 8 === 0 ? 'Zoë' : 'title'} ${i}`) },
]

module.exports = { ALL_TYPES, SIMPLE, sevenBit }
