'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { same } = require('../support/query')

// Reports from the field about arrays, JSON and geometry.

/**
 * The values of one column, the same as stock's, alone and among others.
 * @param {number} oid
 * @param {(string | null)[]} cells
 */
const read = async (oid, cells) => {
  const columns = [{ name: 'v', dataTypeID: oid }]
  const rows = cells.map((cell) => [cell])
  for (const row of rows) await same({ replies: [{ columns, rows: [row] }] })
  const { native } = await same({
    replies: [{ columns, rows: [...rows, ...rows, ...rows, ...rows, ...rows] }],
  })
  return native.rows.slice(-cells.length).map((/** @type {any} */ row) => row.v)
}

// brianc/node-postgres#103, #58, supabase/supabase-js#2657, m6w6/ext-pq#34
test('F43: quotes, escapes and NULL in arrays', async () => {
  const [strings, empty, nested, deep, bare] = await read(1009, [
    String.raw`{"NULL",NULL,"null","Null","","a b","a,b","a\"b","a\\b","{x}"," ","${'\n'}"}`,
    '{}',
    '{{a,b},{c,NULL}}',
    '{{{a},{b}},{{c},{NULL}}}',
    '{null}',
  ])
  assert.deepEqual(strings, ['NULL', null, 'null', 'Null', '', 'a b', 'a,b', 'a"b', 'a\\b', '{x}', ' ', '\n'])
  assert.deepEqual(empty, [])
  assert.deepEqual(nested, [
    ['a', 'b'],
    ['c', null],
  ])
  assert.deepEqual(deep, [
    [['a'], ['b']],
    [['c'], [null]],
  ])
  assert.deepEqual(bare, ['null'])
})

test('F43: arrays that are not balanced reject their query', async () => {
  for (const cell of ['{', '{1', '{{1}', '{"a}']) {
    for (const oid of [1009, 1007, 1000, 1185]) {
      const columns = [{ name: 'v', dataTypeID: oid }]
      const replies = [
        { columns, rows: [['{}'], [cell], ['{}']] },
        { columns, rows: [['{}']] },
      ]
      const { native } = await same({
        replies,
        made: 'any',
        run: async ({ client }) => [
          await client.query('select').catch((/** @type {any} */ error) => error),
          await client.query('select'),
        ],
      })
      assert.match(native[0].message, /array dimension not balanced/)
      assert.deepEqual(native[1].rows[0].v, [])
    }
  }
})

// brianc/node-pg-types#56, brianc/node-postgres#691, #944, #986, #781, kysely-org/kysely#1393
test('F44: arrays of types that nobody has registered stay strings', async () => {
  for (const [what, oid, cell] of /** @type {[string, number, string][]} */ ([
    ['an enum', 16_401, '{a,b}'],
    ['name', 1003, '{pg_class,pg_type}'],
    ['box', 1020, '{(1,1),(0,0);(2,2),(1,1)}'],
    ['circle', 719, '{"<(1,2),3>"}'],
    ['int4range', 3905, '{"[1,10)",empty}'],
    ['a multirange', 4451, '{[1,3),[5,7)}'],
    ['bit', 1561, '{101,110}'],
  ])) {
    assert.deepEqual(await read(oid, [cell]), [cell], what)
  }
})

test('F44: arrays of registered types are arrays', async () => {
  for (const [what, oid, cell, value] of /** @type {[string, number, string, string[]][]} */ ([
    ['money', 791, '{$1.00,"$1,000.00"}', ['$1.00', '$1,000.00']],
    ['uuid', 2951, '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
    ['inet', 1041, '{192.168.0.1,::1}', ['192.168.0.1', '::1']],
    ['cidr', 651, '{10.0.0.0/8}', ['10.0.0.0/8']],
    ['numrange', 3907, '{"[1.5,2.5)",empty}', ['[1.5,2.5)', 'empty']],
    ['time', 1183, '{12:34:56,12:34:56.789}', ['12:34:56', '12:34:56.789']],
  ])) {
    assert.deepEqual(await read(oid, [cell]), [value], what)
  }
})

// brianc/node-pg-types#20, #27
test('F46: points and circles', async () => {
  assert.deepEqual(await read(600, ['(1.5,-2)', '(Infinity,NaN)']), [
    { x: 1.5, y: -2 },
    { x: Infinity, y: NaN },
  ])
  assert.deepEqual(await read(718, ['<(1,2),3>', '<(1e10,2),3.5>']), [
    { x: 1, y: 2, radius: 3 },
    { x: 10000000000, y: 2, radius: 3.5 },
  ])
  assert.deepEqual(await read(1017, ['{"(1,2)","(3.5,-4)",NULL}']), [
    [{ x: 1, y: 2 }, { x: 3.5, y: -4 }, null],
  ])
  for (const [oid, cell] of /** @type {[number, string][]} */ ([
    [628, '{1,-1,0}'],
    [602, '[(0,0),(1,1)]'],
    [603, '(1,1),(0,0)'],
    [604, '((0,0),(1,1))'],
  ])) {
    assert.deepEqual(await read(oid, [cell]), [cell])
  }
})

test('JSON: __proto__ is a key like others, of rows and of values', async () => {
  const columns = [
    { name: '__proto__', dataTypeID: 114 },
    { name: 'j', dataTypeID: 3802 },
  ]
  const cell = '{"__proto__": {"admin": true}}'
  const { native } = await same({ replies: [{ columns, rows: Array(20).fill([cell, cell]) }], made: 'any' })
  for (const row of native.rows) {
    assert.equal(Object.getPrototypeOf(row), Object.prototype)
    assert.deepEqual(Object.keys(row), ['__proto__', 'j'])
    assert.equal(row.admin, undefined)
    assert.equal(row.j.admin, undefined)
  }
})
