'use strict'

const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('node:test')
const { CASES } = require('../../benchmark/parser/cases')
const { loadParser } = require('../../benchmark/parser/contenders')
const { digestOf } = require('../../benchmark/parser/digest')
const { buildStream } = require('../../benchmark/parser/streams')
const { TimedCase } = require('../../benchmark/parser/timed')

const SCRIPT = path.join(__dirname, '..', '..', 'benchmark', 'parser.js')

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

describe('parser benchmark', () => {
  for (const { name, stream, consumer } of CASES.filter((what) => what.consumer !== 'kept')) {
    // Not less: of a stream of two chunks pg-protocol writes the second into the first.
    it(`${name}: both parsers give the consumer the same answer`, async () => {
      const what = { stream, consumer, scale: 0.02 }
      const stock = new TimedCase(loadParser('stock'), what)
      const native = new TimedCase(loadParser('native'), what)
      const expected = stock.check()
      assert.deepEqual(native.check(), expected)
      for (const timed of [stock, native]) {
        const sample = await timed.round({ passes: 2 })
        assert.ok(sample.ms > 0)
        assert.equal(timed.consumer.seen(), 2 * expected.rows)
        timed.checkInput()
      }
    })
  }

  it('tells answers apart that differ in one cell', () => {
    const { chunks } = buildStream('narrow', 0.001)
    const Parser = loadParser('stock')
    const reads = (/** @type {any} */ message) => message.fields
    const right = digestOf(new Parser(), chunks, reads)
    assert.equal(digestOf(new Parser(), chunks, reads), right)
    const changed = chunks.map((chunk) => Buffer.from(chunk))
    const row = changed[0].indexOf('D', changed[0].indexOf('column_5') + 27)
    changed[0][row + 11] ^= 1 // a digit of the first cell
    assert.notEqual(digestOf(new Parser(), changed, reads), right)
  })

  it('does not count rounds whose input was written to', () => {
    const timed = new TimedCase(loadParser('stock'), { stream: 'narrow', consumer: 'never', scale: 0.01 })
    timed.check()
    timed.checkInput()
    timed.stream.chunks[1][100] ^= 1
    assert.throws(() => timed.checkInput(), /wrote into its input/)
  })

  it('does not count a pass that lost rows', async () => {
    const timed = new TimedCase(loadParser('stock'), { stream: 'narrow', consumer: 'never', scale: 0.01 })
    timed.stream.chunks.pop()
    await assert.rejects(timed.round({ passes: 1 }), /rows delivered in place of 4000/)
  })

  it('measures in separate processes and reports as JSON', async () => {
    const { code, stdout, stderr } = await run(
      '--head stock --scale 0.01 --quick --rounds 2 --only narrow/fields,narrow/kept --json'.split(' ')
    )
    assert.equal(code, 0, stderr)
    const result = JSON.parse(stdout)
    assert.deepEqual(
      result.cases.map((/** @type {any} */ row) => row.name),
      ['narrow/fields', 'narrow/kept']
    )
    const [fields, kept] = result.cases
    assert.deepEqual(
      Object.values(fields.samples).map((samples) => samples.length),
      [2, 2, 2, 2]
    )
    assert.equal(fields.input.rows, 4000)
    assert.equal(fields.target, 5)
    assert.equal(fields.met, fields.ratio >= 5)
    assert.ok(kept.base > 4000 * 5 * 8, 'five strings in each of 4000 rows')
    assert.ok(kept.ratio > 0.5 && kept.ratio < 2, `${kept.ratio} for the same code`)
    assert.equal(result.machine.node, process.versions.node)
  })

  it('shows a table; --assert makes a missed target an error', async () => {
    const { code, stdout, stderr } = await run(
      '--head stock --scale 0.01 --quick --rounds 1 --only narrow/never --assert'.split(' ')
    )
    assert.equal(code, 1, stderr)
    assert.match(stdout, /\| narrow\/never \|.*\| +30\.0x \| +NO \|/)
    assert.match(stdout, /STREAMS TIMES 0\.01/)
    assert.equal(stderr, '')
  })

  it('runs with another Node', async () => {
    const args = '--head stock --scale 0.001 --quick --rounds 1 --only one-row/never --json --node'.split(' ')
    const { code, stdout, stderr } = await run([...args, process.execPath])
    assert.equal(code, 0, stderr)
    assert.equal(JSON.parse(stdout).cases.length, 1)
  })

  for (const [what, args, message] of /** @type {[string, string[], RegExp][]} */ ([
    ['an unknown scenario', ['--only', 'tall'], /^There is no scenario 'tall'\. Known: .*wide\/never.*\n$/],
    ['an unknown option', ['--fast'], /--fast/],
    ['no number of rounds', ['--rounds', 'many'], /^--rounds takes a whole number above 0, not 'many'\.\n$/],
    [
      'a parser that is not there',
      ['--head', '/nowhere'],
      /^Cannot measure '\/nowhere': Cannot find module.*\n$/,
    ],
    ['a Node that is not there', ['--node', '/nowhere/node'], /^Cannot run '\/nowhere\/node': .*\n$/],
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
