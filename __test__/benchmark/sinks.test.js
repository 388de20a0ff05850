'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { openClient } = require('../../benchmark/rows/receivers')
const { CASES } = require('../../benchmark/sinks/cases')
const { openCase } = require('../../benchmark/sinks/timed')
const { loadFlavour } = require('../support/flavours')

/** A contender of its own copy of pg: in the benchmark each has a process. @param {boolean} accelerate */
const contenderOf = (accelerate) => {
  const { pg, made } = loadFlavour({ accelerate })
  return {
    open: (/** @type {any} */ options) => openClient(pg, options),
    made: accelerate ? made : null,
  }
}
const stock = contenderOf(false)
const native = contenderOf(true)

describe('sinks benchmark', () => {
  for (const { name, stream, consumer } of CASES) {
    if (consumer !== 'columns' || stream === 'binary') continue
    it(`${name}: stock's rows and our columns say the same`, async () => {
      const what = { stream, consumer, scale: 0.01 }
      const expected = await (await openCase(stock, what)).check()
      const timed = await openCase(native, what)
      assert.deepEqual(await timed.check(), expected)
      const sample = await timed.round({ passes: 2 })
      assert.ok(sample.ms > 0)
      timed.checkInput()
    })
  }

  it('a contender without columns is not measured as if it had them', async () => {
    const pretends = { ...stock, made: () => 0 }
    const timed = await openCase(pretends, { stream: 'short', consumer: 'columns', scale: 0.01 })
    await assert.rejects(timed.check(), /form/)
  })
})
