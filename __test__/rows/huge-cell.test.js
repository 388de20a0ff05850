'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { inChild } = require('../support/child')

// A cell that is longer than a JavaScript string may be: half a gigabyte. It takes so much memory and some seconds that
// it is only tried when PG_PROTOCOL_NATIVE_TEST_HUGE is set.

const skip = !process.env.PG_PROTOCOL_NATIVE_TEST_HUGE && 'PG_PROTOCOL_NATIVE_TEST_HUGE is not set'

// brianc/node-postgres#2653, #3409, #2638, #1818
test('F52: its query is rejected, the connection lives on; a bytea of that size is read', { skip }, () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const { constants } = require('node:buffer')
      const { flavours, connect } = require('../support/query')
      const wire = require('../support/wire')
      const size = constants.MAX_STRING_LENGTH + 2
      const piece = Buffer.alloc(1 << 20, 'a')
      /** One DataRow: a cell of `size` bytes, behind it a short one. */
      const huge = function* (/** @type {string} */ start) {
        const length = 4 + 2 + 4 + size + 4 + 1
        yield Buffer.concat([
          Buffer.from('D'),
          wire.int32(length),
          wire.int16(2),
          wire.int32(size),
          Buffer.from(start),
        ])
        let left = size - start.length
        for (; left > piece.length; left -= piece.length) yield piece
        yield piece.subarray(0, left)
        yield Buffer.concat([wire.int32(1), Buffer.from('7')])
      }
      const { client, backend } = await connect(flavours().native)
      const outcomes = []
      for (const dataTypeID of [25, 1700, 114, 17]) {
        const columns = [
          { name: 'v', dataTypeID },
          { name: 'i', dataTypeID: 23 },
        ]
        backend.replies.push({ columns, stream: huge('\\x') }, { columns: ['n'], rows: [['next']] })
        const outcome = await client.query('select').catch((error) => ({ error }))
        const { rows } = await client.query('select')
        outcomes.push({
          dataTypeID,
          message: outcome.error?.message,
          length: outcome.rows?.[0].v.length,
          i: outcome.rows?.[0].i,
          next: rows[0].n,
        })
      }
      return { outcomes, size, limit: constants.MAX_STRING_LENGTH }
    },
    { timeout: 240_000 }
  )
  assert.ok(result, stderr)
  for (const { dataTypeID, message, length, i, next } of result.outcomes) {
    assert.equal(next, 'next')
    if (dataTypeID === 17) {
      assert.deepEqual([message, length, i], [undefined, (result.size - 2) / 2, 7])
    } else {
      assert.match(
        message ?? 'no error',
        new RegExp(`${result.limit}|${result.limit.toString(16)}`),
        String(dataTypeID)
      )
    }
  }
})
