'use strict'

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('node:test')
const { CASES } = require('../../benchmark/rows/cases')
const { answer } = require('../../benchmark/rows/consumers')
const { loadContender } = require('../../benchmark/rows/contenders')
const { describe: describeValue } = require('../../benchmark/rows/digest')
const { hasLazyRows } = require('../../benchmark/rows/lazy')
const { openClient } = require('../../benchmark/rows/receivers')
const { TimedCase } = require('../../benchmark/rows/timed')
const { loadFlavour } = require('../support/flavours')
const wire = require('../support/wire')

const SCRIPT = path.join(__dirname, '..', '..', 'benchmark', 'rows.js')

/** @typedef {import('../../benchmark/rows/contenders').Contender} Contender */

/** A contender of its own copy of pg: in the benchmark each has a process. @param {boolean} accelerate @returns {Contender} */
const contenderOf = (accelerate) => {
  const { pg, made } = loadFlavour({ accelerate })
  return { open: (options) => openClient(pg, options), made: accelerate ? made : null }
}
const stock = contenderOf(false)
const native = contenderOf(true)
const direct = loadContender('direct')

/**
 * @param {string[]} args
 * @returns {Promise<{code: number | null, stdout: string, stderr: string}>}
 */
const run = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (text) => (stdout += text))
    child.stderr.on('data', (text) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })

describe('rows benchmark', () => {
  for (const { name, stream, consumer } of CASES) {
    if (consumer === 'heap') continue
    it(`${name}: stock and native give the same rows`, async () => {
      const what = { stream, consumer, scale: 0.02 }
      const expected = await (await TimedCase.open(stock, what)).check()
      for (const contender of [stock, native, direct]) {
        const timed = await TimedCase.open(contender, what)
        assert.deepEqual(await timed.check(), expected)
        const sample = await timed.round({ passes: 2 })
        assert.ok(sample.ms > 0)
        timed.checkInput()
      }
    })
  }

  it('tells answers apart that differ in one cell', async () => {
    const timed = await TimedCase.open(stock, { stream: 'short', consumer: 'kept', scale: 0.001 })
    const before = await timed.check()
    assert.deepEqual(await timed.check(), before)
    const [chunk] = timed.stream.chunks
    // A digit of the first cell of the first row, behind the names of the columns.
    chunk[chunk.indexOf('D', chunk.indexOf('column_5') + 27) + 11] ^= 1
    assert.notEqual((await timed.check()).digest, before.digest)
  })

  it('describes values so that no two are taken for one', () => {
    class Other {}
    const date = new Date(5)
    const values = [
      ...[0, -0, NaN, 1, '1', true, 'true', null, 'null', undefined, 1n],
      ...[[], [null], [''], ['a', 'b'], ['a,b'], {}, { a: 1 }, { b: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }],
      ...[new Other(), Object.create(null), date, new Date(NaN), Object.assign(new Date(5), { usec: 5 })],
      ...[5, date.toJSON(), Buffer.from('ab'), 'ab', Buffer.alloc(0), new Uint8Array(1)],
    ]
    const described = values.map(describeValue)
    assert.equal(new Set(described).size, values.length - 1, '1 and 1n, which pg does not give, are alike')
    assert.equal(describeValue({ a: [1, { b: date }] }), describeValue({ a: [1, { b: new Date(5) }] }))
  })

  it('does not count rows that were not built natively', async () => {
    const what = /** @type {const} */ ({ stream: 'short', consumer: 'dropped', scale: 0.001 })
    const timed = await TimedCase.open({ ...stock, made: () => 0 }, what)
    await assert.rejects(timed.check(), /0 of 400 rows were built natively/)
    await assert.rejects(timed.round({ passes: 1 }), /0 of 400 rows were built natively/)
  })

  it('does not count a pass that lost rows, nor one that changed its input', async () => {
    const timed = await TimedCase.open(stock, { stream: 'short', consumer: 'kept', scale: 0.01 })
    timed.checkInput()
    timed.stream.chunks[1][100] ^= 1
    assert.throws(() => timed.checkInput(), /wrote into its input/)
    timed.stream.rows++
    await assert.rejects(timed.round({ passes: 1 }), /4000 rows delivered in place of 4001/)
    timed.stream.chunks.pop()
    await assert.rejects(timed.round({ passes: 1 }), /did not come to its end/)
  })

  it('passes on the error of a query', async () => {
    const failure = Buffer.concat([
      wire.errorResponse({ S: 'ERROR', C: '22P02', M: 'wrong value' }),
      wire.readyForQuery(),
    ])
    for (const listener of [null, () => {}]) {
      const receiver = await stock.open()
      assert.throws(() => answer(receiver, [failure], { text: 'select' }, listener), {
        message: 'wrong value',
      })
    }
  })

  it('sees whether rows are lazy', async () => {
    assert.equal(await hasLazyRows(stock), false)
  })

  it('measures in separate processes and reports as JSON', async () => {
    const { code, stdout, stderr } = await run(
      '--head stock --scale 0.01 --quick --rounds 2 --only short/kept,short/heap,lazy --json'.split(' ')
    )
    assert.equal(code, 0, stderr)
    const result = JSON.parse(stdout)
    assert.deepEqual(
      result.cases.map((/** @type {any} */ row) => row.name),
      ['short/kept', 'short/heap']
    )
    assert.deepEqual(result.skipped, ["lazy, for stock has no rowMode 'lazy'"])
    const [kept, heap] = result.cases
    assert.deepEqual(
      Object.values(kept.samples).map((samples) => samples.length),
      [2, 2, 2, 2]
    )
    assert.equal(kept.input.rows, 4000)
    assert.equal(kept.met, kept.ratio >= 4.5)
    assert.ok(heap.base > 4000 * 5 * 8, 'five values in each of 4000 rows')
    assert.ok(heap.ratio > 0.5 && heap.ratio < 2, `${heap.ratio} for the same code`)
    assert.equal(result.machine.versions.pg, require('pg/package.json').version)
  })

  it('measures native rows; --assert makes a missed target an error', async () => {
    // The fastest that there can be against itself is not 5 times as fast.
    const { code, stdout, stderr } = await run(
      '--base native --scale 0.01 --quick --rounds 1 --only short/dropped --assert'.split(' ')
    )
    assert.equal(code, 1, stderr)
    assert.match(stdout, /\| short\/dropped \|.*\| +5\.00x \| +NO \|/)
    assert.equal(stderr, '')
  })

  for (const [what, args, message] of /** @type {[string, string[], RegExp][]} */ ([
    ['an unknown scenario', ['--only', 'tall'], /^There is no scenario 'tall'\. Known: .*wide\/dropped.*\n$/],
    [
      'a checkout that is not there',
      ['--head', '/nowhere'],
      /^Cannot measure '\/nowhere': Cannot find .*\n$/,
    ],
  ])) {
    it(`says in one line what is wrong: ${what}`, async () => {
      const { code, stdout, stderr } = await run(args)
      assert.equal(code, 2)
      assert.match(stderr, message)
      assert.equal(stderr.trim().split('\n').length, 1)
      assert.equal(stdout, '')
    })
  }
})
