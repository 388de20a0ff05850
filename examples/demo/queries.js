'use strict'

const { createEnum, createTable } = require('../../scripts/sample-types')

/** A schema of its own, so that the demo can run in a database that holds other things, and leave nothing there. */
const SCHEMA = 'native_parser_demo'

const WIDE_COLUMNS = 40

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
  return [
    createEnum,
    createTable('samples', rows),
    'create unique index on samples (id)',
    `create table wide as select i as id, ${columns.join(', ')} from generate_series(1, ${rows}) i`,
    'analyze samples, wide',
  ]
}

/** @type {DemoQuery[]} */
const QUERIES = [
  { title: 'all types', query: { text: 'select * from samples order by id' }, repeat: 1 },
  {
    title: 'all types, rows as arrays',
    query: { text: 'select * from samples order by id', rowMode: 'array' },
    repeat: 1,
  },
  { title: `${WIDE_COLUMNS} text columns`, query: { text: 'select * from wide order by id' }, repeat: 1 },
  {
    title: '5 columns, with a parameter',
    query: {
      text: 'select id, c_int4, c_bool, c_text, c_uuid from samples where id > $1 order by id',
      values: [0],
    },
    repeat: 1,
  },
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
