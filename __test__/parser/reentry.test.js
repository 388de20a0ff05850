'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const wire = require('../support/wire')
const { NativeParser } = require('../support/compare')
const { everyWay, cutAt, inPieces, guarded } = require('../support/chunks')

// What a callback may do while it is called: parse, pause, resume. Whatever it does, each message comes once, in order.

const COUNT = 8
const part = (/** @type {number} */ i) =>
  i % 3 === 0
    ? wire.dataRow([String(i), 'é', null])
    : i % 3 === 1
      ? wire.commandComplete(String(i))
      : wire.copyData(String(i))
const parts = Array.from({ length: COUNT }, (_, i) => part(i))
const stream = Buffer.concat(parts)
const numberOf = (/** @type {any} */ message) =>
  Number(
    message.name === 'dataRow'
      ? message.fields[0]
      : message.name === 'copyData'
        ? message.chunk.toString()
        : message.text
  )
const upTo = (/** @type {number} */ end) => Array.from({ length: end }, (_, i) => i)

test('parse() inside the callback comes after the rest of the chunk, at every message', () => {
  for (let at = 0; at < COUNT; at++) {
    const parser = new NativeParser()
    const seen = /** @type {number[]} */ ([])
    let depth = 0
    const callback = (/** @type {any} */ message) => {
      depth += 1
      assert.equal(depth, 1, 'callbacks do not nest')
      seen.push(numberOf(message))
      if (seen.length - 1 === at) {
        parser.parse(Buffer.concat([part(100), part(101)]), callback)
        parser.parse(part(102), callback)
      }
      depth -= 1
    }
    parser.parse(stream, callback)
    assert.deepEqual(seen, [...upTo(COUNT), 100, 101, 102], `at ${at}`)
  }
})

test('parse() inside the callback with pieces of a message', () => {
  const extra = part(102)
  for (let cut = 0; cut <= extra.length; cut++) {
    const parser = new NativeParser()
    const seen = /** @type {number[]} */ ([])
    const callback = (/** @type {any} */ message) => {
      seen.push(numberOf(message))
      if (seen.length === 2) {
        parser.parse(extra.subarray(0, cut), callback)
        parser.parse(extra.subarray(cut), callback)
      }
    }
    parser.parse(Buffer.concat(parts.slice(0, 4)), callback)
    assert.deepEqual(seen, [0, 1, 2, 3, 102], `cut at ${cut}`)
  }
})

test('parse() inside the callback goes on the unfinished message of the chunk', () => {
  const parser = new NativeParser()
  const seen = /** @type {number[]} */ ([])
  const last = parts[3]
  const callback = (/** @type {any} */ message) => {
    seen.push(numberOf(message))
    if (seen.length === 1) parser.parse(last.subarray(6), callback)
  }
  parser.parse(Buffer.concat([...parts.slice(0, 3), last.subarray(0, 6)]), callback)
  assert.deepEqual(seen, [0, 1, 2, 3])
})

test('each message goes to the callback that came with its chunk', () => {
  const parser = new NativeParser()
  const seen = /** @type {string[]} */ ([])
  parser.parse(Buffer.concat([part(1), part(4)]), (message) => {
    seen.push(`outer ${numberOf(message)}`)
    if (numberOf(message) === 1) parser.parse(part(7), (inner) => seen.push(`inner ${numberOf(inner)}`))
  })
  assert.deepEqual(seen, ['outer 1', 'outer 4', 'inner 7'])
})

test('a chain of callbacks that each parse the next', () => {
  const parser = new NativeParser()
  const seen = /** @type {number[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    seen.push(numberOf(message))
    if (seen.length < 5000) parser.parse(part(seen.length), callback)
  }
  parser.parse(part(0), callback)
  assert.deepEqual(seen, upTo(5000))
})

test('parse() inside the callback, which then throws', () => {
  const parser = new NativeParser()
  const seen = /** @type {number[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    seen.push(numberOf(message))
    if (seen.length === 2) {
      parser.parse(part(102), callback)
      throw new Error('mine')
    }
  }
  assert.throws(() => parser.parse(Buffer.concat(parts.slice(0, 4)), callback), /mine/)
  assert.deepEqual(seen, [0, 1])
  parser.parse(Buffer.alloc(0), callback)
  assert.deepEqual(seen, [0, 1, 2, 3, 102])
})

test('pause() in the callback stops before the next message, at every message and cut', () => {
  for (const { how, chunks } of everyWay(stream)) {
    for (let at = 0; at < COUNT; at++) {
      const parser = new NativeParser()
      const seen = /** @type {number[]} */ ([])
      const callback = (/** @type {any} */ message) => {
        seen.push(numberOf(message))
        if (seen.length - 1 === at) parser.pause()
      }
      assert.equal(parser.paused, false)
      for (const chunk of chunks) parser.parse(chunk, callback)
      assert.equal(parser.paused, true)
      assert.deepEqual(seen, upTo(at + 1), `${how}, paused at ${at}`)
      parser.resume()
      assert.equal(parser.paused, false)
      assert.deepEqual(seen, upTo(COUNT), `${how}, resumed at ${at}`)
      parser.resume()
      assert.deepEqual(seen, upTo(COUNT), 'a second resume() gives nothing')
      assert.equal(parser.reader.buffer.byteLength, 0)
    }
  }
})

test('pause() at every message: resume() gives one at a time', () => {
  for (const { how, chunks } of everyWay(stream)) {
    const parser = new NativeParser()
    const seen = /** @type {number[]} */ ([])
    const callback = (/** @type {any} */ message) => {
      seen.push(numberOf(message))
      parser.pause()
    }
    for (const chunk of chunks) parser.parse(chunk, callback)
    for (let i = 1; i <= COUNT; i++) {
      assert.deepEqual(seen, upTo(i), how)
      parser.resume()
      assert.equal(parser.paused, i < COUNT, how)
    }
    assert.deepEqual(seen, upTo(COUNT), how)
  }
})

test('pause() before the first chunk', () => {
  const parser = new NativeParser()
  const seen = /** @type {number[]} */ ([])
  parser.pause()
  for (const chunk of inPieces(stream, 5)) parser.parse(chunk, (message) => seen.push(numberOf(message)))
  assert.deepEqual(seen, [])
  parser.resume()
  assert.deepEqual(seen, upTo(COUNT))
})

test('parse() while paused queues, each chunk with its own callback', () => {
  const parser = new NativeParser()
  const seen = /** @type {string[]} */ ([])
  parser.pause()
  parser.parse(part(1), (message) => seen.push(`a ${numberOf(message)}`))
  parser.parse(part(2).subarray(0, 3), (message) => seen.push(`b ${numberOf(message)}`))
  parser.parse(Buffer.concat([part(2).subarray(3), part(4)]), (message) =>
    seen.push(`c ${numberOf(message)}`)
  )
  assert.deepEqual(seen, [])
  parser.resume()
  assert.deepEqual(seen, ['a 1', 'c 2', 'c 4'])
})

test('a chunk given while paused may be changed by nobody, and is not copied twice', () => {
  const parser = new NativeParser()
  const seen = /** @type {any[]} */ ([])
  parser.pause()
  const chunk = guarded(wire.dataRow(['abc']))
  parser.parse(chunk, (message) => seen.push(message))
  parser.resume()
  assert.equal(seen[0].bytes.buffer, chunk.buffer)
})

test('resume() in the callback that paused goes on', () => {
  const parser = new NativeParser()
  const seen = /** @type {number[]} */ ([])
  let inside = false
  parser.parse(stream, (message) => {
    assert.equal(inside, false, 'resume() does not deliver inside the callback')
    inside = true
    seen.push(numberOf(message))
    parser.pause()
    assert.equal(parser.paused, true)
    parser.resume()
    assert.equal(parser.paused, false)
    inside = false
  })
  assert.deepEqual(seen, upTo(COUNT))
})

test('resume() in the callback without pause() changes nothing', () => {
  const parser = new NativeParser()
  const seen = /** @type {number[]} */ ([])
  parser.parse(stream, (message) => {
    seen.push(numberOf(message))
    parser.resume()
  })
  assert.deepEqual(seen, upTo(COUNT))
})

test('parse() inside the callback of a parser that it pauses', () => {
  for (let at = 0; at < COUNT; at++) {
    const parser = new NativeParser()
    const seen = /** @type {number[]} */ ([])
    const callback = (/** @type {any} */ message) => {
      seen.push(numberOf(message))
      if (seen.length - 1 !== at) return
      parser.pause()
      parser.parse(part(100), callback)
    }
    parser.parse(stream, callback)
    parser.parse(part(101), callback)
    assert.deepEqual(seen, upTo(at + 1), `at ${at}`)
    parser.resume()
    assert.deepEqual(seen, [...upTo(COUNT), 100, 101], `at ${at}`)
  }
})

test('pause() and parse() while resume() delivers', () => {
  const parser = new NativeParser()
  const seen = /** @type {number[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    seen.push(numberOf(message))
    if (seen.length === 1) parser.pause()
    if (seen.length === 3) {
      parser.parse(part(100), callback)
      parser.pause()
    }
  }
  parser.parse(stream, callback)
  assert.deepEqual(seen, [0])
  parser.resume()
  assert.deepEqual(seen, [0, 1, 2])
  parser.resume()
  assert.deepEqual(seen, [...upTo(COUNT), 100])
})

test('a callback that pauses and throws', () => {
  for (let at = 0; at < COUNT; at++) {
    const parser = new NativeParser()
    const seen = /** @type {number[]} */ ([])
    const callback = (/** @type {any} */ message) => {
      seen.push(numberOf(message))
      if (seen.length - 1 !== at) return
      parser.pause()
      throw new Error('mine')
    }
    assert.throws(() => parser.parse(stream, callback), /mine/)
    parser.parse(part(100), callback)
    assert.deepEqual(seen, upTo(at + 1))
    parser.resume()
    assert.deepEqual(seen, [...upTo(COUNT), 100], `at ${at}`)
  }
})

test('a callback that throws while resume() delivers', () => {
  const parser = new NativeParser()
  const seen = /** @type {number[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    seen.push(numberOf(message))
    if (seen.length === 3) throw new Error('mine')
  }
  parser.pause()
  parser.parse(stream, callback)
  assert.throws(() => parser.resume(), /mine/)
  assert.deepEqual(seen, [0, 1, 2])
  parser.parse(Buffer.alloc(0), callback)
  assert.deepEqual(seen, upTo(COUNT))
})

test('rows held by a pause are read late and right', () => {
  const rows = Array.from({ length: 2000 }, (_, i) => [
    `${i}`,
    i % 3 ? 'é'.repeat(i % 50) : null,
    '漢'.repeat(i % 20),
  ])
  const parser = new NativeParser()
  const kept = /** @type {any[]} */ ([])
  const chunks = inPieces(Buffer.concat(rows.map((cells) => wire.dataRow(cells))), 10_000)
  for (const chunk of chunks) {
    parser.parse(chunk, (message) => {
      kept.push(message)
      if (kept.length % 2 === 0) assert.deepEqual(message.fields, rows[kept.length - 1])
      if (kept.length % 11 === 0) parser.pause()
    })
  }
  while (parser.paused) parser.resume()
  assert.deepEqual(
    kept.map((row) => row.fields),
    rows
  )
})

test('everything at once, at random', () => {
  const action = fc.constantFrom(
    'nothing',
    'nothing',
    'nothing',
    'pause',
    'pause and resume',
    'parse',
    'throw',
    'pause and throw'
  )
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat({ max: stream.length }), { maxLength: 6 }),
      (actions, offsets) => {
        const parser = new NativeParser()
        const seen = /** @type {number[]} */ ([])
        const extra = /** @type {number[]} */ ([])
        const chunks = cutAt(stream, offsets)
        let last = false
        const callback = (/** @type {any} */ message) => {
          seen.push(numberOf(message))
          const todo = actions[(seen.length - 1) % actions.length]
          if (todo.startsWith('pause')) parser.pause()
          if (todo === 'pause and resume') parser.resume()
          // Only while the last chunk is fed: earlier, a message would land in the middle of another.
          if (todo === 'parse' && last && extra.length < 3) {
            extra.push(100 + extra.length)
            parser.parse(part(99 + extra.length), callback)
          }
          if (todo.endsWith('throw')) throw new Error('mine')
        }
        const guardedly = (/** @type {() => void} */ step) => {
          try {
            step()
          } catch (error) {
            assert.match(String(error), /mine/)
          }
        }
        chunks.forEach((chunk, i) => {
          last = i === chunks.length - 1
          guardedly(() => parser.parse(chunk, callback))
        })
        for (let i = 0; i < 3 * COUNT + 10; i++) {
          guardedly(() => parser.resume())
          guardedly(() => parser.parse(Buffer.alloc(0), callback))
        }
        assert.deepEqual(seen, [...upTo(COUNT), ...extra])
        assert.equal(parser.reader.buffer.byteLength, 0)
      }
    ),
    { numRuns: 1000 }
  )
})
