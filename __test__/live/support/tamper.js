'use strict'

// Makes the demo's native process give one wrong value, to see that the demo notices.

if (process.execArgv.some((argument) => argument.includes('register'))) {
  const { prototype } = require('pg/lib/result.js')
  const { parseRow } = prototype
  prototype.parseRow = function (/** @type {any} */ fields) {
    const row = parseRow.call(this, fields)
    if (row.c_text === 'row 40') row.c_text = 'row 04'
    return row
  }
}
