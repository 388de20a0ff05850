'use strict'

const { slowCopy } = require('../lib/chunk-writer')
const { weigh } = require('../lib/heap')
const { answer, readerOf } = require('./consumers')
const { Digest } = require('./digest')
const { buildStream } = require('./streams')

/**
 * Keeps every row of a stream and says what that holds. Needs `--expose-gc`.
 *
 * The connection gets a copy of each chunk that nothing else refers to, as from a socket: if a row kept its chunk alive,
 * it would have to show.
 * @param {import('./contenders').Contender} contender
 * @param {{stream: string, scale?: number}} what
 */
const measureKept = async ({ open, made }, { stream: name, scale }) => {
  const stream = buildStream(name, scale)
  const { config, reads } = stream
  const receiver = await open()
  const copies = function* () {
    for (const chunk of stream.chunks) yield slowCopy(chunk)
  }
  // What is made once for all (code, scratch memory, shapes of rows) is not what the rows hold.
  answer(receiver, copies(), config, () => {})
  const madeBefore = made?.() ?? 0
  const { value: result, ...weight } = await weigh(() => {
    const result = answer(receiver, copies(), config, null)
    if (reads.length > 0) result.rows.forEach(readerOf(reads))
    return result
  })
  if (made !== null && made() - madeBefore !== stream.rows) {
    throw new Error(`${made() - madeBefore} of ${stream.rows} rows were built natively`)
  }
  const digest = new Digest()
  for (const row of result.rows) digest.row(row)
  digest.result(result)
  return { ...weight, digest: digest.end() }
}

module.exports = { measureKept }
