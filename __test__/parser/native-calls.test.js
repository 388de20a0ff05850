'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { inChild } = require('../support/child')

// What the native half is asked to do, counted: one call for a chunk, at most one for a batch of rows, none for what
// nobody reads. Counted in a process of its own, where every function of the addon is wrapped before it is used.

test('calls into the addon', () => {
  const { result, stderr } = inChild(__filename, (require) => {
    const binding = require('../../lib/binding')
    let calls = 0
    for (const [name, value] of Object.entries(binding)) {
      if (typeof value !== 'function') continue
      binding[name] = (/** @type {any[]} */ ...args) => {
        calls += 1
        return value(...args)
      }
    }
    const wire = require('../support/wire')
    const { inPieces } = require('../support/chunks')
    const { NativeParser } = require('../support/compare')
    const cells = ['1', 'short', 'é', null, 'a text of more than sixteen bytes']
    const rows = 5000
    const stream = Buffer.concat(Array.from({ length: rows }, () => wire.dataRow(cells)))
    const chunks = inPieces(stream, 65536)
    /** @param {(row: any, i: number) => void} read */
    const count = (read) => {
      const parser = new NativeParser()
      const before = calls
      let i = 0
      for (const chunk of chunks) parser.parse(chunk, (/** @type {any} */ row) => read(row, i++))
      if (i !== rows) throw new Error(`${i} rows`)
      return calls - before
    }
    const kept = /** @type {any[]} */ ([])
    return {
      bytes: stream.length,
      rows,
      chunks: chunks.length,
      unread: count(() => {}),
      short: count((row) => row.text(1)),
      isNull: count((row) => row.isNull(3)),
      cell: count((row) => row.cell(4)),
      fields: count((row) => row.fields),
      twice: count((row) => [row.fields, row.fields]),
      keep: count((row) => kept.push(row)),
      later: (() => {
        const before = calls
        for (const row of kept) void row.fields
        return calls - before
      })(),
    }
  })
  assert.ok(result, stderr)
  const { bytes, rows, chunks, ...of } = result
  assert.ok(of.unread > 0, 'the calls are counted')
  for (const kind of ['unread', 'short', 'isNull', 'cell', 'keep']) {
    assert.ok(of[kind] <= chunks + 2, `${kind}: ${of[kind]} calls for ${chunks} chunks`)
  }
  // A batch ends with its chunk or when a pool of 8 KiB is full; the rows' bytes are more than their text.
  const batches = chunks + Math.ceil(bytes / 8192) + 1
  for (const kind of ['fields', 'twice']) {
    assert.ok(of[kind] > of.unread, 'rows that are read in order are decoded in batches')
    assert.ok(
      of[kind] <= chunks + 2 + batches,
      `${kind}: ${of[kind]} calls for ${chunks} chunks and ${rows} rows`
    )
  }
  assert.ok(of.later > 0 && of.later <= batches, `${of.later} calls for ${rows} kept rows`)
})
