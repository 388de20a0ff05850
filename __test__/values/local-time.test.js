'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const path = require('node:path')
const { execFileSync } = require('node:child_process')
const parseDate = require('postgres-date')
const { localToDate, followZone } = require('../../lib/local-time')
const { compareLocalTimes } = require('./support/local-times')

const runs = Number(process.env.PG_PROTOCOL_NATIVE_TEST_CASES ?? 2000)

const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  // lost a whole day in 2011
  'Pacific/Apia',
  // 44 minutes and 30 seconds behind UTC until 1972
  'Africa/Monrovia',
]

for (const zone of ZONES) {
  test(`a process that starts in ${zone} gets the dates of postgres-date`, () => {
    const script = path.join(__dirname, 'support', 'local-times.js')
    const output = execFileSync(process.execPath, [script, String(runs)], {
      env: { ...process.env, TZ: zone },
    })
    const { checked, changes, failures } = JSON.parse(output.toString())
    assert.deepEqual(failures, [])
    assert.ok(checked > runs)
    assert.equal(changes > 0, zone !== 'UTC')
  })
}

/** @param {string | undefined} zone */
const setZone = (zone) => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
}

test('a zone that changes while the process runs is followed', (t) => {
  const before = process.env.TZ
  t.after(() => {
    setZone(before)
    followZone()
  })
  // the shortest time between two changes, changes of half an hour, of seconds, and the years with three of them
  const zones = [
    'Africa/Freetown',
    'Australia/Lord_Howe',
    'America/Noronha',
    'Africa/Casablanca',
    'Asia/Gaza',
  ]
  for (const zone of [
    ...zones,
    'Europe/Dublin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Europe/Amsterdam',
    'UTC',
  ]) {
    setZone(zone)
    const { failures, changes } = compareLocalTimes(Math.ceil(runs / 10))
    assert.deepEqual(failures, [], zone)
    assert.equal(changes > 0, zone !== 'UTC', zone)
  }
})

test('a Date of a test framework is the one that is made', (t) => {
  const RealDate = Date
  t.after(() => {
    globalThis.Date = RealDate
    followZone()
  })
  class ShiftedDate extends RealDate {
    /** @param {any[]} parts */
    constructor(...parts) {
      // @ts-expect-error any of Date's forms
      super(...parts)
      if (parts.length > 1) this.setTime(this.getTime() + 1000)
    }
  }
  const wall = Date.UTC(2024, 4, 6, 7, 8, 9)
  localToDate(wall)
  globalThis.Date = /** @type {any} */ (ShiftedDate)
  followZone()
  const date = localToDate(wall)
  assert.ok(date instanceof ShiftedDate)
  assert.equal(date.getTime(), parseDate('2024-05-06 07:08:09').getTime())
})

test('what no date can hold is an invalid one', () => {
  for (const wall of [NaN, 8.64e15 + 2 * 86_400_000, -8.64e15 - 2 * 86_400_000, Infinity]) {
    const date = localToDate(wall)
    assert.ok(date instanceof Date)
    assert.ok(Number.isNaN(date.getTime()))
  }
})

test('the leap day of 1 BC is the day it is', () => {
  const date = localToDate(Date.parse('0000-02-29T12:34:56.789Z'))
  const { year, month, day } = { year: date.getFullYear(), month: date.getMonth(), day: date.getDate() }
  assert.deepEqual([year, month, day], [0, 1, 29])
  assert.deepEqual([date.getHours(), date.getMinutes(), date.getSeconds()], [12, 34, 56])
})
