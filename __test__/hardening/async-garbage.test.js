'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { inChild } = require('../support/child')

// Parsing is synchronous: a result of any size makes no promise, timer, tick or stream object per chunk or message.
// Counted by async_hooks, which hears of each of them, in a process of its own.

/** @param {(require: NodeJS.Require) => any} work */
const run = (work) => {
  const { result, stderr } = inChild(__filename, work)
  assert.ok(result, stderr)
  return result
}

test('the hook sees what it is there to see', () => {
  const seen = run(async () => {
    const { createHook } = require('node:async_hooks')
    const { Readable } = require('node:stream')
    const types = new Set()
    const hook = createHook({ init: (id, type) => void types.add(type) }).enable()
    await Promise.resolve()
    setTimeout(() => {}, 0)
    setImmediate(() => {})
    process.nextTick(() => {})
    new Readable({ read() {} }).push('x')
    hook.disable()
    return [...types]
  })
  for (const type of ['PROMISE', 'Timeout', 'Immediate', 'TickObject']) assert.ok(seen.includes(type), type)
})

test('a parser that is fed chunks: nothing at all, paused and resumed or not, read or not', () => {
  const counts = run((require) => {
    const { createHook } = require('node:async_hooks')
    const wire = require('../support/wire')
    const { inPieces } = require('../support/chunks')
    const { NativeParser } = require('../support/compare')
    const rows = Buffer.concat(
      Array.from({ length: 5000 }, (_, i) =>
        wire.dataRow([String(i), 'é', null, 'a text of some length', '漢'])
      )
    )
    const streams = [inPieces(rows, 65536), inPieces(rows, 100), [wire.header('d', 5_000_004)]]
    for (let i = 0; i < 50; i++) streams[2].push(Buffer.alloc(100_000))
    /** @type {Record<string, (parser: any) => (message: any) => void>} */
    const readers = {
      'reads nothing': () => () => {},
      'reads fields': () => (message) => void message.fields,
      'reads a cell': () => (message) => void (message.name === 'dataRow' && message.text(1)),
      pauses: (parser) => () => {
        parser.pause()
        parser.resume()
      },
    }
    /** @type {string[]} */
    const types = []
    /** @type {Record<string, number>} */
    const messages = {}
    for (const [name, reader] of Object.entries(readers)) {
      const hook = createHook({ init: (id, type) => void types.push(`${name}: ${type}`) }).enable()
      messages[name] = 0
      for (const chunks of streams) {
        const parser = new NativeParser()
        const read = reader(parser)
        for (const chunk of chunks) {
          parser.parse(chunk, (message) => {
            messages[name]++
            read(message)
          })
        }
      }
      hook.disable()
    }
    return { types, messages }
  })
  assert.deepEqual(counts.types, [])
  for (const count of Object.values(counts.messages)) assert.equal(count, 10_001)
})

test('queries of pg, plain and lazy, with events and without: as much for 50 000 rows as for 50', () => {
  const counts = run(async (require) => {
    const { createHook } = require('node:async_hooks')
    const { flavours, connect } = require('../support/query')
    const { inPieces } = require('../support/chunks')
    const wire = require('../support/wire')
    const { pg } = flavours().native
    const columns = [
      { name: 'a', dataTypeID: 23 },
      { name: 'b', dataTypeID: 25 },
      { name: 'c', dataTypeID: 1184 },
    ]
    const one = wire.dataRow(['7', 'some text of a row', '2024-01-01 00:00:00+00'])
    const answer = (/** @type {number} */ count) =>
      Buffer.concat([
        wire.rowDescription(columns),
        ...Array.from({ length: count }, () => one),
        wire.commandComplete(`SELECT ${count}`),
        wire.readyForQuery(),
      ])
    /** @type {Record<string, (query: any) => void>} */
    const kinds = {
      gathered: (query) => void (query.callback = () => {}),
      events: (query) => query.on('row', () => {}),
      lazy: (query) => query.on('row', (/** @type {any} */ row) => row.b),
    }
    /** @type {Record<string, Record<string, number>[]>} */
    const counted = {}
    for (const [kind, prepare] of Object.entries(kinds)) {
      counted[kind] = []
      // Once more than is counted: the first query has its own costs.
      for (const count of [50, 50, 50_000]) {
        const { client, backend } = await connect(flavours().native)
        backend.replies.push({ columns: null, tag: 'held' })
        backend.pump = () => {}
        const chunks = inPieces(answer(count), 65536)
        const query = new pg.Query({ text: 'select', rowMode: kind === 'lazy' ? 'lazy' : undefined })
        prepare(query)
        client.query(query)
        /** @type {Record<string, number>} */
        const types = { chunks: chunks.length }
        const hook = createHook({ init: (id, type) => void (types[type] = (types[type] ?? 0) + 1) }).enable()
        for (const chunk of chunks) backend.emit('data', chunk)
        hook.disable()
        counted[kind].push(types)
      }
    }
    return counted
  })
  for (const [kind, [, few, many]] of Object.entries(counts)) {
    const { chunks, ...types } = many
    assert.ok(chunks > 20, `${kind}: ${chunks} chunks`)
    delete few.chunks
    assert.deepEqual(types, few, kind)
  }
})
