'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { orderOf, runRounds } = require('../../benchmark/lib/rounds')

const SIDES = ['base', 'head', 'base2', 'head2']

describe('rounds of the benchmarks', () => {
  it('change their order every time, and each side is first and last equally often', () => {
    const orders = Array.from({ length: 8 }, (_, round) => orderOf(SIDES, round))
    for (let round = 1; round < orders.length; round++) assert.notDeepEqual(orders[round], orders[round - 1])
    for (const side of SIDES) {
      assert.equal(orders.filter((order) => order[0] === side).length, 2)
      assert.equal(orders.filter((order) => order[3] === side).length, 2)
    }
    for (const order of orders) assert.deepEqual([...order].sort(), [...SIDES].sort())
  })

  it('measure each side once, never two at a time, and keep the figures by round', async () => {
    let running = 0
    const asked = /** @type {string[]} */ ([])
    const samples = await runRounds({
      sides: SIDES,
      rounds: 3,
      measure: async (side, round) => {
        assert.equal(++running, 1)
        asked.push(side)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return `${side} ${round}`
      },
    })
    assert.deepEqual(samples.head2, ['head2 0', 'head2 1', 'head2 2'])
    assert.deepEqual(
      asked,
      [0, 1, 2].flatMap((round) => orderOf(SIDES, round))
    )
  })
})
