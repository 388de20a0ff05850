'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { median, range, distance, disturbance } = require('../../benchmark/lib/statistics')
const { verdict } = require('../../benchmark/lib/verdict')

describe('statistics of the benchmarks', () => {
  it('takes the middle value, or the mean of the two in the middle, and leaves the list as it is', () => {
    const values = [30, 9, 100]
    assert.equal(median(values), 30)
    assert.equal(median([4, 1, 3, 2]), 2.5)
    assert.equal(median([7]), 7)
    assert.deepEqual(values, [30, 9, 100])
  })

  it('gives the range', () => assert.deepEqual(range([3, -1, 2]), [-1, 3]))

  it('finds twice as fast and half as fast equally far from 1', () => {
    assert.equal(distance(2), 1)
    assert.equal(distance(0.5), 1)
    assert.equal(distance(1), 0)
  })

  it('sees what other programs took, and no gain in helper threads', () => {
    assert.equal(disturbance([{ ms: 10, cpuMs: 13, passes: 2 }]), 0)
    assert.equal(disturbance([{ ms: 10, cpuMs: 5, passes: 2 }]), 0.5)
    const both = [
      { ms: 10, cpuMs: 20, passes: 1 },
      { ms: 30, cpuMs: 20, passes: 1 },
    ]
    assert.equal(disturbance(both), 0.25)
    assert.equal(disturbance([]), 0)
  })
})

describe('verdict of the benchmarks', () => {
  const quiet = [100, 101, 100, 99]

  it('marks an effect that is wider than the noise and the same in all rounds', () => {
    const result = verdict(
      { base: quiet, base2: quiet, head: [50, 51, 49, 50], head2: [50, 50, 50, 50] },
      'lower'
    )
    assert.equal(result.mark, 'faster')
    assert.ok(Math.abs(result.ratio - 2) < 0.03)
    assert.deepEqual(result.range, [99 / 50, 100 / 49])
    assert.equal(result.base, 100)
    assert.equal(result.head, 50)
    assert.ok(Math.abs(result.noise - 0.0204) < 0.001, 'the furthest of 49/50, 51/50, ...')
  })

  it('marks the other way too', () => {
    const result = verdict(
      { base: quiet, base2: quiet, head: [150, 149, 151, 150], head2: [150, 149, 151, 150] },
      'lower'
    )
    assert.equal(result.mark, 'slower')
  })

  it('reads figures of which more is better the other way round', () => {
    const rounds = { base: quiet, base2: quiet, head: [150, 149, 151, 150], head2: [150, 149, 151, 150] }
    const result = verdict(rounds, 'higher')
    assert.equal(result.mark, 'faster')
    assert.ok(Math.abs(result.ratio - 1.5) < 0.01)
  })

  it('gives no mark where the noise is wider than the effect', () => {
    const head = [90, 90, 90, 90]
    const noisyBase = verdict({ base: quiet, base2: [100, 115, 100, 99], head, head2: head }, 'lower')
    assert.ok(noisyBase.noise > 0.11)
    assert.equal(noisyBase.mark, null)
    const noisyHead = verdict({ base: quiet, base2: quiet, head, head2: [90, 90, 79, 90] }, 'lower')
    assert.equal(noisyHead.mark, null)
    const without = verdict({ base: quiet, base2: quiet, head, head2: head }, 'lower')
    assert.equal(without.mark, 'faster', 'the same effect without the noise')
  })

  it('gives no mark where one round went the other way', () => {
    const one = verdict(
      { base: quiet, base2: quiet, head: [50, 50, 101, 50], head2: [50, 50, 101, 50] },
      'lower'
    )
    assert.ok(one.ratio > 1.9)
    assert.equal(one.noise, 0)
    assert.equal(one.mark, null)
  })

  it('gives no mark for less than 2 %', () => {
    const same = [100, 100, 100]
    assert.equal(
      verdict({ base: same, base2: same, head: [98.1, 98.1, 98.1], head2: [98.1, 98.1, 98.1] }, 'lower').mark,
      null
    )
    assert.equal(
      verdict({ base: same, base2: same, head: [98, 98, 98], head2: [98, 98, 98] }, 'lower').mark,
      'faster'
    )
  })

  it('gives no mark for two measurements of the same', () => {
    const result = verdict({ base: quiet, base2: quiet, head: quiet, head2: quiet }, 'lower')
    assert.equal(result.ratio, 1)
    assert.equal(result.mark, null)
  })

  it('refuses rounds with a figure missing', () => {
    assert.throws(
      () => verdict({ base: quiet, base2: quiet, head: [1], head2: quiet }, 'lower'),
      /one figure per round/
    )
    assert.throws(
      () => verdict({ base: [], base2: [], head: [], head2: [] }, 'lower'),
      /one figure per round/
    )
  })
})
