'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { setTimeout: wait } = require('node:timers/promises')
const wire = require('../support/wire')
const { inChild } = require('../support/child')
const { NativeParser, StockParser, stockMessages, assertSameAsStock } = require('../support/compare')
const { messagesOf, guarded, everyWay } = require('../support/chunks')
const { createParse } = require('../../lib/stream')

// Reports from the field about lazy rows, memory, streaming and COPY, as far as they are the parser's business.

const MIB = 1024 * 1024

// joist-orm/joist-orm#1944, panates/postgrejs#69, jackc/pgx#845, exedealer/pgwire#29, brianc/node-postgres#852
test('F50: a lazy row does not pin its chunk once it was detached', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const cells = Array.from({ length: 40 }, (_, i) => `column ${i} of a row`)
      const row = wire.dataRow(cells)
      const perChunk = Math.floor(65536 / row.length)
      const chunkOf = () =>
        Buffer.from(new Uint8Array(Buffer.concat(Array.from({ length: perChunk }, () => row))).buffer)
      const parser = new NativeParser()
      const run = (/** @type {(row: any) => any} */ keep) => {
        const kept = /** @type {any[]} */ ([])
        for (let i = 0; i < 1000; i++) {
          let first = true
          parser.parse(chunkOf(), (message) => {
            if (first) kept.push(keep(message))
            first = false
          })
        }
        globalThis.gc?.()
        globalThis.gc?.()
        const { heapUsed, arrayBuffers, external } = process.memoryUsage()
        return {
          kept: kept.length,
          bytes: heapUsed + Math.max(arrayBuffers, external),
          last: kept.at(-1).text(39),
        }
      }
      run((message) => message.detach())
      globalThis.gc?.()
      const { heapUsed, arrayBuffers, external } = process.memoryUsage()
      const before = heapUsed + Math.max(arrayBuffers, external)
      const detached = run((message) => message.detach())
      const read = run((message) => (message.fields, message.detach()))
      return { before, detached, read, row: row.length }
    },
    { flags: ['--expose-gc'] }
  )
  assert.ok(result, stderr)
  for (const run of [result.detached, result.read]) {
    assert.equal(run.kept, 1000)
    assert.equal(run.last, 'column 39 of a row')
  }
  // 1000 rows of 1 KiB with what an object costs, not 1000 chunks of 64 KiB.
  const each = (result.detached.bytes - result.before) / 1000
  assert.ok(each < 3 * result.row, `${each} bytes for a row of ${result.row}`)
  const readEach = (result.read.bytes - result.before) / 1000
  assert.ok(readEach < 8 * result.row, `${readEach} bytes for a row of ${result.row} that was read`)
})

test('F50: all 40 columns in reverse, fields twice, counts without decoding', () => {
  const cells = Array.from({ length: 40 }, (_, i) => (i % 7 === 0 ? null : `é${i}`))
  const [row] = messagesOf(new NativeParser(), [guarded(wire.dataRow(cells))])
  assert.equal(row.fieldCount, 40)
  assert.equal(row.length, wire.dataRow(cells).length - 1)
  for (let i = 39; i >= 0; i--) assert.equal(row.text(i), cells[i])
  assert.equal(row.fields, row.fields)
  assert.deepEqual(row.fields, cells)
})

// brianc/node-postgres#3531, #3533, brianc/node-pg-copy-streams#91
test('F51: a parser does not hold the last big buffer', () => {
  const chunk = 64 * 1024
  const big = wire.copyData(Buffer.alloc(16 * MIB))
  const stream = Buffer.concat([big, wire.readyForQuery().subarray(0, 3)])
  const held = (/** @type {any} */ parser) => {
    for (let at = 0; at < stream.length; at += chunk)
      parser.parse(Buffer.from(stream.subarray(at, at + chunk)), () => {})
    return parser
  }
  const parser = held(new NativeParser())
  assert.ok(parser.reader.buffer.byteLength <= 5, `${parser.reader.buffer.byteLength} bytes`)
  assert.ok(parser.buffer.byteLength <= 5)
  assert.equal(parser.bufferLength, 3)
  assert.ok(held(new StockParser()).buffer.byteLength >= 16 * MIB)
  const names = messagesOf(parser, [wire.readyForQuery().subarray(3)]).map(({ name }) => name)
  assert.deepEqual(names, ['readyForQuery'])
  assert.equal(parser.reader.buffer.byteLength, 0)
})

test('F51: nor does the process', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const used = () => {
        globalThis.gc?.()
        globalThis.gc?.()
        return process.memoryUsage()
      }
      const before = used()
      const parsers = []
      for (let i = 0; i < 10; i++) {
        const parser = new NativeParser()
        const chunk = Buffer.alloc(65536)
        parser.parse(wire.header('d', 4 + 16 * 1024 * 1024), () => {})
        for (let at = 0; at < 16 * 1024 * 1024; at += chunk.length) parser.parse(chunk, () => {})
        parser.parse(wire.hex('5a0000'), () => {})
        parsers.push(parser)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
      const after = used()
      return {
        rss: after.rss - before.rss,
        arrayBuffers: after.arrayBuffers - before.arrayBuffers,
        external: after.external - before.external,
        parsers: parsers.length,
      }
    },
    { flags: ['--expose-gc'] }
  )
  assert.ok(result, stderr)
  assert.ok(result.arrayBuffers < MIB, `arrayBuffers ${result.arrayBuffers}`)
  assert.ok(result.external < MIB, `external ${result.external}`)
  assert.ok(result.rss < 100 * MIB, `rss ${result.rss} for ${result.parsers} parsers that each saw 16 MiB`)
})

// brianc/node-postgres#366, #181, #526, #1531, #2336, #3405, #3406, #1956, #2958; strongloop/loopback#4298
test('F53: pause in the middle of a chunk that holds 500 messages, resume 50 ms later', async () => {
  const stream = Buffer.concat(Array.from({ length: 500 }, (_, i) => wire.dataRow([`${i}`])))
  const parser = new NativeParser()
  const seen = /** @type {string[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    seen.push(message.fields[0])
    if (seen.length === 250) parser.pause()
  }
  parser.parse(stream, callback)
  parser.parse(wire.dataRow(['500']), callback)
  assert.equal(seen.length, 250)
  await wait(50)
  assert.equal(seen.length, 250)
  parser.resume()
  assert.deepEqual(
    seen,
    Array.from({ length: 501 }, (_, i) => `${i}`)
  )
})

test('F53: the end of the stream and an error of the server while paused', async () => {
  class Socket extends EventEmitter {
    pause() {}
    resume() {}
    destroy() {}
  }
  const socket = new Socket()
  const log = /** @type {string[]} */ ([])
  let parser = /** @type {any} */ (null)
  const Parser = class extends NativeParser {
    constructor() {
      super()
      parser = this
    }
  }
  const done = createParse(Parser)(/** @type {any} */ (socket), (message) => {
    log.push(message.name)
    if (log.length === 1) parser.pause()
  }).then(() => log.push('end'))
  socket.emit(
    'data',
    Buffer.concat([
      wire.dataRow(['1']),
      wire.dataRow(['2']),
      wire.errorResponse({ M: 'boom' }),
      wire.readyForQuery(),
    ])
  )
  socket.emit('end')
  await wait(5)
  assert.deepEqual(log, ['dataRow'])
  parser.resume()
  await done
  assert.deepEqual(log, ['dataRow', 'dataRow', 'error', 'readyForQuery', 'end'])
})

test('F53: a lost frame while paused: the error comes after the held messages', () => {
  const parser = new NativeParser()
  const log = /** @type {string[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    log.push(message.severity ?? message.name)
    if (log.length === 1) parser.pause()
  }
  parser.parse(Buffer.concat([wire.dataRow(['1']), wire.dataRow(['2'])]), callback)
  parser.parse(wire.header('Z', 1), callback)
  assert.deepEqual(log, ['dataRow'])
  parser.resume()
  assert.deepEqual(log, ['dataRow', 'dataRow', 'FATAL'])
})

// brianc/node-pg-copy-streams#91, #106, #3, brianc/node-postgres#3284, MaterializeInc/materialize#5051, brianc/node-pg-native#45
test('F55: COPY OUT, replication, notices in between', () => {
  const stream = Buffer.concat([
    wire.message('H', wire.hex('00 0001 0000')),
    wire.message('d', '1\n'),
    wire.noticeResponse({ S: 'NOTICE', M: 'in between' }),
    wire.message('c', ''),
    wire.commandComplete('COPY 1'),
    wire.readyForQuery(),
    wire.message('W', wire.hex('00 0000')),
    wire.message('d', 'w first'),
    wire.message('d', 'w second'),
  ])
  assertSameAsStock(stream)
  for (const { how, chunks } of everyWay(stream)) {
    const messages = messagesOf(new NativeParser(), chunks)
    assert.deepEqual(
      messages.map(({ name }) => name),
      [
        'copyOutResponse',
        'copyData',
        'notice',
        'copyDone',
        'commandComplete',
        'readyForQuery',
        'replicationStart',
        'copyData',
        'copyData',
      ],
      how
    )
    for (const i of [1, 7, 8]) assert.ok(Buffer.isBuffer(messages[i].chunk))
    assert.equal(messages[1].chunk.toString(), '1\n')
    assert.equal(messages[8].chunk.toString(), 'w second')
    assert.equal(messages[6].length, 7)
  }
})

test('F55: one CopyData of 100 MB', () => {
  const size = 100_000_000
  const piece = Buffer.alloc(65536, 0x31)
  const parser = new NativeParser()
  const seen = /** @type {any[]} */ ([])
  parser.parse(wire.header('d', 4 + size), (message) => seen.push(message))
  for (let at = 0; at < size; at += piece.length) {
    parser.parse(piece.subarray(0, Math.min(piece.length, size - at)), (message) => seen.push(message))
  }
  assert.equal(seen.length, 1)
  assert.equal(seen[0].chunk.length, size)
  assert.equal(seen[0].chunk[size - 1], 0x31)
  assert.equal(seen[0].length, 4 + size)
})

// andywer/pg-listen#24, brianc/node-postgres#1045
test('F56: NOTIFY without a payload, in the middle of a result', () => {
  const stream = Buffer.concat([
    wire.rowDescription(['a']),
    wire.dataRow(['1']),
    wire.message('A', wire.hex('00000001'), 'ch\0', '\0'),
    wire.dataRow(['2']),
    wire.commandComplete('SELECT 2'),
    wire.readyForQuery(),
  ])
  assertSameAsStock(stream)
  const messages = messagesOf(new NativeParser(), [guarded(stream)])
  const { name, processId, channel, payload } = messages[2]
  assert.deepEqual(
    { name, processId, channel, payload },
    { name: 'notification', processId: 1, channel: 'ch', payload: '' }
  )
  assert.ok(messages[2] instanceof stockMessages.NotificationResponseMessage)
  assert.deepEqual([messages[1].fields, messages[3].fields], [['1'], ['2']])
})

// brianc/node-postgres#1286, #2240, #2241, #1203, porsager/postgres#207
test('F41: a cell of 64 MiB in small chunks takes no more than a few times its size', () => {
  const { result, stderr } = inChild(__filename, async (require) => {
    const wire = require('../support/wire')
    const { NativeParser } = require('../support/compare')
    const run = (/** @type {number} */ size, /** @type {number} */ pieces) => {
      const parser = new NativeParser()
      const chunk = Buffer.alloc(pieces, 0x61)
      let length = 0
      const before = process.cpuUsage()
      const take = (/** @type {any} */ message) => (length = message.cell(0).length)
      parser.parse(Buffer.concat([wire.header('D', 10 + size), wire.int16(1), wire.int32(size)]), take)
      for (let at = 0; at < size; at += pieces) parser.parse(chunk, take)
      const { user, system } = process.cpuUsage(before)
      return { ms: (user + system) / 1000, length }
    }
    const MIB = 1024 * 1024
    run(MIB, 1024)
    const base = process.memoryUsage().rss
    const sixtyFour = run(64 * MIB, 16 * 1024)
    const peak = process.resourceUsage().maxRSS * 1024 - base
    const small = Math.min(run(32 * MIB, 1024).ms, run(32 * MIB, 1024).ms)
    const large = Math.min(run(128 * MIB, 1024).ms, run(128 * MIB, 1024).ms)
    return { sixtyFour, peak, small, large }
  })
  assert.ok(result, stderr)
  assert.equal(result.sixtyFour.length, 64 * MIB)
  assert.ok(result.peak < 3.2 * 64 * MIB, `peak ${Math.round(result.peak / MIB)} MiB`)
  assert.ok(
    result.large < Math.max(result.small, 4) * 10,
    `32 MiB took ${result.small} ms, 128 MiB ${result.large} ms`
  )
})
