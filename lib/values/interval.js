'use strict'

/**
 * Intervals in the style `postgres`, as `postgres-interval` reads them: `1 year 2 mons -3 days +04:05:06.789`.
 *
 * The simple version, and stock's, is a regular expression of twelve groups whose matches are walked by name. Here the
 * text is walked once. Other styles and garbage are left to stock.
 */

const { isDeepStrictEqual } = require('node:util')

const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const COLON = 0x3a
const BLANK = 0x20

/** @typedef {(text: string) => any} Convert */

/** Whether another version of the class would read them in another way. */
const PROBES = [
  '00:00:00',
  '1 year 2 mons -3 days +04:05:06.789',
  '-1 years -2 mons +1 day -00:40:17.545936',
  '100:00:00.000001',
]

/**
 * Makes a faster twin of pg-types' interval parser; gives that one itself where it reads intervals in another way.
 *
 * @param {Convert} stock makes the intervals of the application's own class
 * @returns {Convert}
 */
function createIntervalParser(stock) {
  /** Makes an object of stock's class without its constructor, which would parse. */
  function Interval() {}
  Interval.prototype = Object.getPrototypeOf(stock('00:00:00'))
  const create = () => new /** @type {any} */ (Interval)()
  /** @type {Convert} */
  const parse = (text) => readInterval(text, create) ?? stock(text)
  return PROBES.every((probe) => isDeepStrictEqual(parse(probe), stock(probe))) ? parse : stock
}

/**
 * @param {string} text
 * @param {() => any} create
 * @returns {any} undefined where the text is not what a server prints
 */
function readInterval(text, create) {
  const end = text.length
  let at = 0
  /** What was read last: 1 years, 2 months, 3 days, 4 the time. */
  let last = 0
  let years = 0
  let months = 0
  let days = 0
  let hours = 0
  let minutes = 0
  let seconds = 0
  let micros = 0
  let negative = false
  do {
    const sign = text.charCodeAt(at)
    if (sign === MINUS || sign === PLUS) at++
    const start = at
    let value = 0
    let digit = text.charCodeAt(at) - 0x30
    while (digit >= 0 && digit <= 9) {
      value = value * 10 + digit
      digit = text.charCodeAt(++at) - 0x30
    }
    if (at === start || at - start > 15) return undefined
    if (text.charCodeAt(at) === COLON) {
      hours = value
      minutes = twoDigits(text, at + 1)
      seconds = twoDigits(text, at + 4)
      if (!(minutes >= 0 && seconds >= 0) || text.charCodeAt(at + 3) !== COLON) return undefined
      at += 6
      if (text.charCodeAt(at) === POINT) {
        micros = readMicros(text, at + 1)
        if (micros < 0) return undefined
        at = end
      }
      if (at !== end) return undefined
      negative = sign === MINUS
      break
    }
    if (sign === MINUS) value = -value
    const unit = readUnit(text, at)
    if (unit <= last) return undefined
    last = unit
    if (unit === 1) years = value
    else if (unit === 2) months = value
    else days = value
    at = unitEnd
  } while (at++ < end)
  return fill(create(), years, months, days, hours, minutes, seconds, micros, negative ? -1 : 1)
}

/** Where the unit ends that was read last: at a blank or at the text's end. */
let unitEnd = 0

/**
 * ` years` or ` year` is 1, ` mons` 2, ` days` 3, anything else 0.
 *
 * @param {string} text
 * @param {number} at
 */
function readUnit(text, at) {
  if (text.charCodeAt(at) !== BLANK) return 0
  const unit = text.startsWith('day', at + 1)
    ? 3
    : text.startsWith('mon', at + 1)
      ? 2
      : text.startsWith('year', at + 1)
        ? 1
        : 0
  unitEnd = at + (unit === 1 ? 5 : 4)
  if (text.charCodeAt(unitEnd) === 0x73) unitEnd++
  // behind a blank something must follow
  const ends = unitEnd === text.length || (text.charCodeAt(unitEnd) === BLANK && unitEnd + 1 < text.length)
  return ends ? unit : 0
}

/**
 * @param {string} text
 * @param {number} at
 */
function twoDigits(text, at) {
  const tens = text.charCodeAt(at) - 0x30
  const ones = text.charCodeAt(at + 1) - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN
}

/**
 * One to six digits up to the end of the text; negative where there is anything else.
 *
 * @param {string} text
 * @param {number} at
 */
function readMicros(text, at) {
  if (at === text.length || text.length > at + 6) return -1
  let value = 0
  for (let place = at; place < at + 6; place++) {
    const digit = place < text.length ? text.charCodeAt(place) - 0x30 : 0
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}

/**
 * Sets what is not 0, in stock's order.
 *
 * @param {any} interval
 * @param {number} years
 * @param {number} months
 * @param {number} days
 * @param {number} hours
 * @param {number} minutes
 * @param {number} seconds
 * @param {number} micros
 * @param {number} sign of the time
 */
function fill(interval, years, months, days, hours, minutes, seconds, micros, sign) {
  if (years !== 0) interval.years = years
  if (months !== 0) interval.months = months
  if (days !== 0) interval.days = days
  if (hours !== 0) interval.hours = hours * sign
  if (minutes !== 0) interval.minutes = minutes * sign
  if (seconds !== 0) interval.seconds = seconds * sign
  if (micros !== 0) interval.milliseconds = (micros / 1000) * sign
  return interval
}

module.exports = { createIntervalParser, readInterval }
