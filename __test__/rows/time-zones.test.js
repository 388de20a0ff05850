'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { openPair, closePair, same } = require('../support/query')
const { readCorpus } = require('../support/values')

// Dates and timestamps without a zone are local time: gaps and overlaps at different hours, half hours, zones that
// skipped a day, local mean time of before 1900 with its seconds, zones on both ends of the day.

const ZONES = [
  'UTC',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Europe/Dublin',
  'Europe/Amsterdam',
  'Africa/Monrovia',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Antarctica/Troll',
]

const CORPORA = ['dates', 'timestamps', 'timestamps-with-zone'].flatMap((name) => {
  const { types, values } = readCorpus(name)
  return Object.entries(types).map(([type, oid]) => ({ type, oid, values }))
})

/** Each half hour around the changes of one zone. */
const around = (/** @type {string[]} */ days) =>
  days.flatMap((day) =>
    Array.from({ length: 48 }, (_, i) => {
      const hour = String(i >> 1).padStart(2, '0')
      return Buffer.from(`${day} ${hour}:${i & 1 ? '30:00' : '00:00.001'}`)
    })
  )

const CHANGES = around([
  '1883-11-18', // New York gets standard time
  '1937-07-01', // Amsterdam
  '1945-08-14',
  '1972-01-07', // Monrovia
  '2011-12-30', // a day that Apia never had
  '2018-11-04', // Sao Paulo has no midnight
  '2019-02-16',
  '2021-03-14',
  '2021-03-28',
  '2021-04-04', // Lord Howe goes back by half an hour
  '2021-10-03',
  '2021-10-31',
  '2021-11-07',
  '2022-03-21', // Tehran
  '2022-03-27', // Troll goes forward by two hours
])

const zoneBefore = process.env.TZ
test.after(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

for (const zone of ZONES) {
  test(zone, async () => {
    process.env.TZ = zone
    assert.equal(new Intl.DateTimeFormat().resolvedOptions().timeZone === 'UTC', zone === 'UTC')
    const pair = await openPair()
    for (const { type, oid, values } of CORPORA) {
      const columns = [{ name: 'v', dataTypeID: oid }]
      const rows = [...values, ...(type === 'timestamp' ? CHANGES : [])].map((value) => [value])
      await same({ on: pair, replies: [{ columns, rows }], made: 'some', at: `${zone}, ${type}` })
      await same({
        on: pair,
        replies: [{ columns, rows: rows.toReversed() }],
        query: { text: 'select', rowMode: 'array' },
        made: 'some',
        at: `${zone}, ${type}, in reverse`,
      })
    }
    await closePair(pair)
  })
}

test('the zone changes between two queries, and between two rows', async () => {
  const pair = await openPair()
  const columns = [
    { name: 'day', dataTypeID: 1082 },
    { name: 'moment', dataTypeID: 1114 },
  ]
  const rows = Array.from({ length: 40 }, (_, i) => [
    `2021-07-${String((i % 28) + 1).padStart(2, '0')}`,
    '2021-07-01 12:00:00',
  ])
  for (const zone of ['America/New_York', 'Asia/Kathmandu', 'UTC', 'America/New_York']) {
    process.env.TZ = zone
    await same({ on: pair, replies: [{ columns, rows }], at: zone })
  }
  await same({
    on: pair,
    replies: [{ columns, rows }],
    at: 'between two rows',
    made: 'some',
    run: async ({ pg, client }) => {
      process.env.TZ = 'UTC'
      const got = /** @type {any[]} */ ([])
      const query = client.query(new pg.Query({ text: 'select' }))
      query.on('row', (/** @type {any} */ row) => {
        got.push(row)
        if (got.length === 10) process.env.TZ = 'Australia/Lord_Howe'
      })
      await new Promise((resolve) => query.once('end', resolve))
      return got
    },
  })
  await closePair(pair)
})
