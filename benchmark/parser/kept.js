'use strict'

const { weigh } = require('../lib/heap')
const { slowCopy } = require('../lib/chunk-writer')
const { digestOfRows } = require('./digest')
const { buildStream } = require('./streams')

/**
 * Keeps the `fields` of every row of a stream and says what that holds. Needs `--expose-gc`.
 *
 * The parser gets a copy of each chunk that nothing else refers to, as from a socket: if a row's strings kept their chunk
 * alive, it would have to show.
 * @param {import('./contenders').ParserClass} Parser
 * @param {{stream: string, scale?: number}} what
 */
const measureKept = async (Parser, { stream: name, scale }) => {
  const stream = buildStream(name, scale)
  const parser = new Parser()
  warm(parser, stream.chunks)

  const { value: kept, ...weight } = await weigh(() => {
    const rows = /** @type {unknown[]} */ ([])
    for (const chunk of stream.chunks) {
      parser.parse(slowCopy(chunk), (message) => {
        if (message.name === 'dataRow') rows.push(message.fields)
      })
    }
    return rows
  })
  if (kept.length !== stream.rows) throw new Error(`${kept.length} rows kept in place of ${stream.rows}`)
  return { ...weight, digest: digestOfRows(kept) }
}

/**
 * What a parser makes once for all (code, scratch memory) is not what the rows hold.
 * @param {{parse(chunk: Buffer, callback: (message: any) => void): void}} parser
 * @param {Buffer[]} chunks
 */
const warm = (parser, chunks) => {
  for (const chunk of chunks) parser.parse(slowCopy(chunk), (message) => void message.fields)
}

module.exports = { measureKept }
