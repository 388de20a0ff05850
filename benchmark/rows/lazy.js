'use strict'

const { answer } = require('./consumers')
const { buildStream } = require('./streams')

/**
 * Whether `rowMode: 'lazy'` gives lazy rows; pg takes a mode that it does not know for the usual one.
 * @param {import('./contenders').Contender} contender
 */
const hasLazyRows = async ({ open }) => {
  const { chunks, config } = buildStream('lazy', 0.00001)
  const { rows } = answer(await open(), chunks, config, null)
  return typeof rows[0].toObject === 'function'
}

module.exports = { hasLazyRows }
