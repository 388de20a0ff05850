'use strict'

// The ways in which JavaScript reads the table. A reader gives its Parser, what it does with each row while the time
// runs, and how its cells are got at for the checksum.

const { loadParser } = require('../parser/contenders')

/**
 * @typedef {object} Reader
 * @property {import('../parser/contenders').ParserClass} Parser
 * @property {(row: any) => unknown} touch what is read of a row while it is timed
 * @property {(row: any) => (string | null)[]} cells
 */

const fields = (/** @type {any} */ row) => row.fields

/** @type {Record<string, () => Reader>} */
const READERS = {
  'lazy rows': () => ({
    Parser: loadParser('native'),
    touch: (row) => row.fieldCount,
    cells: (row) => Array.from({ length: row.fieldCount }, (_, i) => row.text(i)),
  }),
  fields: () => ({ Parser: loadParser('native'), touch: fields, cells: fields }),
  'pg-protocol': () => ({ Parser: loadParser('stock'), touch: fields, cells: fields }),
}

module.exports = { READERS }
