'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { same, flavours, connect } = require('../support/query')

// Reports from the field about dates and times.

const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184
const INTERVAL = 1186

process.env.TZ = 'America/New_York'

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
const iso = (/** @type {any} */ value) =>
  value instanceof Date && !isNaN(value.getTime()) ? value.toISOString() : value

// porsager/postgres#728, #1184, n8n-io/n8n#11225, pg-nano/pg-nano#48
test('F32: infinity is a number, alone and in arrays', async () => {
  for (const oid of [DATE, TIMESTAMP, TIMESTAMPTZ]) {
    assert.deepEqual(await read(oid, ['infinity', '-infinity', null]), [Infinity, -Infinity, null])
  }
  for (const oid of [1182, 1115, 1185]) {
    assert.deepEqual(await read(oid, ['{infinity,NULL,-infinity}', '{NULL}']), [
      [Infinity, null, -Infinity],
      [null],
    ])
  }
})

test('F32: what a Date cannot hold is a Date that is invalid, and the last one it can hold is right', async () => {
  const [beyond, last, after] = await read(TIMESTAMPTZ, [
    '294276-12-31 23:59:59.999999+00',
    '275760-09-13 00:00:00+00',
    '275760-09-13 00:00:00.001+00',
  ])
  for (const value of [beyond, after, ...(await read(DATE, ['5874897-12-31']))]) {
    assert.ok(value instanceof Date)
    assert.ok(isNaN(value.getTime()))
  }
  assert.equal(last.getTime(), 8.64e15)
})

// bendrucker/postgres-date#14, #16, #10, brianc/node-postgres#1200, #1207, oven-sh/bun#39441, MagicStack/asyncpg#364
test('F34: microseconds are cut towards the past', async () => {
  const values = await read(TIMESTAMPTZ, [
    '2024-01-01 00:00:00.242999+00',
    '1969-12-31 23:59:59.999999+00',
    '1969-12-31 23:59:59.0005+00',
    '1970-01-01 00:00:00.0009+00',
    '2024-01-01 00:00:00.57+00',
    '2024-01-01 00:00:00.1+00',
    '2024-01-01 00:00:00.019+00',
    '1883-11-18 12:00:00.1239+00',
  ])
  assert.deepEqual(values.map(iso), [
    '2024-01-01T00:00:00.242Z',
    '1969-12-31T23:59:59.999Z',
    '1969-12-31T23:59:59.000Z',
    '1970-01-01T00:00:00.000Z',
    '2024-01-01T00:00:00.570Z',
    '2024-01-01T00:00:00.100Z',
    '2024-01-01T00:00:00.019Z',
    '1883-11-18T12:00:00.123Z',
  ])
})

test('F34: all 1000 milliseconds and fractions of all lengths, before and after 1970', async () => {
  const fractions = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'))
  const cells = fractions.flatMap((digits, i) => [
    `2024-01-01 00:00:00.${digits}+00`,
    `1969-12-31 23:59:59.${digits}999+00`,
    `1901-02-03 04:05:06.${digits}${i % 10}+05:30`,
    `2024-01-01 00:00:00.${digits.replace(/0+$/, '') || '0'}+00`,
  ])
  const columns = [{ name: 'v', dataTypeID: TIMESTAMPTZ }]
  const { native } = await same({ replies: [{ columns, rows: cells.map((cell) => [cell]) }] })
  for (const [i, { v }] of native.rows.entries()) assert.equal(((v.getTime() % 1000) + 1000) % 1000, i >> 2)
})

// denodrivers/postgres#402, brianc/node-postgres#471
test('F35: another DateStyle than ISO gives null', async () => {
  for (const cell of ['18.08.2026 00:00:00 UTC', '08/18/2026 00:00:00 UTC', 'Tue Aug 18 00:00:00 2026 UTC']) {
    assert.deepEqual(await read(TIMESTAMPTZ, [cell]), [null])
    assert.deepEqual(await read(TIMESTAMP, [cell.replace(' UTC', '')]), [null])
  }
  for (const cell of ['18.08.2026', '18/08/2026', '08-18-2026'])
    assert.deepEqual(await read(DATE, [cell]), [null])
  const times = ['12:34:56.789', '12:34:56+05:30']
  assert.deepEqual(await read(1083, times), times)
  assert.deepEqual(await read(1266, times), times)
})

// brianc/node-postgres#1380, bendrucker/postgres-interval#49, #12, #54, brianc/node-pg-types#16, psycopg/psycopg2#1835
test('F36: intervals', async () => {
  const { PostgresInterval } = flavours().native
  const cells = [
    '-13 days -00:40:17.545936',
    '04:20:00.069',
    '-00:00:00.5',
    '00:00:00',
    '100:00:00.000001',
    '1 year 2 mons -3 days +04:05:06.789',
    '-1 mons +1 day -00:00:01',
  ]
  const values = await read(INTERVAL, cells)
  assert.deepEqual(
    values.map((value) => ({ ...value })),
    [
      { days: -13, minutes: -40, seconds: -17, milliseconds: -545.936 },
      { hours: 4, minutes: 20, milliseconds: 69 },
      { milliseconds: -500 },
      {},
      { hours: 100, milliseconds: 0.001 },
      { years: 1, months: 2, days: -3, hours: 4, minutes: 5, seconds: 6, milliseconds: 789 },
      { months: -1, days: 1, seconds: -1 },
    ]
  )
  for (const value of values) assert.ok(value instanceof PostgresInterval, 'may be sent back as a parameter')
  assert.equal(values[5].toPostgres(), '6.789 seconds 5 minutes 4 hours -3 days 2 months 1 years')
  assert.equal(values[5].toISO(), 'P1Y2M-3DT4H5M6.789S')
})

test('F36: styles that are not parsed give an empty interval, 31 digits return at once', async () => {
  const { PostgresInterval } = flavours().native
  for (const cell of ['P1Y2M3DT4H5M6S', '@ 1 year 2 mons', '+1-2 -3 +4:05:06', `0:0:0.${'0'.repeat(31)}`]) {
    const [value] = await read(INTERVAL, [cell])
    assert.ok(value instanceof PostgresInterval)
  }
  const [iso] = await read(INTERVAL, ['P1Y2M3DT4H5M6S'])
  assert.deepEqual(Object.keys(iso), [])
})

test('29 February of 1 BC is a day', async () => {
  const { client, backend } = await connect(flavours().native)
  for (const zone of ['America/New_York', 'UTC', 'Asia/Kathmandu']) {
    process.env.TZ = zone
    const columns = [DATE, TIMESTAMP, TIMESTAMPTZ, TIMESTAMPTZ].map((dataTypeID, i) => ({
      name: `c${i}`,
      dataTypeID,
    }))
    const cells = [
      '0001-02-29 BC',
      '0001-02-29 12:34:56 BC',
      '0001-02-29 12:34:56+00 BC',
      '0001-02-29 12:34:56.789+05:30 BC',
    ]
    backend.replies.push({ columns, rows: [cells, cells, cells, cells, cells] })
    const { rows } = await client.query({ text: 'select', rowMode: 'array' })
    for (const [date, timestamp, utc, east] of rows) {
      for (const local of [date, timestamp]) {
        assert.deepEqual([local.getFullYear(), local.getMonth(), local.getDate()], [0, 1, 29], zone)
      }
      assert.deepEqual([timestamp.getHours(), timestamp.getMinutes(), timestamp.getSeconds()], [12, 34, 56])
      assert.equal(utc.toISOString(), '0000-02-29T12:34:56.000Z')
      assert.equal(east.toISOString(), '0000-02-29T07:04:56.789Z')
    }
  }
  process.env.TZ = 'America/New_York'
  await client.end()
})
