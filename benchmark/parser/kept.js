'use strict'

const { performance } = require('node:perf_hooks')
const { setImmediate: turn } = require('node:timers/promises')
const { GcWatch } = require('../lib/gc-watch')
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

  await collect()
  const before = held()
  const watch = new GcWatch()
  watch.start()
  const start = performance.now()
  const kept = /** @type {unknown[]} */ ([])
  for (const chunk of stream.chunks) {
    parser.parse(slowCopy(chunk), (message) => {
      if (message.name === 'dataRow') kept.push(message.fields)
    })
  }
  const ms = performance.now() - start
  const { collections, pauseMs } = await watch.stop()
  await collect()
  const bytes = held() - before

  if (kept.length !== stream.rows) throw new Error(`${kept.length} rows kept in place of ${stream.rows}`)
  return { bytes, ms, collections, gcPauseMs: pauseMs, digest: digestOfRows(kept) }
}

/**
 * What a parser makes once for all (code, scratch memory) is not what the rows hold.
 * @param {{parse(chunk: Buffer, callback: (message: any) => void): void}} parser
 * @param {Buffer[]} chunks
 */
const warm = (parser, chunks) => {
  for (const chunk of chunks) parser.parse(slowCopy(chunk), (message) => void message.fields)
}

const collect = async () => {
  for (let i = 0; i < 4; i++) {
    ;/** @type {() => void} */ (globalThis.gc)()
    await turn()
  }
}

/** `external` includes the memory of Buffers. */
const held = () => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

module.exports = { measureKept }
