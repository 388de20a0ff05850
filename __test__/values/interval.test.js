'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const parseInterval = require('postgres-interval')
const { createIntervalParser, readInterval } = require('../../lib/values/interval')

const runs = Number(process.env.PG_PROTOCOL_NATIVE_TEST_CASES ?? 2000)
const parse = createIntervalParser(parseInterval)

/** @param {() => any} work */
const outcome = (work) => {
  try {
    return { value: work() }
  } catch (error) {
    return { error: String(error) }
  }
}

/** @param {string} text */
const compare = (text) => {
  const [ours, theirs] = [outcome(() => parse(text)), outcome(() => parseInterval(text))]
  assert.deepStrictEqual(ours, theirs, text)
  assert.deepEqual(Object.entries(ours.value ?? {}), Object.entries(theirs.value ?? {}), text)
}
const isRead = (/** @type {string} */ text) => readInterval(text, () => ({})) !== undefined

test('F36: intervals of the style postgres are read without stock', () => {
  const texts = [
    '-13 days -00:40:17.545936',
    '04:20:00.069',
    '-00:00:00.5',
    '00:00:00',
    '100:00:00.000001',
    '1 year 2 mons -3 days +04:05:06.789',
    '-1 mons +1 day -00:00:01',
    '1 year',
    '-178000000 years',
    '1 mon',
    '0 days',
    '-0 days',
    '1 day 00:00:00',
    '1 year 1 day',
    '2562047788:00:54.775807',
  ]
  for (const text of texts) {
    assert.ok(isRead(text), text)
    compare(text)
  }
  assert.deepEqual(
    { ...parse('-13 days -00:40:17.545936') },
    { days: -13, minutes: -40, seconds: -17, milliseconds: -545.936 }
  )
  assert.deepEqual(Object.keys(parse('00:00:00')), [])
})

test('F36: the class is the one that the application has', () => {
  const interval = parse('1 year 2 mons -3 days +04:05:06.789')
  assert.ok(interval instanceof parseInterval)
  assert.equal(interval.constructor, parseInterval)
  const stock = /** @type {any} */ (parseInterval('1 year 2 mons -3 days +04:05:06.789'))
  assert.equal(interval.toPostgres(), stock.toPostgres())
  assert.equal(interval.toISO(), stock.toISO())
  assert.equal(require('node:util').inspect(interval), require('node:util').inspect(stock))
})

test('F36: other styles and garbage are left to stock', () => {
  const texts = [
    '',
    'P1Y2M-3DT4H5M6.789S',
    '@ 1 year 2 mons -3 days 4 hours 5 mins 6.789 secs',
    '+1-2 -3 +4:05:06.789',
    '1-2',
    `0:0:0.${'0'.repeat(31)}`,
    '00:00:00.',
    '00:00:00.1234567',
    '00:00',
    '00:00:0',
    '0:0:0',
    ':00:00',
    '1 day ',
    ' 1 day',
    '1  day',
    '1 day  00:00:01',
    '1 days2',
    '1 dayss',
    '1 day 1 year',
    '1 day 2 days',
    '1',
    '-',
    '+-1 day',
    '1.5 days',
    '1 week',
    '1 month',
    '00:00:01 1 day',
    '00:00:01x',
    '12345678901234567890 days',
    '١ day',
    'infinity',
    '-infinity',
  ]
  for (const text of texts) {
    assert.ok(!isRead(text), text)
    compare(text)
  }
})

test('an interval parser that reads in another way is kept', () => {
  const other = (/** @type {string} */ text) => ({ text })
  assert.equal(createIntervalParser(other), other)
})

test('whatever a server prints, and what is near it, is read as stock reads it', () => {
  const number = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer())
  const signed = fc
    .tuple(fc.constantFrom('', '+'), number)
    .map(([sign, value]) => (value < 0 ? '' : sign) + value)
  const part = (/** @type {string[]} */ ...units) =>
    fc.option(
      fc.tuple(signed, fc.constantFrom(...units)).map(([value, unit]) => `${value} ${unit}`),
      { nil: '' }
    )
  const clock = fc
    .tuple(fc.constantFrom('', '-', '+'), fc.nat(30), fc.nat(59), fc.nat(59), fc.option(fc.nat(999999)))
    .map(([sign, hours, minutes, seconds, micros]) => {
      const [h, m, s] = [hours, minutes, seconds].map((value) => String(value).padStart(2, '0'))
      const fraction = micros === null ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '') || '0'}`
      return `${sign}${h}:${m}:${s}${fraction}`
    })
  const interval = fc
    .tuple(part('year', 'years'), part('mon', 'mons'), part('day', 'days'), fc.option(clock, { nil: '' }))
    .map((parts) => parts.filter((text) => text !== '').join(' '))
  const damage = fc.array(fc.tuple(fc.nat(40), fc.constantFrom('', ' ', '-', ':', '.', '1', 'd', 's')), {
    maxLength: 2,
  })
  fc.assert(
    fc.property(interval, (text) => {
      assert.ok(text === '' || isRead(text), text)
      compare(text)
    }),
    { numRuns: runs }
  )
  fc.assert(
    fc.property(interval, damage, (text, changes) => {
      for (const [at, char] of changes) text = text.slice(0, at) + char + text.slice(at + 1)
      compare(text)
    }),
    { numRuns: runs }
  )
})
