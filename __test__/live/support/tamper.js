'use strict'

// Makes the demo's process with register give one wrong value, to see that the demo notices.

if (process.execArgv.some((argument) => argument.includes('register'))) {
  const { Client } = require('pg')
  const { query } = Client.prototype
  Client.prototype.query = async function (/** @type {any[]} */ ...args) {
    const result = await query.apply(this, args)
    for (const row of result.rows) if (row.c_text === 'row 40') row.c_text = 'row 04'
    return result
  }
}
