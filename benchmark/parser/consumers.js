'use strict'

// What an application does with the messages. A consumer is made anew for each process, so its functions see one
// parser's messages only. `seen()` says how many rows came by: a pass that lost rows must not count.

/**
 * @typedef {{
 *   onMessage: (message: any) => void,
 *   seen: () => number,
 *   reads: (message: any) => unknown,
 * }} Consumer `reads`: what this consumer looks at in a row, for the check of the answers
 * @typedef {{columns: number, ownCells: boolean}} Shape `ownCells`: rows have `text(i)`
 */

/** What escapes to here cannot be optimised away, neither the message nor what was read from it. */
let last = /** @type {unknown} */ (null)

/** Every consumer looks at `name`: that is how `pg` and all others tell messages apart. */
const never = () => {
  let rows = 0
  return {
    onMessage: (/** @type {any} */ message) => {
      last = message
      if (message.name === 'dataRow') rows++
    },
    seen: () => rows,
    reads: () => null,
  }
}

const fields = () => {
  let rows = 0
  return {
    onMessage: (/** @type {any} */ message) => {
      if (message.name === 'dataRow') {
        last = message.fields
        rows++
      }
    },
    seen: () => rows,
    reads: (/** @type {any} */ message) => message.fields,
  }
}

/** Reads `fields` and looks into each cell, as whatever converts rows has to. */
const cells = () => {
  let rows = 0
  let sum = 0
  return {
    onMessage: (/** @type {any} */ message) => {
      if (message.name === 'dataRow') {
        const { fields } = message
        for (let i = 0; i < fields.length; i++) {
          const cell = fields[i]
          if (cell !== null) sum += cell.length === 0 ? 1 : cell.charCodeAt(0)
        }
        last = sum
        rows++
      }
    },
    seen: () => rows,
    reads: (/** @type {any} */ message) => message.fields,
  }
}

/**
 * Reads one cell in the middle of each row: `text(i)` where there is one, `fields[i]` where not.
 * @param {Shape} shape
 */
const text = ({ columns, ownCells }) => {
  const column = columns >> 1
  const read = ownCells
    ? (/** @type {any} */ message) => message.text(column)
    : (/** @type {any} */ message) => message.fields[column]
  let rows = 0
  return {
    onMessage: (/** @type {any} */ message) => {
      if (message.name === 'dataRow') {
        last = read(message)
        rows++
      }
    },
    seen: () => rows,
    reads: read,
  }
}

/** @type {Record<string, {title: string, create: (shape: Shape) => Consumer}>} */
const CONSUMERS = {
  never: { title: 'never reads a cell', create: never },
  fields: { title: 'reads `fields`', create: fields },
  cells: { title: '`fields` and each cell', create: cells },
  text: { title: 'one cell, `text(i)`', create: text },
}

module.exports = { CONSUMERS, leftover: () => last }
