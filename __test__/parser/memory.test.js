'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const { inChild } = require('../support/child')
const { NativeParser } = require('../support/compare')
const { guarded } = require('../support/chunks')

// What a parser holds between two reads: nothing on a message boundary, at most the one unfinished message otherwise.
// `parser.reader.buffer.byteLength` says it; the tests in a process of their own check that it says the truth.

const ignore = () => {}
const retained = (/** @type {any} */ parser) => parser.reader.buffer.byteLength

test('a new parser holds nothing', () => {
  const parser = new NativeParser()
  assert.equal(retained(parser), 0)
  assert.equal(parser.bufferLength, 0)
  assert.equal(parser.bufferOffset, 0)
  assert.equal(parser.buffer.byteLength, 0)
})

test('nothing is retained on a message boundary, at most the message elsewhere', () => {
  const messages = [
    wire.dataRow(['a', 'é', null]),
    wire.bindComplete(),
    wire.copyData(Buffer.alloc(3000)),
    wire.readyForQuery(),
  ]
  const stream = Buffer.concat(messages)
  const borders = new Set([0])
  let end = 0
  for (const message of messages) borders.add((end += message.length))
  for (const size of [1, 2, 3, 7, 100, stream.length]) {
    const parser = new NativeParser()
    for (let at = 0; at < stream.length; at += size) {
      parser.parse(guarded(stream.subarray(at, at + size)), ignore)
      const now = Math.min(at + size, stream.length)
      if (borders.has(now)) {
        assert.equal(retained(parser), 0, `after ${now} bytes`)
        assert.equal(parser.bufferLength, 0)
      } else {
        const start = Math.max(...[...borders].filter((border) => border < now))
        const length = messages.find((_, i) => [...borders][i] === start)?.length ?? 0
        assert.ok(retained(parser) >= now - start, `${retained(parser)} bytes retained of ${now - start}`)
        assert.ok(
          retained(parser) <= Math.max(length, 5),
          `${retained(parser)} bytes retained for a message of ${length}`
        )
        assert.ok(parser.bufferLength >= now - start)
      }
    }
  }
})

test('nothing is retained after a callback that throws on the last message', () => {
  const parser = new NativeParser()
  assert.throws(() => {
    parser.parse(wire.readyForQuery(), () => {
      throw new Error('mine')
    })
  }, /mine/)
  parser.parse(Buffer.alloc(0), () => assert.fail('the message was consumed'))
  assert.equal(retained(parser), 0)
})

test('the collector gets chunks, rows and messages that nobody keeps', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const collected = new Set()
      const registry = new FinalizationRegistry((/** @type {string} */ name) => collected.add(name))
      const parser = new NativeParser()
      const last = new NativeParser()
      /** A chunk with memory of its own, which the parser reads in part. @param {string} name @param {any} reader */
      const run = (name, reader) => {
        const rows = Array.from({ length: 200 }, (_, i) =>
          wire.dataRow([`${i}`, 'é'.repeat(30), 'x'.repeat(100)])
        )
        const bytes = Buffer.concat([...rows, wire.copyData('abc'), wire.readyForQuery()])
        const chunk = Buffer.from(new ArrayBuffer(bytes.length))
        bytes.copy(chunk)
        registry.register(chunk.buffer, `${name}: chunk`)
        reader(chunk, name)
      }
      run('unread', (/** @type {Buffer} */ chunk, /** @type {string} */ name) =>
        parser.parse(chunk, (message) => registry.register(message, `${name}: message`))
      )
      run('fields read', (/** @type {Buffer} */ chunk, /** @type {string} */ name) =>
        parser.parse(chunk, (message) => {
          if (message.name === 'dataRow' && message.fields.length !== 3) throw new Error('fields')
          registry.register(message, `${name}: message`)
        })
      )
      /** The last message of a read that came in two pieces, which has a buffer of its own. */
      const straddle = () => {
        const row = wire.dataRow(['x'.repeat(300_000)])
        parser.parse(row.subarray(0, 100_000), () => {})
        parser.parse(row.subarray(100_000), (message) => registry.register(message.bytes.buffer, 'straddler'))
      }
      run('one cell read', (/** @type {Buffer} */ chunk, /** @type {string} */ name) =>
        last.parse(chunk, (message) => {
          if (message.name === 'dataRow') message.text(1)
          registry.register(message, `${name}: message`)
        })
      )
      straddle()
      for (let i = 0; i < 20; i++) {
        globalThis.gc?.()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      // The parsers live: what is collected here is collected although they do.
      return {
        collected: [...collected].sort(),
        retained: [parser, last].map((p) => p.reader.buffer.byteLength),
      }
    },
    { flags: ['--expose-gc'] }
  )
  assert.deepEqual(
    result?.collected,
    [
      'fields read: chunk',
      'fields read: message',
      'one cell read: chunk',
      'one cell read: message',
      'straddler',
      'unread: chunk',
      'unread: message',
    ],
    stderr
  )
  assert.deepEqual(result.retained, [0, 0])
})

test('a detached row lets go of its chunk, another row holds it', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const parser = new NativeParser()
      const bytes = Buffer.concat([
        wire.dataRow(['first', 'é']),
        wire.copyData(Buffer.alloc(60_000)),
        wire.dataRow(['second']),
      ])
      const refs = /** @type {WeakRef<ArrayBufferLike>[]} */ ([])
      const kept = /** @type {any[]} */ ([])
      const feed = (/** @type {(row: any) => any} */ keep) => {
        const chunk = Buffer.from(new ArrayBuffer(bytes.length))
        bytes.copy(chunk)
        refs.push(new WeakRef(chunk.buffer))
        const of = /** @type {any[]} */ ([])
        parser.parse(chunk, (message) => message.name === 'dataRow' && of.push(message))
        kept.push(keep(of[0]))
      }
      feed((row) => row)
      feed((row) => row.detach())
      feed((row) => (row.fields, row.detach()))
      feed((row) => (row.text(0), row.detach()))
      feed((row) => row.fields)
      for (let i = 0; i < 20; i++) {
        globalThis.gc?.()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return {
        alive: refs.map((ref) => ref.deref() !== undefined),
        texts: kept.map((row) => (Array.isArray(row) ? row : row.fields)),
      }
    },
    { flags: ['--expose-gc'] }
  )
  assert.deepEqual(result?.alive, [true, false, false, false, false], stderr)
  assert.deepEqual(result.texts, Array(5).fill(['first', 'é']))
})

test('a leftover holds its own bytes and not the chunk that it came in', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const parser = new NativeParser()
      /** @type {WeakRef<ArrayBufferLike> | undefined} */
      let ref
      const feed = () => {
        const bytes = Buffer.concat([
          wire.copyData(Buffer.alloc(1_000_000)),
          wire.dataRow(['abc']).subarray(0, 8),
        ])
        const chunk = Buffer.from(new ArrayBuffer(bytes.length))
        bytes.copy(chunk)
        ref = new WeakRef(chunk.buffer)
        parser.parse(chunk, () => {})
      }
      feed()
      for (let i = 0; i < 20; i++) {
        globalThis.gc?.()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      const fields = /** @type {any[]} */ ([])
      const retained = parser.reader.buffer.byteLength
      parser.parse(wire.dataRow(['abc']).subarray(8), (message) => fields.push(message.fields))
      return { alive: ref?.deref() !== undefined, retained, fields }
    },
    { flags: ['--expose-gc'] }
  )
  assert.equal(result?.alive, false, stderr)
  assert.ok(result.retained <= 14, `${result.retained}`)
  assert.deepEqual(result.fields, [['abc']])
})

test('a header that claims 900 MiB costs about 1 MiB', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const used = () => {
        globalThis.gc?.()
        const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
        return { rss, heapUsed, external, arrayBuffers }
      }
      const claim = wire.header('D', 900 * 1024 * 1024)
      const ten = Buffer.from('0123456789')
      // Once for what the first use of anything costs.
      const first = new NativeParser()
      first.parse(Buffer.concat([wire.dataRow(['warm']), wire.header('D', 100), ten]), () => {})
      const before = used()
      const parsers = Array.from({ length: 20 }, () => new NativeParser())
      for (const parser of parsers) {
        parser.parse(Buffer.concat([claim, ten]), () => {})
        parser.parse(ten, () => {})
      }
      const after = used()
      return { before, after, parsers: parsers.length, retained: parsers[0].reader.buffer.byteLength }
    },
    { flags: ['--expose-gc'] }
  )
  assert.ok(result, stderr)
  const MIB = 1024 * 1024
  for (const kind of ['rss', 'heapUsed', 'external', 'arrayBuffers']) {
    const each = (result.after[kind] - result.before[kind]) / result.parsers
    assert.ok(each < 1.25 * MIB, `${kind}: ${Math.round(each)} bytes for each parser`)
  }
  assert.ok(result.retained <= 1.25 * MIB)
})
