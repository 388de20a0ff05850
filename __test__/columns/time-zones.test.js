'use strict'

const test = require('node:test')
const { openPair, closePair, same } = require('../support/query')
const { readCorpus } = require('../support/values')
const { asColumns } = require('./support/read-columns')

// Dates and timestamps without a zone are local time: zones of half hours, with a day that was skipped, without a
// midnight, and on both ends of the day.

const ZONES = [
  'UTC',
  'America/New_York',
  'America/Sao_Paulo',
  'Europe/Amsterdam',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
]

const zoneBefore = process.env.TZ
test.after(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

for (const zone of ZONES) {
  test(`dates and timestamps in ${zone}`, async () => {
    process.env.TZ = zone
    const pair = await openPair()
    for (const name of ['dates', 'timestamps', 'timestamps-with-zone']) {
      const { types, values } = readCorpus(name)
      for (const [type, oid] of Object.entries(types)) {
        const rows = values.flatMap((value, i) => (i % 7 === 0 ? [[value], [null]] : [[value]]))
        for (const rowMode of ['columns', 'columns-micros']) {
          await same({
            on: pair,
            replies: [{ columns: [{ name: 'v', dataTypeID: oid }], rows }],
            run: asColumns({}, rowMode),
            at: `${type} in ${zone}, as ${rowMode}`,
          })
        }
      }
    }
    await closePair(pair)
  })
}
