'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const { NativeParser, assertSameMessages, stockCollect, nativeCollect } = require('../support/compare')
const { inPieces } = require('../support/chunks')

// A message far larger than a read: every byte is copied a bounded number of times, however many chunks bring it.

const KIB = 1024
const MIB = 1024 * KIB

test('a 3 MiB message in 64 KiB chunks', () => {
  const text = 'abcdefghijklmnop'.repeat((3 * MIB) / 16)
  const stream = Buffer.concat([
    wire.rowDescription(['a', 'b']),
    wire.dataRow(['before', 'é']),
    wire.dataRow([text, null]),
    wire.dataRow(['after', '漢']),
    wire.copyData(Buffer.alloc(3 * MIB, 0xa5)),
    wire.readyForQuery(),
  ])
  for (const size of [64 * KIB, 1000, 64 * KIB - 1]) {
    assertSameMessages(nativeCollect(inPieces(stream, size)), stockCollect(stream), `${size}`)
  }
})

test('a 3 MiB row of many wide cells in 64 KiB chunks', () => {
  const cells = Array.from({ length: 1600 }, (_, i) => ['漢', 'é', '😀', 'x'][i % 4].repeat(700))
  const stream = Buffer.concat([wire.dataRow(cells), wire.dataRow(['after'])])
  assertSameMessages(nativeCollect(inPieces(stream, 64 * KIB)), stockCollect(stream))
})

test('sizes around the border where the buffer starts to grow as bytes arrive', () => {
  for (const size of [MIB - 20, MIB - 16, MIB - 12, MIB - 1, MIB, MIB + 1, 2 * MIB, 2 * MIB + 1]) {
    const chunk = Buffer.alloc(size)
    for (let i = 0; i < size; i += 997) chunk[i] = i / 997
    const stream = Buffer.concat([wire.copyData(chunk), wire.readyForQuery()])
    for (const pieces of [64 * KIB, 300_000, MIB, MIB + 5]) {
      const [copy, ready] = nativeCollect(inPieces(stream, pieces))
      assert.ok(copy.message.chunk.equals(chunk), `${size} bytes in pieces of ${pieces}`)
      assert.equal(ready.message.name, 'readyForQuery')
    }
  }
})

test('the cost of one huge message grows with its size, not with size times chunks', () => {
  const chunk = Buffer.alloc(64 * KIB, 0x61)
  /** The fewest milliseconds of processor time in which a message of that size goes through. */
  const cost = (/** @type {number} */ size) => {
    let best = Infinity
    for (let run = 0; run < 4; run++) {
      const parser = new NativeParser()
      const seen = /** @type {any[]} */ ([])
      const before = process.cpuUsage()
      parser.parse(
        Buffer.concat([wire.header('D', 4 + 6 + size), wire.int16(1), wire.int32(size)]),
        (message) => seen.push(message)
      )
      for (let at = 0; at < size; at += chunk.length) parser.parse(chunk, (message) => seen.push(message))
      const { user, system } = process.cpuUsage(before)
      best = Math.min(best, (user + system) / 1000)
      assert.equal(seen.length, 1)
      assert.equal(seen[0].cell(0).length, size)
    }
    return best
  }
  const small = cost(16 * MIB)
  const large = cost(64 * MIB)
  // Four times the bytes: linear is a factor of 4, a copy of everything for each chunk a factor of 16.
  assert.ok(large < Math.max(small, 4) * 9, `16 MiB took ${small} ms, 64 MiB ${large} ms`)
})

test('what is retained is in proportion to what has arrived', () => {
  const chunk = Buffer.alloc(4 * KIB)
  const size = 8 * MIB
  const parser = new NativeParser()
  let delivered = 0
  const count = () => {
    delivered += 1
  }
  parser.parse(wire.header('d', 4 + size), count)
  for (let at = 0; at < size; at += chunk.length) {
    if (at % (256 * KIB) === 0) {
      const arrived = 5 + at
      const retained = parser.reader.buffer.byteLength
      assert.ok(
        retained >= arrived && retained <= Math.max(2 * arrived, MIB + 5),
        `${retained} bytes retained of ${arrived}`
      )
    }
    parser.parse(chunk, count)
  }
  assert.equal(delivered, 1)
  assert.equal(parser.reader.buffer.byteLength, 0)
})

test('many chunks of one byte of a message of middle size', () => {
  const text = '0123456789'.repeat(20_000)
  const stream = Buffer.concat([wire.dataRow([text]), wire.readyForQuery()])
  const seen = nativeCollect(inPieces(stream, 1))
  assert.equal(seen[0].message.fields[0], text)
  assert.equal(seen[1].message.name, 'readyForQuery')
})
