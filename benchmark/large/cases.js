'use strict'

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {import('./tables').TableName} table
 * @property {Consumer} consumer
 * @property {import('../lib/target').Target} [target] of register against stock
 *
 * @typedef {'kept' | 'dropped' | 'lazy' | 'two fields' | 'bytes' | 'never' | 'values' | 'decoded' | 'floor'} Consumer
 */

/** @type {(Case | {name: string, title: string, table: import('./tables').TableName, consumer: 'steps'})[]} */
const CASES = [
  {
    name: 'wide/kept',
    title: '100 000 x 40, rows kept',
    table: 'wide',
    consumer: 'kept',
    target: { least: 3 },
  },
  {
    name: 'wide/dropped',
    title: '100 000 x 40, `row` events, dropped',
    table: 'wide',
    consumer: 'dropped',
    target: { least: 3 },
  },
  {
    name: 'wide/fields',
    title: '100 000 x 40, 2 columns of `fields`',
    table: 'wide',
    consumer: 'two fields',
  },
  { name: 'wide/bytes', title: '100 000 x 40, `bytes` and `offset`', table: 'wide', consumer: 'bytes' },
  { name: 'wide/lazy', title: "100 000 x 40, `rowMode: 'lazy'`, 2 columns", table: 'wide', consumer: 'lazy' },
  {
    name: 'narrow/kept',
    title: '5000 x 5, rows kept',
    table: 'narrow',
    consumer: 'kept',
    target: { mostOfFloor: 1.4 },
  },
  { name: 'bytea/kept', title: 'a `bytea` of 50 MB', table: 'bytea', consumer: 'kept' },
  { name: 'wide/steps', title: '100 000 x 40', table: 'wide', consumer: 'steps' },
  { name: 'narrow/steps', title: '5000 x 5', table: 'narrow', consumer: 'steps' },
]

module.exports = { CASES }
