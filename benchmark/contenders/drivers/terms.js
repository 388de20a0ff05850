'use strict'

/**
 * Texts that pg-types makes objects of and other clients pass on.
 * @type {Record<string, (value: any) => any>}
 */
const OF_TEXT = {
  interval: (text) => {
    const [, days, hours, minutes, seconds] = /^(\d+) days? (\d+):(\d+):(\d+)$/.exec(text) ?? []
    return { days: Number(days), hours: Number(hours), minutes: Number(minutes), seconds: Number(seconds) }
  },
  point: (text) => {
    const [, x, y] = /^\((.+),(.+)\)$/.exec(text) ?? []
    return { x: Number(x), y: Number(y) }
  },
  circle: (text) => {
    const [, x, y, radius] = /^<\((.+),(.+)\),(.+)>$/.exec(text) ?? []
    return { x: Number(x), y: Number(y), radius: Number(radius) }
  },
}

/**
 * postgres.js reads a NULL in an array as if it were an element's text.
 * @param {any} value
 */
const withNulls = (value) =>
  Array.isArray(value) ? value.map((one) => (one === 'NULL' || Number.isNaN(one) ? null : one)) : value

/**
 * A row of a client that is not pg, as pg would give it.
 * @param {import('../../queries/columns').Column[]} columns
 * @param {any} row
 */
const inTermsOfPg = (columns, row) =>
  columns.map(({ name, type }, at) => {
    const value = Array.isArray(row) ? row[at] : row[name]
    return typeof value === 'string' && type in OF_TEXT ? OF_TEXT[type](value) : value
  })

module.exports = { inTermsOfPg, withNulls }
