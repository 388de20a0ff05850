'use strict'

/**
 * Writes the seeds of the fuzz targets, fuzz/seeds/<target>/<name>.bin: node scripts/fuzz-seeds.js
 *
 * Most are made of what is in fixtures/ already. Files that are there and not made here stay: what fuzzing found.
 */

const fs = require('node:fs')
const path = require('node:path')
const { readBinaryCorpus, readCorpus } = require('../__test__/support/values')
const wire = require('../__test__/support/wire')

const ROOT = path.join(__dirname, '..')
const FIXTURES = path.join(ROOT, 'fixtures')

/** Longer inputs are mutated more slowly and find no more. */
const MOST_BYTES = 2048

/** @typedef {[name: string, bytes: Buffer][]} Seeds */

/**
 * Up to 40 of the hard values of each of these files.
 * @param {...string} files
 * @returns {Seeds}
 */
const texts = (...files) =>
  files.flatMap((file) => {
    const short = readCorpus(file).values.filter((bytes) => bytes.length <= 256)
    const step = Math.ceil(short.length / 40)
    return short.filter((_, i) => i % step === 0).map((bytes, i) => seed(`${file}-${i}`, bytes))
  })

/**
 * Hard values in binary format, and such as cannot be of their type.
 * @param {...string} types
 * @returns {Seeds}
 */
const binary = (...types) =>
  readBinaryCorpus()
    .filter(({ type }) => types.includes(type))
    .flatMap(({ type, values, wrong }) =>
      [...values, ...wrong]
        .slice(0, 40)
        .map((bytes, i) => seed(`${type.replace('[]', '-array')}-${i}`, bytes))
    )

/** @param {string} name @param {Buffer} bytes @returns {[string, Buffer]} */
const seed = (name, bytes) => [name, bytes.subarray(0, MOST_BYTES)]

/**
 * The first bytes of each recorded stream, and what no server sends.
 * @returns {Seeds}
 */
const streams = () => {
  const recorded = fs.readdirSync(FIXTURES).filter((file) => file.endsWith('.bin'))
  return [
    ...recorded.map((file) => seed(file.slice(0, -4), fs.readFileSync(path.join(FIXTURES, file)))),
    ['http', Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')],
    ['tls', wire.hex('15030300020228')],
    ['zeros', Buffer.alloc(100)],
    ['one-gibibyte', Buffer.concat([wire.readyForQuery(), wire.header('D', 0x3fffffff), Buffer.from('abc')])],
    ['too-long', Buffer.concat([wire.readyForQuery(), wire.header('D', 0x40000000)])],
    ['too-short', Buffer.concat([wire.readyForQuery(), wire.header('Z', 3)])],
    ['negotiate', wire.negotiateProtocolVersion(2, ['_pq_.a', '_pq_.b'])],
    ['sasl', wire.authenticationSASL(['SCRAM-SHA-256-PLUS', 'SCRAM-SHA-256'])],
    [
      'malformed',
      Buffer.concat([wire.message('C', 'SELECT 1'), wire.message('Z'), wire.message('T', '\0\x02a\0')]),
    ],
  ]
}

/** The whole messages of the streams, the first two of each type in each. */
const messages = () =>
  streams().flatMap(([, bytes]) => {
    const counts = /** @type {Record<number, number>} */ ({})
    const found = []
    for (let at = 0; at + 5 <= bytes.length;) {
      const end = at + 1 + bytes.readUInt32BE(at + 1)
      if (end > bytes.length || end < at + 5) break
      counts[bytes[at]] = (counts[bytes[at]] ?? 0) + 1
      if (counts[bytes[at]] <= 2) found.push(bytes.subarray(at, end))
      at = end
    }
    return found
  })

/** The shortest, the middle and the longest one of each type; type and size of the table stand in front. @returns {Seeds} */
const messageSeeds = () => {
  const byType = /** @type {Map<string, Buffer[]>} */ (new Map())
  for (const message of messages()) {
    const type = String.fromCharCode(message[0])
    byType.set(type, [...(byType.get(type) ?? []), message])
  }
  byType.set('V', [
    wire.message('V', wire.int32(1)),
    wire.message('V', wire.int32(2), 'h'),
    wire.message('V', wire.int32(-2)),
  ])
  return [...byType].flatMap(([type, all]) => {
    const sorted = all.sort((a, b) => a.length - b.length)
    const chosen = new Set([sorted[0], sorted[sorted.length >> 1], sorted[sorted.length - 1]])
    return [...chosen].map((message, i) => {
      const name = /[a-z]/.test(type) ? `lower-${type}` : type
      const head = Buffer.from([message[0], i === 1 ? 8 : 0])
      return seed(`${name}-${i}`, Buffer.concat([head, message.subarray(5)]))
    })
  })
}

/** @param {number[]} cuts @param {number} words */
const framing = (cuts, words) =>
  Buffer.concat([Buffer.from([cuts.length]), ...cuts.map(wire.int16), Buffer.from([words])])

/** @returns {Seeds} */
const rowBodies = () => {
  const row = (/** @type {(string | Buffer | null)[]} */ cells) => wire.dataRow(cells).subarray(5)
  return [
    ['none', row([])],
    ['one', row(['a'])],
    ['null', row([null])],
    ['empty', row([''])],
    ['mixed', row(['1', null, '', 'zoë', Buffer.from([0xff, 0])])],
    ['many', row(Array.from({ length: 100 }, (_, i) => String(i)))],
    ['past-the-end', Buffer.concat([wire.int16(1), wire.int32(2), Buffer.from('a')])],
    ['negative', Buffer.concat([wire.int16(1), wire.int32(-2)])],
    ['huge', Buffer.concat([wire.int16(1), wire.int32(0x7fffffff)])],
    ['more-than-there-are', Buffer.concat([wire.int16(0xffff), wire.int32(-1)])],
    ['no-count', Buffer.from([0])],
  ]
}

const KINDS = { text: 0, raw: 1, int: 2, bool: 3, float: 4, zoned: 5, local: 6, passing: 15, oid: 16 }

/**
 * @param {number[]} kinds
 * @param {(string | Buffer | null)[]} cells
 * @param {{words?: number, damages?: number[][]}} [options]
 */
const batch = (kinds, cells, { words = 4096, damages = [] } = {}) =>
  Buffer.concat([
    Buffer.from([kinds.length, ...kinds]),
    wire.int16(words),
    Buffer.from([damages.length, ...damages.flat()]),
    ...cells.map((cell) =>
      cell === null
        ? Buffer.from([0xff])
        : Buffer.concat([Buffer.from([Buffer.from(cell).length]), Buffer.from(cell)])
    ),
  ])

/** @returns {Seeds} */
const batches = () => {
  const all = Object.values(KINDS)
  const row = [
    'zoë',
    'raw',
    '42',
    't',
    '1.5',
    '2024-02-29 12:34:56.789+00',
    '2024-02-29',
    'a text that is long',
    '4294967295',
  ]
  const numbers = binary('int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'bool', 'numeric').map(
    ([, bytes]) => bytes
  )
  const firsts = ['int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'bool', 'numeric'].map(
    (type) => binary(type)[0][1]
  )
  return [
    ['text', batch([0, 0, 0], ['a', 'zoë', '漢字', null, '', '😀 and more than thirteen'])],
    ['plan', batch(all, [...row, ...row])],
    [
      'nulls',
      batch(
        all,
        all.map(() => null)
      ),
    ],
    ['no-columns', batch([], ['', '', ''])],
    ['small-table', batch([0], ['a', 'b', 'c', 'd'], { words: 9 })],
    ['binary', batch([7, 8, 9, 10, 11, 12, 13, 14], [...firsts, ...firsts])],
    [
      'binary-garbage',
      batch(
        [14, 9, 13],
        numbers.filter((bytes) => bytes.length < 0xf0)
      ),
    ],
    ['damaged', batch([0, 2], ['abc', '1', 'def', '2'], { damages: [[0, 40, 0xff]] })],
    ['past-the-row', batch([0, 0], ['abc', 'def', 'ghi', 'jkl'], { damages: [[0, 17, 4]] })],
    [
      'large-cells',
      Buffer.concat([
        batch([0], []),
        Buffer.from([0xfc]),
        Buffer.from('abcdefghijkl'),
        Buffer.from([3]),
        Buffer.from('end'),
      ]),
    ],
    [
      'full-pools',
      Buffer.concat([
        batch([0, 0], []),
        ...Array.from({ length: 60 }, () => Buffer.from('\xf2xy\x05short', 'latin1')),
      ]),
    ],
    ['malformed-text', batch([0], [Buffer.from([0xe2, 0x82]), Buffer.from([0xff, 0x41, 0xc3, 0xa9])])],
  ]
}

/**
 * @param {number} way
 * @param {number[]} kinds of `src/sink/kind.rs`
 * @param {number[]} cuts
 * @param {...Buffer} messages
 */
const sink = (way, kinds, cuts, ...messages) =>
  Buffer.concat([
    Buffer.from([way, kinds.length, ...kinds, cuts.length]),
    ...cuts.map(wire.int16),
    ...messages,
  ])

/** @returns {Seeds} */
const sinkSeeds = () => {
  const texts = wire.dataRow(['a', null, '', 'zoë'])
  const typed = wire.dataRow([
    '42',
    '-9223372036854775808',
    '1.5',
    't',
    '2024-02-29 12:34:56.789+00',
    '\\x00ff',
  ])
  const kinds = [2, 3, 5, 6, 7, 11]
  const past = Buffer.concat([wire.int16(1), wire.int32(9), Buffer.from('abc')])
  return [
    seed('whole', sink(0, [], [], texts, texts, wire.commandComplete('SELECT 2'))),
    seed('cut', sink(0, [], [3, 6, 9, 20, 30], texts, texts)),
    seed('destinations', sink(6, [], [8, 9, 10, 27], texts, texts)),
    seed('borrowed', sink(1, [0, 0, 1, 0], [40], texts, texts)),
    seed('typed', sink(7, kinds, [10, 60, 70, 93, 94], typed, typed)),
    seed('hex-cut', sink(4, [11], [14, 15, 17], wire.dataRow(['\\xdeadbeef']), wire.dataRow(['\\xabc']))),
    seed('malformed', sink(2, [0], [13], wire.message('D', past), wire.dataRow(['b']), wire.dataRow([]))),
    seed(
      'binary',
      sink(
        2,
        [13, 18, 21],
        [9],
        wire.dataRow([wire.int32(-7), Buffer.from([1]), wire.hex('0001 0000 0000 0000 0007')])
      )
    ),
    seed('lost', sink(2, [], [7], texts, wire.header('D', 0x40000000))),
    seed(
      'no-end',
      sink(2, [], [7, 15], texts, wire.header('D', 100), wire.int16(1), wire.int32(90), Buffer.from('abc'))
    ),
  ]
}

const MALFORMED = [
  'efbbbf61', // a byte order mark, which is none
  ...['c080', 'c1bf', 'e09fbf', 'f08fbfbf'], // longer than need be
  ...['eda080', 'edb080'], // surrogates
  ...['f4908080', 'f5808080', 'ff'], // beyond Unicode
  ...['80', '418041', 'e282', 'c3', 'f09f98', 'e28241'], // tails alone, heads alone
]

/** Around what fits into 53 and 64 bits. */
const LONG_NUMBERS = [
  '9007199254740993',
  '18446744073709551617',
  '184467440737095516170',
  '99999999999999999999e-5',
]

const BORDERS = [
  ...[1900, 2000, 2023, 2024, 2050, 2100].map((year) => `${year}-02-29`),
  ...['2024-04-31', '2024-13-01', '2024-00-01', '2024-01-00', '0000-01-01', '0001-02-29 BC', '0005-02-29 BC'],
  ...[
    '2024-01-01 24:00:00',
    '2024-01-01 23:60:00+00',
    '2024-01-01 23:59:60+00',
    '2024-01-01 00:00:00.1234567',
  ],
  ...[
    '275760-09-13 00:00:00+00',
    '275760-09-13 00:00:00.001+00',
    '2024-01-01 00:00:00-00:00:01',
    '2024-01-01 BC',
  ],
]

/** @type {Record<string, () => Seeds>} */
const SEEDS = {
  framing: () => [
    ...streams().map(([name, bytes], i) => {
      const cuts = [[], [3], [6, 7, 300]][i % 3]
      return seed(name, Buffer.concat([framing(cuts, i % 2 ? 8 : 255), bytes]))
    }),
    // the straddler ends with a piece and has no room in the table; the place of what is wrong later is told all the same
    seed(
      'place-behind-a-full-table',
      Buffer.concat([framing([3, 9], 0), wire.parameterStatus('a', 'b'), wire.message('C', 'SELECT 1')])
    ),
  ],
  messages: messageSeeds,
  cells: rowBodies,
  batch: batches,
  sinks: sinkSeeds,
  utf8: () => [
    ...texts('texts'),
    // one fault in each: behind the first nobody looks
    ...MALFORMED.map((hex) => seed(`malformed-${hex}`, wire.hex(hex))),
    seed('sixty-four', Buffer.from('é'.repeat(32))),
    seed('sixty-four-units', Buffer.from('0123456789abcdef'.repeat(4))),
    seed('sixty-five', Buffer.from(`a${'é'.repeat(32)}`)),
  ],
  text_numbers: () => [
    ...texts('integers', 'floats', 'numerics', 'booleans', 'garbage'),
    ...LONG_NUMBERS.map((text) => seed(`long-${text}`, Buffer.from(text))),
  ],
  text_dates: () => [
    ...texts('dates', 'timestamps', 'timestamps-with-zone'),
    ...BORDERS.map((text) => seed(`border-${text.replace(/\W/g, '-')}`, Buffer.from(text))),
  ],
  binary_scalars: () => binary('int2', 'int4', 'oid', 'int8', 'bool', 'float4', 'float8', 'timestamp'),
  binary_numeric: () => [
    ...binary('numeric'),
    // 2^53 + 1, which lies between two doubles
    ...['0003', '0000'].map((weight) =>
      seed(`between-${weight}`, wire.hex(`0004 ${weight} 0000 0000 232f 07c8 1562 03e1`))
    ),
  ],
  binary_array: () => [
    ...binary('int4[]', 'int8[]', 'text[]'),
    seed('nulls-2', wire.hex('00000001 00000002 00000017 00000001 00000001 ffffffff')),
    seed('seven-levels', wire.hex(`00000007 00000000 00000017 ${'00000001 00000001'.repeat(7)} ffffffff`)),
  ],
}

for (const [target, make] of Object.entries(SEEDS)) {
  const folder = path.join(ROOT, 'fuzz', 'seeds', target)
  fs.mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of make()) fs.writeFileSync(path.join(folder, `${name}.bin`), bytes)
}
