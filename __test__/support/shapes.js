'use strict'

// Column names that have broken something somewhere, and rows to go under them.

const NAMES = /** @type {Record<string, (string | Buffer)[]>} */ ({
  'number-like names': ['b', '10', '9', '01'],
  'quotes, backslashes, blanks, no name': ["it's", 'a\\b', '日本😀', ' ', ''],
  'names that end a literal': [
    '"',
    "'",
    '`',
    '${x}',
    '\\',
    '\\"',
    "\\'",
    '*/',
    '//',
    '</script>',
    '\n',
    '\r\n',
    '\t',
  ],
  'line separators': ['\u2028', '\u2029', 'a\u2028b', '\u0085', '\ufeff'],
  __proto__: ['a', '__proto__', 'b'],
  '__proto__ alone': ['__proto__'],
  '__proto__ twice': ['__proto__', 'a', '__proto__'],
  "names of Object's own": [
    'constructor',
    'hasOwnProperty',
    'toString',
    'valueOf',
    '__defineGetter__',
    'toJSON',
    'then',
  ],
  'words of the language': [
    'class',
    'function',
    'this',
    'arguments',
    'eval',
    'await',
    'yield',
    'new',
    'null',
    'undefined',
  ],
  'names that generated code might use': [
    'row',
    'rows',
    'i',
    'table',
    'values',
    'parsers',
    'Object',
    'Buffer',
    'result',
  ],
  'almost indexes': [
    '0',
    '-0',
    '-1',
    '1.5',
    '00',
    '1e3',
    '4294967294',
    '4294967295',
    '4294967296',
    '9007199254740993',
    'NaN',
  ],
  'indexes in reverse': ['5', '4', 'x', '3', '2', '1', '0'],
  'the same name twice': ['a', 'a', 'b'],
  'the same name three times, apart': ['a', 'b', 'a', 'c', 'a'],
  'the same index twice': ['1', 'b', '1', '0'],
  'no name twice': ['', 'a', ''],
  'all of one name': Array(12).fill('?column?'),
  'names that are no UTF-8': [Buffer.from([0x61, 0xff]), Buffer.from([0xe9]), Buffer.from([0xe8])],
  'names of 63 bytes and more': ['n'.repeat(63), 'n'.repeat(64), 'é'.repeat(31), 'x'.repeat(5000)],
  'names with capitals': ['userId', 'USERID', 'userid'],
  'methods of rows and arrays': ['length', 'push', 'fields', 'name', 'toObject', 'prototype', 'get', 'set'],
})

/** Types in turn, so that neighbours are made in different ways; the text of the i-th value of each. */
const TYPES = /** @type {[number, (i: number) => string][]} */ ([
  [23, (i) => String(i * 7 - 20)],
  [25, (i) => `text ${i}`],
  [16, (i) => (i % 3 ? 't' : 'f')],
  [1184, (i) => `2024-03-${String((i % 28) + 1).padStart(2, '0')} 12:34:56.78${i % 10}+00`],
  [1700, (i) => `${i}.50`],
  [701, (i) => `${i}.25`],
  [20, (i) => `900719925474099${i}`],
  [114, (i) => `{"i": ${i}}`],
  [1007, (i) => `{${i},NULL}`],
  [17, (i) => `\\x${Buffer.from(`b${i}`).toString('hex')}`],
  [1114, (i) => `2024-03-01 00:00:${String(i % 60).padStart(2, '0')}`],
  [1186, (i) => `${i} days`],
  [25, (i) => (i % 2 ? 'é' : '日本')],
  [600, (i) => `(${i},-1)`],
  [1009, (i) => `{a,"b ${i}"}`],
])

/** @param {(string | Buffer)[]} names */
const columnsOf = (names) =>
  names.map((name, i) => ({ name, dataTypeID: TYPES[i % TYPES.length][0], columnID: i + 1, tableID: 16384 }))

/**
 * Rows of hard-to-mistake values, every cell different from its neighbours, some of them NULL.
 * @param {number} columns
 * @param {number} count
 * @param {number} [nullEvery]
 * @returns {(string | null)[][]}
 */
const rowsOf = (columns, count, nullEvery = 11) =>
  Array.from({ length: count }, (_, r) =>
    Array.from({ length: columns }, (_, c) =>
      (r * columns + c + 1) % nullEvery === 0 ? null : TYPES[c % TYPES.length][1](r + c)
    )
  )

module.exports = { NAMES, columnsOf, rowsOf }
