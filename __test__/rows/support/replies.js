'use strict'

// Answers that queries get, and ways to look at what a query makes of them.

const { same, pieces } = require('../../support/query')
const { columnsOf, rowsOf } = require('../../support/shapes')

/** @typedef {import('../../support/query').Context} Context */

const columns = columnsOf(['id', 'text', 'flag', 'at', 'amount'])
const reply = (count = 25, tag = `SELECT ${count}`) => ({ columns, rows: rowsOf(5, count), tag })
const other = { columns: columnsOf(['x', 'y']), rows: rowsOf(2, 9), tag: 'SELECT 9' }
const nothing = { columns: null, tag: 'CREATE TABLE' }
const insert = { columns: null, tag: 'INSERT 0 3' }

/** Whole, and cut: then some rows are in no chunk alone. @param {any} comparison */
const sameHoweverCut = async (comparison) => {
  await same(comparison)
  for (const size of [1, 100, 999])
    await same({ ...comparison, cut: pieces(size), made: comparison.made === 'none' ? 'none' : 'any' })
}

/** @param {Context} context @param {any} query emits `row` or not, and ends @param {(event: any[]) => void} [onEvent] */
const events = ({ client, log }, query, onEvent = () => {}) =>
  new Promise((resolve) => {
    query.on('row', (/** @type {any[]} */ ...args) => {
      log.push(['row', args.length, args[0]])
      onEvent(args)
    })
    query.on('error', (/** @type {any} */ error) => resolve(['error', error]))
    query.on('end', (/** @type {any[]} */ ...args) => resolve(['end', ...args]))
    client.query(query)
  })

module.exports = { columns, reply, other, nothing, insert, sameHoweverCut, events }
