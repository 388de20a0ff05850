'use strict'

const { createEnum, createTable } = require('../../scripts/sample-types')

/** A schema of its own, so that the demo can run in a database that holds other things, and leave nothing there. */
const SCHEMA = 'native_parser_demo'

const WIDE_COLUMNS = 40

/** Columns as applications have them: int4, text, bool, timestamptz, numeric. */
const MIXED = [
  'i * 7919 % 1000003',
  `substr(md5(i::text), 1, 5 + i % 26)`,
  'i % 3 = 0',
  `timestamptz '2020-01-01 00:00+00' + i * interval '7 minutes 0.123 seconds'`,
  '(i * 1.37)::numeric(12, 2)',
]

/**
 * @typedef {object} DemoQuery
 * @property {string} title
 * @property {{ text: string, values?: unknown[], name?: string, rowMode?: 'array' }} query
 * @property {number} repeat how often it runs per measurement
 */

/** @returns {string[]} */
function tables(/** @type {number} */ rows) {
  const cell = (/** @type {number} */ at) =>
    ["'cell ' || i", "'größer ' || i", 'md5(i::text)', "'漢字 ' || i", `repeat('text ', 1 + i % 20)`][at % 5]
  const columns = Array.from({ length: WIDE_COLUMNS }, (_, at) => {
    const nullable = `case when (i + ${at}) % 17 = 0 then null else ${cell(at)} end`
    return `${nullable} as column_${at}`
  })
  const mixed = Array.from({ length: WIDE_COLUMNS }, (_, at) => `${MIXED[at % 5]} as column_${at}`)
  return [
    createEnum,
    createTable('samples', rows),
    'create unique index on samples (id)',
    `create table wide as select i as id, ${columns.join(', ')} from generate_series(1, ${rows}) i`,
    `create table mixed as select i as id, ${mixed.join(', ')} from generate_series(1, ${rows}) i`,
    `create table narrow as select i as id, i * 7 % 100000 as amount, i % 3 = 0 as paid, i % 50 as shop, 'customer ' || i % 1000 as name
      from generate_series(1, 5000) i`,
    'analyze samples, wide, mixed, narrow',
  ]
}

/** @type {DemoQuery[]} */
const QUERIES = [
  {
    title: `${WIDE_COLUMNS} columns, mixed`,
    query: { text: 'select * from mixed order by id' },
    repeat: 1,
  },
  { title: `${WIDE_COLUMNS} columns of text`, query: { text: 'select * from wide order by id' }, repeat: 1 },
  { title: '5000 rows of 5 short columns', query: { text: 'select * from narrow order by id' }, repeat: 5 },
  {
    title: '5000 rows of 5, as arrays',
    query: { text: 'select * from narrow order by id', rowMode: 'array' },
    repeat: 5,
  },
  {
    title: '5000 rows of 5, with a parameter',
    query: { text: 'select * from narrow where id > $1 order by id', values: [0] },
    repeat: 5,
  },
  { title: 'all types', query: { text: 'select * from samples order by id' }, repeat: 1 },
  {
    title: 'one row, prepared, 100 times',
    query: {
      name: 'one row',
      text: 'select id, c_text, c_timestamptz from samples where id = $1',
      values: [21],
    },
    repeat: 100,
  },
]

module.exports = { SCHEMA, QUERIES, tables }
