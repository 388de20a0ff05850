'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const { NativeParser } = require('../support/compare')
const { everyWay, withEmptyChunks, inPieces } = require('../support/chunks')

// A callback that throws has had its message: the exception reaches whoever called parse(), and the next call goes on
// with the next message. Nothing twice, nothing lost.

const messages = [
  wire.parseComplete(),
  wire.bindComplete(),
  wire.rowDescription(['a', 'b']),
  wire.dataRow(['1', 'é']),
  wire.dataRow(['2', null]),
  wire.errorResponse({ S: 'ERROR', M: 'boom' }),
  wire.copyData('abc'),
  wire.dataRow(['3', '漢']),
  wire.commandComplete('SELECT 3'),
  wire.readyForQuery(),
]
const stream = Buffer.concat(messages)

const describe = (/** @type {any} */ message) => {
  if (message.name === 'dataRow') return `dataRow ${message.fields}`
  if (message.name === 'copyData') return `copyData ${message.chunk}`
  return `${message.name} ${message.text ?? message.message ?? message.status ?? ''}`
}

const expected = (() => {
  const all = /** @type {string[]} */ ([])
  new NativeParser().parse(stream, (message) => all.push(describe(message)))
  return all
})()

/**
 * Feeds the chunks, then empty ones until nothing comes any more, and swallows what the callback throws.
 * @param {Buffer[]} chunks
 * @param {(at: number) => boolean} throwsAt
 */
const run = (chunks, throwsAt) => {
  const parser = new NativeParser()
  const seen = /** @type {string[]} */ ([])
  const thrown = /** @type {unknown[]} */ ([])
  const made = /** @type {unknown[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    seen.push(describe(message))
    if (throwsAt(seen.length - 1)) {
      const error = new Error(`at ${seen.length - 1}`)
      made.push(error)
      throw error
    }
  }
  for (const chunk of [...chunks, ...Array.from({ length: 2 * messages.length }, () => Buffer.alloc(0))]) {
    try {
      parser.parse(chunk, callback)
    } catch (error) {
      thrown.push(error)
    }
  }
  return { parser, seen, thrown, made }
}

test('the sample has all its messages', () => {
  assert.equal(expected.length, messages.length)
})

for (let at = 0; at < messages.length; at++) {
  test(`a callback that throws on message ${at} (${expected[at]})`, () => {
    for (const { how, chunks } of everyWay(stream)) {
      const { seen, thrown, made, parser } = run(chunks, (i) => i === at)
      assert.deepEqual(seen, expected, how)
      assert.deepEqual(thrown, made, how)
      assert.equal(thrown[0], made[0], 'the very error')
      assert.equal(thrown.length, 1)
      assert.equal(parser.reader.buffer.byteLength, 0)
    }
  })
}

test('a callback that throws on every message', () => {
  for (const { how, chunks } of everyWay(stream)) {
    const { seen, thrown } = run(chunks, () => true)
    assert.deepEqual(seen, expected, how)
    assert.equal(thrown.length, messages.length, how)
  }
})

test('a callback that throws on every second message', () => {
  for (const { how, chunks } of everyWay(stream)) {
    const { seen, thrown } = run(chunks, (i) => i % 2 === 1)
    assert.deepEqual(seen, expected, how)
    assert.equal(thrown.length, messages.length / 2, how)
  }
})

test('each call delivers up to the message that throws', () => {
  const parser = new NativeParser()
  const seen = /** @type {string[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    seen.push(describe(message))
    throw new Error('again')
  }
  for (let i = 0; i < messages.length; i++) {
    assert.throws(() => parser.parse(i === 0 ? stream : Buffer.alloc(0), callback), /again/)
    assert.deepEqual(seen, expected.slice(0, i + 1))
  }
  parser.parse(Buffer.alloc(0), callback)
  assert.equal(seen.length, messages.length)
})

test('the rest of a chunk comes before what the next call brings', () => {
  const parser = new NativeParser()
  const seen = /** @type {string[]} */ ([])
  const once = (/** @type {any} */ message) => {
    seen.push(describe(message))
    if (seen.length === 1) throw new Error('first')
  }
  assert.throws(
    () => parser.parse(Buffer.concat([wire.commandComplete('1'), wire.commandComplete('2')]), once),
    /first/
  )
  parser.parse(wire.commandComplete('3'), once)
  assert.deepEqual(seen, ['commandComplete 1', 'commandComplete 2', 'commandComplete 3'])
})

test('a message in pieces behind one that threw', () => {
  const row = wire.dataRow(['abc', 'é'])
  for (let cut = 0; cut <= row.length; cut++) {
    const chunks = [
      Buffer.concat([wire.bindComplete(), wire.noData(), row.subarray(0, cut)]),
      row.subarray(cut),
    ]
    const { seen } = run(withEmptyChunks(chunks), (i) => i === 0)
    assert.deepEqual(seen, ['bindComplete ', 'noData ', 'dataRow abc,é'], `cut at ${cut}`)
  }
})

test('rows read later are right although the callback threw between them', () => {
  const texts = Array.from({ length: 3000 }, (_, i) => [`${i}`, 'é'.repeat(i % 40), 'long '.repeat(i % 30)])
  const parser = new NativeParser()
  const kept = /** @type {any[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    kept.push(message)
    if (kept.length % 100 === 0) throw new Error('mine')
    if (kept.length % 3 === 0) assert.deepEqual(message.fields, texts[kept.length - 1])
  }
  for (const chunk of [
    ...inPieces(Buffer.concat(texts.map((cells) => wire.dataRow(cells))), 65536),
    ...Array(40).fill(Buffer.alloc(0)),
  ]) {
    try {
      parser.parse(chunk, callback)
    } catch (error) {
      assert.match(String(error), /mine/)
    }
  }
  assert.deepEqual(
    kept.map((row) => row.fields),
    texts
  )
})

test('anything may be thrown', () => {
  for (const value of [undefined, null, 0, 'text', { an: 'object' }]) {
    const parser = new NativeParser()
    const names = /** @type {string[]} */ ([])
    const callback = (/** @type {any} */ message) => {
      names.push(message.name)
      if (names.length === 1) throw value
    }
    let caught = /** @type {unknown} */ ('nothing')
    try {
      parser.parse(Buffer.concat([wire.bindComplete(), wire.noData()]), callback)
    } catch (error) {
      caught = error
    }
    assert.equal(caught, value)
    parser.parse(Buffer.alloc(0), callback)
    assert.deepEqual(names, ['bindComplete', 'noData'])
  }
})
