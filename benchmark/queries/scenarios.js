'use strict'

const { ALL_TYPES, SIMPLE, sevenBit } = require('./columns')
const { createTable, expectedRows, fillTable } = require('./tables')

/**
 * What is asked, in terms that every client understands.
 *
 * @typedef {object} Scenario
 * @property {string} name for `--only`
 * @property {string} title
 * @property {'rows' | 'single row'} group which of the rules of RULES.md it falls under
 * @property {import('../lib/target').Target} target of register against stock
 * @property {'query' | 'pool' | 'cursor' | 'stream' | 'pipeline' | 'transaction'} way
 * @property {string} text
 * @property {boolean} [prepared] under a name, so that the server plans it once
 * @property {(n: number) => any[]} [values] of the n-th pass, from 0
 * @property {boolean} [array] rows as arrays
 * @property {boolean} [binary]
 * @property {string[]} setup statements
 * @property {string} [reset] before each round, untimed
 * @property {number} [limit] of passes from one reset to the next
 * @property {number} [queries] per pass, where it is not one
 * @property {import('./columns').Column[]} columns of the rows that come
 * @property {number} count of rows that a pass gives or changes
 * @property {number} [built] rows that the client makes in a pass, where it is not `count` of each query
 * @property {(n: number) => any[]} expected rows of one query, see `plain`; where a pass changes rows and gives none, what is then
 *   read with `readBack`
 * @property {string} [readBack]
 * @property {Statement[]} [statements] of a transaction
 *
 * @typedef {{text: string, values: (n: number) => any[]}} Statement
 */

const ROWS = 500
/** Longer than a round of a fast machine; a table of so many rows is made in a tenth of a second. */
const LIMIT = 200_000
const READ = 100

const allTypes = {
  columns: ALL_TYPES,
  setup: [
    createTable('all_types', ALL_TYPES),
    fillTable('all_types', ALL_TYPES, 1, ROWS),
    'analyze all_types',
  ],
}
const simple = {
  columns: SIMPLE,
  setup: [createTable('simple', SIMPLE), fillTable('simple', SIMPLE, 1, ROWS), 'analyze simple'],
}

/** @param {number} count */
const simpleRows = (count) => ({
  ...simple,
  count,
  text: `select * from simple limit ${count}`,
  expected: () => expectedRows(SIMPLE, 1, count),
})
/** @param {number} count */
const allTypesRows = (count) => ({
  ...allTypes,
  count,
  text: `select * from all_types limit ${count}`,
  expected: () => expectedRows(ALL_TYPES, 1, count),
})

/** Which row the n-th pass is about: each in its turn, not in the order of the table. @param {number} n */
const rowOf = (n) => 1 + ((n * 37) % ROWS)

const byId = {
  ...simple,
  count: 1,
  text: 'select * from simple where id = $1',
  values: (/** @type {number} */ n) => [sevenBit(rowOf(n))],
  expected: (/** @type {number} */ n) => expectedRows(SIMPLE, rowOf(n), 1),
}

const amountOf = (/** @type {number} */ n) => (n * 7) % 100_000

/** @type {Scenario[]} */
const SCENARIOS = [
  {
    name: 'select-1-all-types',
    title: 'select 1 row, all types, prepared',
    group: 'single row',
    target: { least: 1 },
    way: 'query',
    prepared: true,
    ...allTypesRows(1),
  },
  {
    name: 'select-100-all-types',
    title: '100 rows, all types, prepared',
    group: 'rows',
    target: { least: 2 },
    way: 'query',
    prepared: true,
    ...allTypesRows(100),
  },
  {
    name: 'select-500-all-types',
    title: '500 rows, all types, prepared',
    group: 'rows',
    target: { least: 2.5 },
    way: 'query',
    prepared: true,
    ...allTypesRows(500),
  },
  {
    name: 'select-500-simple',
    title: '500 rows, simple types, prepared',
    group: 'rows',
    target: { least: 2.5 },
    way: 'query',
    prepared: true,
    ...simpleRows(500),
  },
  {
    name: 'select-500-array',
    title: '500 rows, simple types, array mode',
    group: 'rows',
    target: { least: 2.5 },
    way: 'query',
    prepared: true,
    array: true,
    ...simpleRows(500),
  },
  {
    name: 'select-500-binary',
    title: '500 rows, simple types, binary',
    group: 'rows',
    target: { least: 3 },
    way: 'query',
    prepared: true,
    binary: true,
    ...simpleRows(500),
  },
  {
    name: 'select-by-id',
    title: 'select by id, parameterized',
    group: 'single row',
    target: { least: 1 },
    way: 'query',
    ...byId,
  },
  {
    name: 'insert',
    title: 'insert, all types, returning',
    group: 'single row',
    target: { least: 1 },
    way: 'query',
    columns: ALL_TYPES,
    count: 1,
    setup: [createTable('inserted', ALL_TYPES)],
    reset: 'truncate inserted',
    limit: LIMIT,
    text: `insert into inserted values (${ALL_TYPES.map((_, at) => `$${at + 1}`).join(', ')}) returning *`,
    values: (n) => ALL_TYPES.map(({ parameter }) => parameter(n + 1)),
    expected: (n) => expectedRows(ALL_TYPES, n + 1, 1),
  },
  {
    name: 'update',
    title: 'update, parameterized',
    group: 'single row',
    target: { least: 1 },
    way: 'query',
    ...byId,
    reset: `truncate simple; ${simple.setup[1]}`,
    built: 0,
    text: 'update simple set amount = $1 where id = $2',
    values: (n) => [amountOf(n), sevenBit(rowOf(n))],
    readBack: 'select * from simple where id = $1',
    expected: (n) => {
      const [row] = expectedRows(SIMPLE, rowOf(n), 1)
      row[3] = amountOf(n)
      return [row]
    },
  },
  {
    name: 'delete',
    title: 'delete, parameterized',
    group: 'single row',
    target: { least: 1 },
    way: 'query',
    columns: SIMPLE,
    count: 1,
    setup: ['create temp table deleted (id int4 primary key, title text)'],
    reset: `truncate deleted; insert into deleted select i, 'title ' || i from generate_series(0, ${LIMIT - 1}) i; analyze deleted`,
    limit: LIMIT,
    built: 0,
    text: 'delete from deleted where id = $1',
    values: (n) => [n],
    readBack: 'select * from deleted where id = $1',
    expected: () => [],
  },
  {
    name: 'transaction',
    title: 'transaction, 3 queries',
    group: 'single row',
    target: { least: 1 },
    way: 'transaction',
    ...byId,
    reset: `truncate simple; ${simple.setup[1]}`,
    built: 2,
    statements: [
      byId,
      {
        text: 'update simple set amount = $1 where id = $2',
        values: (n) => [amountOf(n), sevenBit(rowOf(n))],
      },
      byId,
    ],
    expected: (n) => {
      const [row] = expectedRows(SIMPLE, rowOf(n), 1)
      row[3] = amountOf(n)
      return [row]
    },
  },
  {
    name: 'pool',
    title: 'pool query, select 1 row',
    group: 'single row',
    target: { least: 1 },
    way: 'pool',
    ...byId,
  },
  {
    name: 'cursor',
    title: 'cursor, 500 rows in 5 reads',
    group: 'rows',
    target: { least: 1.8 },
    way: 'cursor',
    ...simpleRows(500),
  },
  {
    name: 'stream',
    title: 'query stream, 500 rows',
    group: 'rows',
    target: { least: 1.8 },
    way: 'stream',
    ...simpleRows(500),
  },
  {
    name: 'pipeline',
    title: '100 rows, all types, pipelined x10',
    group: 'rows',
    target: { least: 2 },
    way: 'pipeline',
    prepared: true,
    queries: 10,
    ...allTypesRows(100),
  },
]

/** @param {string} name @returns {Scenario} */
const scenarioOf = (name) => {
  const found = SCENARIOS.find((scenario) => scenario.name === name)
  if (!found) throw new RangeError(`no scenario ${name}`)
  return found
}

module.exports = { SCENARIOS, scenarioOf, READ }
