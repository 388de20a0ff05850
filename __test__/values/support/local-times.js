'use strict'

// Compares lib/local-time.js with postgres-date in the zone of this process. Run by itself it prints what it found.

const fc = require('fast-check')
const { localToDate, followZone } = require('../../../lib/local-time')
const parseDate = require('postgres-date')

const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * The text of a time as a server sends it.
 * @param {number} wall milliseconds since 1970 on a clock without zone rules
 */
const textOf = (wall) => {
  const date = new Date(wall)
  const year = date.getUTCFullYear()
  const rest = date.toISOString().slice(-20, -1).replace('T', ' ')
  return String(year > 0 ? year : 1 - year).padStart(4, '0') + rest + (year > 0 ? '' : ' BC')
}

/**
 * When the zone's offset changes, to the minute: all changes that are a week apart at least.
 * @param {number} from
 * @param {number} to
 */
const changesBetween = (from, to) => {
  const offsetAt = (/** @type {number} */ time) => new Date(time).getTimezoneOffset()
  const changes = []
  for (let time = from; time < to; time += 3 * DAY) {
    let [before, after] = [time, time + 3 * DAY]
    const old = offsetAt(before)
    if (offsetAt(after) === old) continue
    while (after - before > 60_000) {
      const middle = before + Math.floor((after - before) / 2)
      if (offsetAt(middle) === old) before = middle
      else after = middle
    }
    changes.push(after - old * 60_000)
  }
  return changes
}

/** Walls around each change of the zone, from the day before to the day after it. */
const wallsAtChanges = () =>
  changesBetween(Date.UTC(1840, 0), Date.UTC(2050, 0)).flatMap((change) => {
    const minutes = [-1500, -1441, -181, -121, -120, -119, -61, -60, -59, -31, -30, -1, 0]
    const steps = [...minutes, ...minutes.map((minute) => -minute)].map((minute) => minute * 60_000)
    return steps.flatMap((step) => [change + step - 1, change + step, change + step + 1])
  })

/** Walls where the calendar turns, and where dates end. */
const wallsAtTurns = () => {
  const years = [
    -4713, -100, -4, -1, 0, 1, 4, 50, 99, 100, 101, 1000, 1582, 1900, 1969, 1970, 1999, 2000, 2038, 9999,
    10000,
  ]
  const walls = years.flatMap((year) => {
    const start = new Date(0).setUTCFullYear(year, 0, 1)
    return [start - 1, start, start + 59 * DAY, start + 60 * DAY, start + 183 * DAY]
  })
  for (const hours of [0, 1, 5, 12, 13, 14, 15, 16]) {
    walls.push(
      8.64e15 - hours * HOUR,
      8.64e15 - hours * HOUR - 1,
      -8.64e15 + hours * HOUR,
      -8.64e15 + hours * HOUR + 1
    )
  }
  return walls
}

const wall = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: Date.UTC(1880, 0), max: Date.UTC(2100, 0) }) },
  // years 0 to 99, which postgres-date takes by way of the twentieth century
  { weight: 2, arbitrary: fc.integer({ min: -62_168_000_000_000, max: -59_000_000_000_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -8.64e15, max: 8.64e15 }) }
)

/** The leap day of 1 BC is a decided difference. */
const isDecided = (/** @type {string} */ text) => /^0001-02-29.* BC$/.test(text)

/**
 * @param {number} runs of the random part
 * @returns {{ zone: string, changes: number, checked: number, failures: string[] }}
 */
const compareLocalTimes = (runs) => {
  followZone()
  /** @type {string[]} */
  const failures = []
  let checked = 0
  const check = (/** @type {number} */ time) => {
    const text = textOf(time)
    if (isDecided(text)) return true
    checked++
    const [stock, ours] = [parseDate(text), localToDate(time)]
    return Object.is(stock.getTime(), ours.getTime()) && ours instanceof Date
  }
  const changes = wallsAtChanges()
  // twice, in both directions: what is remembered of a span must not depend on who asked first
  const fixed = [...changes, ...wallsAtTurns(), ...wallsAtTurns().reverse(), ...changes.reverse()]
  for (const time of fixed) {
    if (!check(time)) failures.push(textOf(time))
  }
  const { counterexample } = fc.check(fc.property(wall, check), { numRuns: runs })
  if (counterexample) failures.push(textOf(counterexample[0]))
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return { zone, changes: changes.length, checked, failures }
}

module.exports = { compareLocalTimes }

if (require.main === module) {
  process.stdout.write(JSON.stringify(compareLocalTimes(Number(process.argv[2]))))
}
