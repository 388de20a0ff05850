'use strict'

const fc = require('fast-check')

// What a server could send as the text of each type (fast-check), and what nobody would.

const digits = (/** @type {number} */ value, width = 2) => String(value).padStart(width, '0')

const integer = (/** @type {bigint} */ min, /** @type {bigint} */ max) =>
  fc
    .oneof(
      fc.bigInt({ min, max }),
      fc.bigInt({ min: -1000n, max: 1000n }).filter((n) => n >= min && n <= max)
    )
    .map(String)

const int2 = integer(-32768n, 32767n)
const int4 = integer(-2147483648n, 2147483647n)
const oid = integer(0n, 4294967295n)
const int8 = integer(-9223372036854775808n, 9223372036854775807n)

/** As float8out writes it: shortest, an exponent of two digits with its sign. */
const writeDouble = (/** @type {number} */ value) => {
  if (Object.is(value, -0)) return '-0'
  const text = String(value)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}
const float8 = fc.oneof(fc.double(), fc.double({ min: -1e6, max: 1e6 })).map(writeDouble)
const float4 = fc.float().map((value) => writeDouble(Number(value.toPrecision(9))))
const numeric = fc.oneof(
  fc
    .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.nat(30))
    .map(([negative, value, scale]) => {
      const text = String(value).padStart(scale + 1, '0')
      const at = text.length - scale
      return `${negative ? '-' : ''}${text.slice(0, at)}${scale > 0 ? '.' : ''}${text.slice(at)}`
    }),
  fc
    .tuple(fc.integer({ min: -999999, max: 999999 }), fc.nat(99))
    .map(([whole, cents]) => `${whole}.${digits(cents)}`)
)
const bool = fc.constantFrom('t', 'f')

const year = fc.oneof(
  fc.integer({ min: 1900, max: 2100 }),
  fc.integer({ min: 1, max: 9999 }),
  fc.integer({ min: 1, max: 120 }),
  fc.integer({ min: 10000, max: 294276 })
)
const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
/** A day as [text, whether BC]. The 29th of February only in leap years; that of 1 BC is one of the known differences. */
const day = fc
  .tuple(
    year,
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 31 }),
    fc.constantFrom(false, false, false, true)
  )
  .map(([year, month, date, bc]) => {
    const astronomical = bc ? 1 - year : year
    const leap = astronomical % 4 === 0 && (astronomical % 100 !== 0 || astronomical % 400 === 0)
    const last = month === 2 && (!leap || astronomical === 0) ? 28 : monthDays[month - 1]
    return {
      text: `${digits(year, 4)}-${digits(month)}-${digits(Math.min(date, last))}`,
      bc: bc ? ' BC' : '',
    }
  })
const time = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(999_999), fc.constantFrom(0, 0, 1, 2, 3, 4, 5, 6))
  .map(([hour, minute, second, micro, places]) => {
    // As the server writes it: without zeros at the end.
    const fraction = digits(micro, 6).slice(0, places).replace(/0+$/, '')
    return `${digits(hour)}:${digits(minute)}:${digits(second)}${fraction && `.${fraction}`}`
  })
const zone = fc
  .tuple(fc.constantFrom('+', '-'), fc.nat(15), fc.nat(59), fc.nat(59), fc.constantFrom(0, 0, 0, 1, 2))
  .map(([sign, hour, minute, second, more]) =>
    [`${sign}${digits(hour)}`, digits(minute), digits(second)].slice(0, more + 1).join(':')
  )
const endless = fc.constantFrom('infinity', '-infinity')
const rarely = (/** @type {fc.Arbitrary<string>} */ usual, /** @type {fc.Arbitrary<string>} */ other) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: other })
const date = rarely(
  day.map(({ text, bc }) => text + bc),
  endless
)
const timestamp = rarely(
  fc.tuple(day, time).map(([{ text, bc }, time]) => `${text} ${time}${bc}`),
  endless
)
const timestamptz = rarely(
  fc.tuple(day, time, zone).map(([{ text, bc }, time, zone]) => `${text} ${time}${zone}${bc}`),
  endless
)

const interval = fc
  .tuple(
    fc.integer({ min: -300, max: 300 }),
    fc.integer({ min: -11, max: 11 }),
    fc.integer({ min: -1000, max: 1000 }),
    fc.option(fc.tuple(fc.constantFrom('', '-', '+'), fc.nat(200), time))
  )
  .map(([years, months, days, clock]) => {
    const parts = []
    if (years) parts.push(`${years} year${years === 1 ? '' : 's'}`)
    if (months) parts.push(`${months} mon${months === 1 ? '' : 's'}`)
    if (days) parts.push(`${days} day${days === 1 ? '' : 's'}`)
    if (clock || parts.length === 0) {
      const [sign, hours, time] = clock ?? ['', 0, '00:00:00']
      parts.push(`${sign}${digits(hours)}${time.slice(2)}`)
    }
    return parts.join(' ')
  })

const byteArray = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))
const byteaHex = byteArray.map((bytes) => `\\x${bytes.toString('hex')}`)
const byteaEscape = byteArray
  .map((bytes) =>
    [...bytes]
      .map((byte) => {
        if (byte === 0x5c) return '\\\\'
        if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte)
        return `\\${byte.toString(8).padStart(3, '0')}`
      })
      .join('')
  )
  // Two bytes "\x" would make it the other spelling.
  .filter((text) => !text.startsWith('\\x'))
const bytea = fc.oneof(byteaHex, byteaEscape)

/** Text with what matters to somebody on the way: other planes, NUL, BOM, line separators, quotes. */
const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('a', 'é', '日', '😀', '"', '\\', '{', '}', ',', ' ', '\u0001', '\u2028'),
    maxLength: 20,
  }),
  fc.string({ minLength: 100, maxLength: 400 })
)
const json = fc.json({ maxDepth: 3 })

/** An array as array_out writes it. */
const arrayOf = (/** @type {fc.Arbitrary<string>} */ element, separator = ',') => {
  const entry = fc.oneof(
    { weight: 8, arbitrary: element.map(quote) },
    { weight: 1, arbitrary: fc.constant('NULL') }
  )
  const row = fc.array(entry, { maxLength: 6 }).map((entries) => `{${entries.join(separator)}}`)
  const nested = fc
    .tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(entry, { minLength: 9, maxLength: 9 })
    )
    .map(([rows, columns, entries]) => {
      const lines = Array.from(
        { length: rows },
        (_, i) => `{${entries.slice(i * columns, (i + 1) * columns).join(separator)}}`
      )
      return `{${lines.join(separator)}}`
    })
  const bounds = fc.integer({ min: -5, max: 5 })
  const bounded = fc.tuple(bounds, row).map(([low, row]) => `[${low}:${low + 3}]=${row}`)
  return fc.oneof(
    { weight: 4, arbitrary: row },
    { weight: 2, arbitrary: nested },
    { weight: 1, arbitrary: bounded }
  )
}
const quote = (/** @type {string} */ value) =>
  value === '' || /[\s"\\{},;]/.test(value) || /^null$/i.test(value)
    ? `"${value.replace(/["\\]/g, '\\$&')}"`
    : value

const coordinate = fc
  .oneof(fc.double({ noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))
  .map(writeDouble)
const point = fc.tuple(coordinate, coordinate).map(([x, y]) => `(${x},${y})`)
const circle = fc.tuple(point, coordinate).map(([center, radius]) => `<${center},${radius}>`)

/** @type {Record<string, { oid: number, values: fc.Arbitrary<string> }>} */
const GENERATED = {
  int2: { oid: 21, values: int2 },
  int4: { oid: 23, values: int4 },
  oid: { oid: 26, values: oid },
  int8: { oid: 20, values: int8 },
  float4: { oid: 700, values: float4 },
  float8: { oid: 701, values: float8 },
  'float8, many digits': { oid: 701, values: numeric },
  numeric: { oid: 1700, values: numeric },
  bool: { oid: 16, values: bool },
  date: { oid: 1082, values: date },
  timestamp: { oid: 1114, values: timestamp },
  timestamptz: { oid: 1184, values: timestamptz },
  interval: { oid: 1186, values: interval },
  bytea: { oid: 17, values: bytea },
  text: { oid: 25, values: text },
  json: { oid: 114, values: json },
  jsonb: { oid: 3802, values: json },
  point: { oid: 600, values: point },
  circle: { oid: 718, values: circle },
  'bool[]': { oid: 1000, values: arrayOf(bool) },
  'bytea[]': { oid: 1001, values: arrayOf(bytea) },
  'int2[]': { oid: 1005, values: arrayOf(int2) },
  'int4[]': { oid: 1007, values: arrayOf(int4) },
  'oid[]': { oid: 1028, values: arrayOf(oid) },
  'int8[]': { oid: 1016, values: arrayOf(int8) },
  'float4[]': { oid: 1021, values: arrayOf(float4) },
  'float8[]': { oid: 1022, values: arrayOf(float8) },
  'numeric[]': { oid: 1231, values: arrayOf(numeric) },
  'text[]': { oid: 1009, values: arrayOf(text) },
  'varchar[]': { oid: 1015, values: arrayOf(text) },
  'date[]': { oid: 1182, values: arrayOf(date) },
  'timestamp[]': { oid: 1115, values: arrayOf(timestamp) },
  'timestamptz[]': { oid: 1185, values: arrayOf(timestamptz) },
  'interval[]': { oid: 1187, values: arrayOf(interval) },
  'json[]': { oid: 199, values: arrayOf(json) },
  'point[]': { oid: 1017, values: arrayOf(point) },
  'money[]': { oid: 791, values: arrayOf(numeric.map((n) => `$${n}`)) },
  'box[]': { oid: 1020, values: arrayOf(fc.tuple(point, point).map(String), ';') },
}

/** Letters that the grammars of values are made of, thrown together. */
const garbage = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      ...'0123456789+-.eE:,;{}[]()<>"\\ =TZtfNULBCxyInfinitydays\n',
      'é',
      '日',
      '😀',
      '\u0000'
    ),
    maxLength: 30,
  }),
  text
)

module.exports = { GENERATED, garbage }
