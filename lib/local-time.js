'use strict'

/**
 * From a time on the wall clock to a `Date`, by the rules of the local zone.
 *
 * The simple version is stock's, `new Date(year, month, day, ...)`: it takes a date apart that was just put
 * together and asks V8 for the zone's rules twice, 200 to 600 ns. Here the offset from UTC is remembered for
 * each span of three days; only where it changes within one the constructor is asked each time.
 */

/**
 * Length of a span, 3.1 days. Between the two ends only one change may lie, else equal offsets at both would say
 * nothing about the times between: the shortest summer time of the tz database took four days (Freetown, 1939).
 */
const SPAN = 2 ** 28
/** Spans that are remembered, 35 years when they are neighbours. A power of two. */
const SLOTS = 4096
const DAY = 86_400_000
const MAX = 8.64e15

const EMPTY = 0x7fffffff
/** In place of an offset: it changes within the span, or the constructor has a will of its own there. */
const ASK = 0x7fffffff

/** `postgres-date` takes years below 100 by way of the twentieth century and its gaps. */
const YEAR_0 = Date.parse('0000-01-01T00:00:00Z')
const YEAR_100 = Date.parse('0100-01-01T00:00:00Z')

const spans = new Int32Array(SLOTS).fill(EMPTY)
/** Milliseconds to take from the wall clock to get UTC; they fit into an Int32. */
const offsets = new Int32Array(SLOTS)

let zone = process.env.TZ
let DateOfZone = Date

/**
 * The date that stock makes of the same time.
 *
 * @param {number} wall milliseconds from 1970-01-01 00:00:00 to the time, as if no zone had rules
 */
function localToDate(wall) {
  const span = Math.floor(wall / SPAN)
  const slot = span & (SLOTS - 1)
  if (spans[slot] !== span && !remember(span, slot)) return ask(wall)
  const offset = offsets[slot]
  return offset === ASK ? ask(wall) : new Date(wall - offset)
}

/**
 * Forgets what it knows of the zone if that has changed: to be called before dates are made, once for many.
 * A test may have set another `process.env.TZ`, or another `Date` with zones of its own.
 */
function followZone() {
  const { TZ } = process.env
  if (TZ === zone && Date === DateOfZone) return
  zone = TZ
  DateOfZone = Date
  spans.fill(EMPTY)
}

/**
 * @param {number} span
 * @param {number} slot
 */
function remember(span, slot) {
  const start = span * SPAN
  const end = start + SPAN
  // false for NaN too
  if (!(start > -MAX && end < MAX)) return false
  const offset = start - ask(start).getTime()
  const steady = offset === end - ask(end).getTime() && (end < YEAR_0 || start > YEAR_100)
  offsets[slot] = steady ? offset : ASK
  spans[slot] = span
  return true
}

/**
 * As `postgres-date` asks for it. Only the leap day of the year 0 is another: stock gets 1 March, since 1900 has none.
 *
 * @param {number} wall
 */
function ask(wall) {
  // The local zone may bring back what UTC cannot hold.
  const shift = Math.abs(wall) <= MAX ? 0 : 4 * Math.sign(wall)
  const utc = new Date(wall - shift * DAY)
  const year = utc.getUTCFullYear()
  const month = utc.getUTCMonth()
  const day = utc.getUTCDate()
  const century = year === 0 && month === 1 && day === 29 ? 2000 : year
  const date = new Date(
    century,
    month,
    day + shift,
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
    utc.getUTCMilliseconds()
  )
  if (year >= 0 && year < 100) date.setFullYear(year)
  return date
}

module.exports = { localToDate, followZone }
