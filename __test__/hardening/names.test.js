'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { same, openPair, closePair } = require('../support/query')

// Names of columns are whatever a query or a hostile server says. Rows are built by generated code, into which a name
// must never get but as a string.

const PWNED = /** @type {any} */ (globalThis)

const NAMES = [
  `"]}; globalThis.pwned = 1; ({"a": "`,
  `'; globalThis.pwned = 1; '`,
  '`${globalThis.pwned = 1}`',
  '${globalThis.pwned = 1}',
  `a": (globalThis.pwned = 1), "b`,
  `[globalThis.pwned = 1]`,
  '*/ globalThis.pwned = 1 /*',
  '// globalThis.pwned = 1',
  '\n globalThis.pwned = 1 \n',
  '\u2028 globalThis.pwned = 1 \u2029',
  '\\',
  '\\"',
  '\\u0022',
  `get pwned() { return 1 }, x`,
  '...globalThis',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'valueOf',
  '__defineGetter__',
  'arguments',
  'eval',
  'await',
  '',
  ' ',
  '\ufeff',
  'a'.repeat(10_000),
]

/** Enough rows for a builder to be compiled. @param {string[]} names @param {number} count */
const reply = (names, count = 100) => ({
  columns: names.map((name, i) => ({ name, dataTypeID: [25, 23, 16, 1184, 600_000][i % 5] })),
  rows: Array.from({ length: count }, (_, i) =>
    names.map((_, k) => [`text ${i}`, String(i), 't', '2024-01-01 00:00:00+00', 'own'][k % 5])
  ),
})

for (const rowMode of [undefined, 'array']) {
  test(`names that look like code are names${rowMode ? ', as arrays' : ''}`, async () => {
    for (const names of [...NAMES.map((name) => [name]), ...NAMES.map((name) => ['a', name, 'b']), NAMES]) {
      await same({
        replies: [reply(names), reply(names)],
        run: async ({ client }) => [
          await client.query({ text: 'select', rowMode }),
          await client.query({ text: 'select', rowMode }),
        ],
        at: JSON.stringify(names).slice(0, 80),
      })
    }
    assert.equal(PWNED.pwned, undefined)
  })
}

test('a column named __proto__ changes no prototype, not of the row and not of anything else', async () => {
  await same({
    replies: [reply(['a', '__proto__', 'b'])],
    run: async ({ client }) => {
      const { rows } = await client.query('select')
      return rows.map((/** @type {any} */ row) => [
        Object.getPrototypeOf(row) === Object.prototype,
        Object.keys(row),
      ])
    },
    made: 'any',
  })
  const plain = /** @type {any} */ ({})
  assert.equal(plain.a, undefined)
  assert.equal(plain.b, undefined)
})

test('names at random, made of what code is made of', async () => {
  const part = fc.constantFrom(...`"'\`\\{}[]()$;:,=/*\n\r\u2028\u2029`, 'globalThis.pwned=1', 'x')
  const name = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  const on = await openPair()
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), async (names) => {
      await same({
        on,
        replies: [reply(names, 70), reply(names, 3)],
        run: async ({ client }) => [await client.query('select'), await client.query('select')],
      })
    }),
    { numRuns: 60 }
  )
  await closePair(on)
  assert.equal(PWNED.pwned, undefined)
})

test('values are never code either', async () => {
  await same({
    replies: [
      {
        columns: [25, 114, 1009, 17, 1186].map((dataTypeID, i) => ({ name: `c${i}`, dataTypeID })),
        rows: Array.from({ length: 100 }, () => [
          '${globalThis.pwned = 1}',
          '{"__proto__": {"pwned": 1}, "constructor": 1}',
          '{"\\"; globalThis.pwned = 1; \\"",__proto__}',
          '\\x676c6f62616c',
          '1 day',
        ]),
      },
    ],
  })
  assert.equal(PWNED.pwned, undefined)
  assert.equal(/** @type {any} */ ({}).pwned, undefined)
})
