'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('node:test')
const { Checksum } = require('../../benchmark/languages/checksum')
const { expectedOf, judge, sameAnswer } = require('../../benchmark/languages/measure')
const { cellsOf, people } = require('../../benchmark/languages/people')
const { READERS } = require('../../benchmark/languages/readers')
const { CONTENDERS, REFERENCE } = require('../../benchmark/languages/sides')

const SCRIPT = path.join(__dirname, '..', '..', 'benchmark', 'languages.js')

const run = (/** @type {string[]} */ ...args) =>
  spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8', env: { ...process.env, PATH: '' } })

describe('benchmark across languages', () => {
  it('makes the bytes that Rust makes', () => {
    // tests/languages.rs has the same number.
    assert.equal(expectedOf(5000).input, '4c18b9c77433cbe3')
  })

  it('makes the table as it is described', () => {
    assert.deepEqual(cellsOf(0), ['1', 'zoë-0', '-1099511627776', null, 'f'])
    assert.deepEqual(cellsOf(39), ['40', 'user-39', String(39 * 1000003 - 2 ** 40), cellsOf(79)[3], 'f'])
    assert.equal(cellsOf(39)[3]?.length, 39)
    assert.equal(cellsOf(41)[3]?.length, 1)
    assert.equal(cellsOf(41)[4], 't')
  })

  for (const reader of Object.keys(READERS)) {
    it(`${reader}: sees every cell`, () => {
      const { Parser, cells, touch } = READERS[reader]()
      const answer = new Checksum()
      const parser = new Parser()
      for (const piece of people(5000)) {
        parser.parse(piece, (message) => {
          if (message.name !== 'dataRow') return
          assert.ok(touch(message))
          for (const cell of cells(message)) answer.cell(cell)
        })
      }
      assert.equal(answer.hex(), expectedOf(5000).answer)
    })
  }

  it('measures nobody who had other bytes or gives another answer', () => {
    const expected = expectedOf(10)
    assert.doesNotThrow(() => sameAnswer('it', { ...expected }, expected))
    for (const [key, message] of /** @type {const} */ ([
      ['input', /^Error: it was given other bytes/],
      ['bytes', /^Error: it was given other bytes/],
      ['answer', /^Error: it gives another answer/],
      ['rows', /^Error: it gives another answer/],
    ])) {
      const found = { ...expected, [key]: key === 'bytes' || key === 'rows' ? 9 : 'ab' }
      assert.throws(() => sameAnswer('it', found, expected), message)
    }
    assert.notEqual(expectedOf(11).answer, expected.answer)
  })

  it('takes multiples round by round', () => {
    const samples = {
      [REFERENCE]: [{ ms: 1 }, { ms: 2 }, { ms: 10 }],
      lazy: [{ ms: 3 }, { ms: 4 }, { ms: 5 }],
    }
    const lazy = CONTENDERS.find(({ name }) => name === 'lazy')
    assert.ok(lazy)
    const { ms, msRange, multiple, multipleRange } = judge(lazy, samples)
    assert.deepEqual([ms, msRange, multiple, multipleRange], [4, [3, 5], 2, [0.5, 3]])
  })

  it('answers wrong use, and a machine without Rust, with one sentence and exit code 2', () => {
    for (const [args, sentence] of /** @type {[string[], RegExp][]} */ ([
      [['--only', 'perl'], /^There is no scenario 'perl'/],
      [['--rounds', '0'], /^--rounds takes a whole number above 0/],
      [['--assert'], /^Nothing is aimed at here/],
      [['--quick'], /^Cannot run cargo, which Rust's side needs: /],
    ])) {
      const { status, stderr, stdout } = run(...args)
      assert.deepEqual([status, stdout, stderr.trimEnd().split('\n').length], [2, '', 1], stderr)
      assert.match(stderr, sentence)
    }
  })
})
