'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { Parser } = require('pg-protocol/dist/parser.js')
const { ChunkWriter } = require('../../benchmark/lib/chunk-writer')
const { RowWriter } = require('../../benchmark/lib/row-writer')
const { createRandom, between } = require('../../benchmark/lib/random')
const { STREAMS, buildStream } = require('../../benchmark/parser/streams')
const wire = require('../support/wire')

describe('made-up data of the benchmarks', () => {
  it('comes from the same numbers for the same seed', () => {
    const draw = (/** @type {number} */ seed) => {
      const random = createRandom(seed)
      return Array.from({ length: 1000 }, () => between(random, -5, 5))
    }
    assert.deepEqual(draw(7), draw(7))
    assert.notDeepEqual(draw(7), draw(8))
    assert.deepEqual([Math.min(...draw(7)), Math.max(...draw(7))], [-5, 5])
  })

  it('is cut into whole chunks with memory of their own', () => {
    const writer = new ChunkWriter(8)
    const stream = Buffer.from('abcdefghijklmnopqrstuvw')
    writer.write(stream.subarray(0, 3))
    writer.write(stream.subarray(3, 21))
    writer.write(Buffer.from('vw, and what does not count'), 2)
    const chunks = writer.end()
    assert.deepEqual(
      chunks.map((chunk) => chunk.length),
      [8, 8, 7]
    )
    assert.deepEqual(Buffer.concat(chunks), stream)
    for (const chunk of chunks) assert.equal(chunk.buffer.byteLength, chunk.length)
    assert.equal(new Set(chunks.map((chunk) => chunk.buffer)).size, 3)
  })

  it('writes rows as the readable builder does', () => {
    const writer = new RowWriter(64)
    for (const cells of [[], [null], [''], ['a', null, 'zoë', '日本'], ['😀', '', null, null]]) {
      const length = writer.write(cells)
      assert.deepEqual(writer.bytes.subarray(0, length), wire.dataRow(cells))
    }
    assert.throws(() => writer.write(['x'.repeat(64)]), RangeError)
  })

  for (const [name, { answers, columns }] of Object.entries(STREAMS)) {
    it(`${name}: is the same each time and what its title says`, () => {
      const stream = buildStream(name, 0.01)
      assert.deepEqual(Buffer.concat(stream.chunks), Buffer.concat(buildStream(name, 0.01).chunks))
      if (!answers) assert.ok(stream.chunks.slice(0, -1).every((chunk) => chunk.length === 64 * 1024))
      const names = /** @type {string[]} */ ([])
      const parser = new Parser()
      for (const chunk of stream.chunks) {
        const before = names.length
        parser.parse(chunk, (/** @type {any} */ message) => {
          names.push(message.name)
          if (message.name === 'dataRow') assert.equal(message.fields.length, columns.length)
        })
        if (answers) {
          assert.deepEqual(names.slice(before), [
            'parseComplete',
            'bindComplete',
            'rowDescription',
            'dataRow',
            'commandComplete',
            'readyForQuery',
          ])
        }
      }
      assert.equal(names.length, stream.messages)
      assert.equal(names.filter((message) => message === 'dataRow').length, stream.rows)
      assert.equal(names.at(-1), 'readyForQuery')
    })
  }

  it('has the sizes that results are compared by', () => {
    const perRow = (/** @type {string} */ name) => {
      const { bytes, rows } = buildStream(name, 0.01)
      return Math.round(bytes / rows)
    }
    assert.ok(Math.abs((perRow('wide') * 100_000) / 2 ** 20 - 68) < 2)
    assert.ok(perRow('narrow') < 60)
    assert.ok(perRow('long') > 300)
  })
})
