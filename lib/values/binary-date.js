'use strict'

/**
 * Timestamps in binary format as pg-types makes them: a `Date` with microseconds on the object itself.
 *
 * Stock makes three functions for each date; these are shared.
 */

/** @typedef {Date & { usec: number, getMicroSeconds: Function, setMicroSeconds: Function, getUTCMicroSeconds: Function }} BinaryDate */

/** @param {Function} method */
const nameless = (method) => Object.defineProperty(method, 'name', { value: '' })

// Stock's have no name.
const getMicroSeconds = nameless(
  /** @this {BinaryDate} */ function () {
    return this.usec
  }
)
const setMicroSeconds = nameless(
  /** @this {BinaryDate} */ function (/** @type {number} */ value) {
    this.usec = value
  }
)
const getUTCMicroSeconds = nameless(
  /** @this {BinaryDate} */ function () {
    return this.usec
  }
)

/**
 * A timestamp with time zone.
 *
 * @param {number} millis since 1970
 * @param {number} micros 0 to 999
 */
function zonedDate(millis, micros) {
  return withMicros(new Date(millis), micros)
}

/**
 * A timestamp without time zone: that time of the local zone, found as stock finds it, by the offset that
 * holds at the same time of UTC. Near a change of the offset this is not the date of the text format.
 *
 * @param {number} wall milliseconds of the wall clock since 1970
 * @param {number} micros 0 to 999
 */
function localDate(wall, micros) {
  const date = new Date(wall)
  date.setTime(wall + date.getTimezoneOffset() * 60_000)
  return withMicros(date, micros)
}

/**
 * @param {Date} date
 * @param {number} micros
 * @returns {BinaryDate}
 */
function withMicros(date, micros) {
  const result = /** @type {BinaryDate} */ (date)
  result.usec = micros
  result.getMicroSeconds = getMicroSeconds
  result.setMicroSeconds = setMicroSeconds
  result.getUTCMicroSeconds = getUTCMicroSeconds
  return result
}

module.exports = { zonedDate, localDate }
