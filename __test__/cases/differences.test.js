'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const { inChild } = require('../support/child')
const { NativeParser, StockParser, stockMessages } = require('../support/compare')
const { messagesOf, guarded, inPieces } = require('../support/chunks')

// Where this parser departs from pg-protocol on purpose, one test for each line of the documented list. Each shows what
// pg-protocol does today and what this parser does: when pg-protocol changes, the test says so.

const names = (/** @type {any[]} */ messages) => messages.map(({ name }) => name)

test('the callback throws: earlier messages of the chunk are not delivered again', () => {
  const stream = Buffer.concat([wire.bindComplete(), wire.parseComplete(), wire.noData()])
  const run = (/** @type {any} */ parser) => {
    const seen = /** @type {string[]} */ ([])
    let thrown = false
    const callback = (/** @type {any} */ message) => {
      seen.push(message.name)
      if (seen.length === 2 && !thrown) {
        thrown = true
        throw new Error('mine')
      }
    }
    assert.throws(() => parser.parse(Buffer.from(stream), callback), /mine/)
    parser.parse(Buffer.alloc(0), callback)
    return seen
  }
  assert.deepEqual(run(new StockParser()), [
    'bindComplete',
    'parseComplete',
    'bindComplete',
    'parseComplete',
    'noData',
  ])
  assert.deepEqual(run(new NativeParser()), ['bindComplete', 'parseComplete', 'noData'])
})

test('one message cannot be parsed: one error, then the next message', () => {
  const run = (/** @type {any} */ parser) => {
    const log = /** @type {string[]} */ ([])
    for (const chunk of [wire.authentication(99), wire.readyForQuery(), wire.readyForQuery()]) {
      try {
        parser.parse(Buffer.from(chunk), (/** @type {any} */ message) => log.push(message.name))
      } catch {
        log.push('thrown')
      }
    }
    return log
  }
  assert.deepEqual(run(new StockParser()), ['thrown', 'thrown', 'thrown'])
  assert.deepEqual(run(new NativeParser()), ['thrown', 'readyForQuery', 'readyForQuery'])
})

test('one message cannot be parsed: a parser whose frame is lost is clearly dead', () => {
  const stream = Buffer.concat([wire.header('Z', 0), wire.readyForQuery()])
  // Stock finds a status in the next message's type byte, steps on by one byte and goes on from there.
  const [first] = messagesOf(new StockParser(), [Buffer.from(stream)])
  assert.equal(first.name, 'readyForQuery')
  const parser = new NativeParser()
  const messages = messagesOf(parser, [guarded(stream), wire.readyForQuery()])
  assert.deepEqual(names(messages), ['error'])
  assert.deepEqual([messages[0].severity, messages[0].code], ['FATAL', '08P01'])
})

test('a text field runs past its message: a clear error for that message', () => {
  const stream = Buffer.concat([
    wire.message('C', 'SELECT 1'),
    wire.parameterStatus('a', 'b'),
    wire.readyForQuery(),
  ])
  const [stock] = messagesOf(new StockParser(), [Buffer.from(stream)])
  assert.equal(stock.text, 'SELECT 1S')
  const [error, ...others] = messagesOf(new NativeParser(), [guarded(stream)])
  assert.ok(error instanceof stockMessages.DatabaseError)
  assert.match(error.message, /^malformed CommandComplete message/)
  assert.deepEqual(names(others), ['parameterStatus', 'readyForQuery'])
})

test('a cell runs past its message: the row throws when it is read', () => {
  const wrong = wire.message('D', wire.int16(1), wire.int32(8), 'abc')
  const stream = Buffer.concat([wrong, wire.readyForQuery()])
  const [stock] = messagesOf(new StockParser(), [Buffer.from(stream)])
  assert.deepEqual(stock.fields, ['abcZ\0\0\0\u0005'])
  const [row, ready] = messagesOf(new NativeParser(), [guarded(stream)])
  assert.throws(() => row.fields, { code: '08P01', message: /^malformed DataRow/ })
  assert.equal(ready.name, 'readyForQuery')
})

test('an error of the server without an end: pg-protocol never comes back', () => {
  const work = (/** @type {NodeJS.Require} */ require) => {
    const { Parser } = require('pg-protocol/dist/parser')
    const seen = /** @type {string[]} */ ([])
    new Parser().parse(Buffer.from('4500000009' + '4d626f6f6d', 'hex'), (/** @type {any} */ message) =>
      seen.push(message.message)
    )
    return seen
  }
  const stock = inChild(__filename, work, { timeout: 3000 })
  assert.equal(stock.timedOut, true)
  const [error] = messagesOf(new NativeParser(), [wire.hex('4500000009 4d626f6f6d')])
  assert.ok(error instanceof stockMessages.DatabaseError)
  assert.equal(error.message, 'boom')
})

test('counts above 32767 are unsigned, as the server means them', () => {
  const parameters = wire.parameterDescription(Array(40000).fill(23))
  const row = wire.dataRow(Array(40000).fill(null))
  const copy = wire.copyOutResponse(0, Array(40000).fill(0))
  for (const bytes of [parameters, row, copy]) {
    assert.throws(() => new StockParser().parse(Buffer.from(bytes), () => {}), RangeError)
  }
  const messages = messagesOf(new NativeParser(), [parameters, row, copy])
  assert.equal(messages[0].dataTypeIDs.length, 40000)
  assert.equal(messages[1].fields.length, 40000)
  assert.equal(messages[2].columnTypes.length, 40000)
})

test('cancel keys longer than 4 bytes: secretKey as in pg-protocol, the whole key besides', () => {
  const bytes = wire.backendKeyData(7, Buffer.alloc(32, 0xab))
  const [stock] = messagesOf(new StockParser(), [Buffer.from(bytes)])
  const [ours] = messagesOf(new NativeParser(), [guarded(bytes)])
  const { secretKeyBytes, ...rest } = ours
  assert.deepEqual(rest, { ...stock })
  assert.equal('secretKeyBytes' in stock, false)
  assert.deepEqual(secretKeyBytes, Buffer.alloc(32, 0xab))
  const [short] = messagesOf(new NativeParser(), [wire.backendKeyData(7, 1)])
  assert.deepEqual(Object.keys(short), ['length', 'processID', 'secretKey', 'name'])
})

test('the messages v and V are messages of their own', () => {
  const stream = Buffer.concat([
    wire.negotiateProtocolVersion(0x30000, ['_pq_.x']),
    wire.functionCallResponse(Buffer.from('hi')),
  ])
  const stock = messagesOf(new StockParser(), [Buffer.from(stream)])
  assert.deepEqual(
    stock.map(({ name, message }) => [name, message]),
    [
      ['error', 'received invalid response: 76'],
      ['error', 'received invalid response: 56'],
    ]
  )
  const messages = messagesOf(new NativeParser(), [guarded(stream)])
  assert.deepEqual(names(messages), ['negotiateProtocolVersion', 'functionCallResponse'])
})

test('a kept copyData chunk is stable', () => {
  const parts = ['A', 'B', 'C'].map((letter) => wire.copyData(letter.repeat(100)))
  const first = Buffer.concat([parts[0], parts[1], parts[2].subarray(0, 20)])
  const chunkOf = (/** @type {any} */ parser) => {
    const kept = messagesOf(parser, [Buffer.from(first), Buffer.from(parts[2].subarray(20))])
    return kept[0].chunk.toString()
  }
  assert.notEqual(chunkOf(new StockParser()), 'A'.repeat(100))
  assert.equal(chunkOf(new NativeParser()), 'A'.repeat(100))
})

test('a kept salt is stable', () => {
  const salt = wire.authenticationMD5Password(wire.hex('01020304'))
  const rest = wire.copyData('C'.repeat(40))
  const first = Buffer.concat([salt, wire.copyData('B'.repeat(40)), rest.subarray(0, 20)])
  const saltOf = (/** @type {any} */ parser) =>
    messagesOf(parser, [Buffer.from(first), Buffer.from(rest.subarray(20))])[0].salt
  assert.notDeepEqual(saltOf(new StockParser()), wire.hex('01020304'))
  assert.deepEqual(saltOf(new NativeParser()), wire.hex('01020304'))
})

test('a leftover of 3 bytes after 16 MiB holds 3 bytes', () => {
  const stream = Buffer.concat([wire.copyData(Buffer.alloc(16 * 1024 * 1024)), wire.hex('5a0000')])
  const held = (/** @type {any} */ parser) => {
    for (const chunk of inPieces(stream, 65536)) parser.parse(chunk, () => {})
    return parser.buffer.byteLength
  }
  assert.ok(held(new StockParser()) >= 16 * 1024 * 1024)
  assert.ok(held(new NativeParser()) <= 5)
})

test('a plain Uint8Array chunk works', () => {
  const [whole] = [new Uint8Array(Buffer.concat([wire.dataRow(['é']), wire.readyForQuery()]))]
  assert.throws(() => new StockParser().parse(/** @type {any} */ (whole), () => {}), TypeError)
  const messages = messagesOf(new NativeParser(), /** @type {any} */ ([whole]))
  assert.deepEqual(names(messages), ['dataRow', 'readyForQuery'])
  assert.deepEqual(messages[0].fields, ['é'])
})

// brianc/node-postgres#2653, #3409, #2638, #1818
test(
  'F52: a cell longer than a JS string may be: only its text throws, and catchably',
  { timeout: 300_000 },
  () => {
    const work = async (/** @type {NodeJS.Require} */ require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const limit = require('node:buffer').constants.MAX_STRING_LENGTH
      const size = 0x1fffffe9
      const piece = Buffer.alloc(4 * 1024 * 1024, 0x41)
      const parser = new NativeParser()
      const seen = /** @type {any[]} */ ([])
      const keep = (/** @type {any} */ message) => seen.push(message)
      parser.parse(
        Buffer.concat([
          wire.header('D', 4 + 2 + 4 + 5 + 4 + size),
          wire.int16(2),
          wire.int32(5),
          Buffer.from('short'),
          wire.int32(size),
        ]),
        keep
      )
      let left = size
      while (left > 0) {
        const part = Math.min(left, piece.length)
        parser.parse(piece.subarray(0, part), keep)
        left -= part
      }
      parser.parse(Buffer.concat([wire.dataRow(['next', 'é']), wire.readyForQuery()]), keep)
      const [row, next, ready] = seen
      const attempt = (/** @type {() => unknown} */ read) => {
        try {
          read()
          return 'no error'
        } catch (error) {
          const { name, message, code } = /** @type {any} */ (error)
          return { name, message, code }
        }
      }
      return {
        limit,
        size,
        names: seen.map(({ name }) => name),
        nextFirst: next.fields,
        fields: attempt(() => row.fields),
        text: attempt(() => row.text(1)),
        again: attempt(() => row.fields),
        short: row.text(0),
        isNull: row.isNull(1),
        cell: row.cell(1).length,
        last: row.cell(1)[size - 1],
        next: next.fields,
        ready: ready.status,
        retained: parser.reader.buffer.byteLength,
      }
    }
    const { result, stderr } = inChild(__filename, work, { timeout: 240_000 })
    assert.ok(result, stderr)
    assert.deepEqual(result.names, ['dataRow', 'dataRow', 'readyForQuery'])
    assert.equal(result.size, 0x1fffffe9)
    if (result.size > result.limit) {
      for (const error of [result.fields, result.text, result.again]) {
        assert.match(error.message, new RegExp(`string|${result.limit}|0x1fffffe8`, 'i'))
      }
    } else {
      assert.equal(result.text, 'no error')
    }
    assert.equal(result.short, 'short')
    assert.equal(result.isNull, false)
    assert.equal(result.cell, 0x1fffffe9)
    assert.equal(result.last, 0x41)
    assert.deepEqual(result.nextFirst, ['next', 'é'])
    assert.deepEqual(result.next, ['next', 'é'])
    assert.equal(result.ready, 'I')
    assert.equal(result.retained, 0)
  }
)
