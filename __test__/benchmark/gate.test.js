'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('node:test')
const { RULES, WORTH_JUDGING, judge } = require('../../benchmark/gate/rules')
const { SCENARIOS } = require('../../benchmark/queries/scenarios')
const { runCommand } = require('./support/run')

const STOCK = { name: 'stock', kind: 'stock', commit: null }
const REGISTER = { name: 'register', kind: 'register', commit: null }
const PARSER = { name: 'parser', kind: 'parser', commit: null }
const RELEASED = { name: 'v1.17.0', kind: 'register', commit: 'abc' }
const RELEASED_PARSER = { name: 'parser@v1.17.0', kind: 'parser', commit: 'abc' }

/**
 * A made-up result in which nothing has changed but what is given.
 * @param {{base: any, head: any}} contenders
 * @param {Record<string, {ratio?: number, noise?: number} | null>} [rows] null: not measured
 * @param {{rounds?: number, seconds?: number}} [plan]
 */
const resultOf = ({ base, head }, rows = {}, { rounds = 4, seconds = 3 } = {}) => ({
  benchmark: 'queries',
  date: '2026-01-02T03:04:05.678Z',
  machine: { cpu: 'M1', cores: 8, node: '26.0.0' },
  plan: { base: base.name, head: head.name, rounds, seconds, quick: false },
  contenders: { base, head },
  skipped: [],
  cases: SCENARIOS.filter(({ name }) => rows[name] !== null).map(({ name, title, group }) => ({
    name,
    title,
    group,
    unit: 'q/s',
    ratio: 1,
    noise: 0.05,
    ...rows[name],
  })),
})

/** @param {any} result */
const brokenOf = (result) =>
  judge(result)
    .filter(({ broken }) => broken.length > 0)
    .map(({ rule }) => rule)

describe('rules of what may ship', () => {
  it('are those of RULES.md', () => {
    const text = fs.readFileSync(path.join(__dirname, '..', '..', 'benchmark', 'RULES.md'), 'utf8')
    const written = [...text.matchAll(/^\| `([\w-]+)` +\|/gm)].map(([, name]) => name)
    assert.deepEqual(written, [...RULES.map(({ name }) => name), WORTH_JUDGING])
  })

  it('are kept where nothing is slower', () => {
    for (const contenders of [
      { base: STOCK, head: REGISTER },
      { base: RELEASED, head: REGISTER },
      { base: RELEASED_PARSER, head: PARSER },
    ]) {
      const judgements = judge(resultOf(contenders))
      assert.equal(judgements.length, 2, 'one rule, and whether it is worth judging')
      assert.deepEqual(
        judgements.flatMap(({ broken }) => broken),
        []
      )
    }
  })

  it('judge only what they are about', () => {
    for (const contenders of [
      { base: STOCK, head: RELEASED },
      { base: STOCK, head: PARSER },
      { base: { name: 'bun', kind: 'peer', commit: null }, head: REGISTER },
      { base: RELEASED_PARSER, head: REGISTER },
    ])
      assert.deepEqual(judge(resultOf(contenders)), [])
  })

  it('are broken by what is slower than the noise, and by nothing within it', () => {
    const slow = { ratio: 0.9, noise: 0.05 }
    const noisy = { ratio: 0.9, noise: 0.2 }
    const little = { ratio: 0.985, noise: 0.001 }
    for (const [contenders, scenario, rule] of /** @type {[any, string, string][]} */ ([
      [{ base: STOCK, head: REGISTER }, 'update', 'single-row-within-noise'],
      [{ base: RELEASED, head: REGISTER }, 'select-500-simple', 'rows-no-slower'],
      [{ base: RELEASED_PARSER, head: PARSER }, 'cursor', 'parser-only-unaffected'],
    ])) {
      assert.deepEqual(brokenOf(resultOf(contenders, { [scenario]: slow })), [rule])
      for (const row of [noisy, little])
        assert.deepEqual(brokenOf(resultOf(contenders, { [scenario]: row })), [])
    }
    const slowRows = resultOf({ base: STOCK, head: REGISTER }, { 'select-500-simple': slow })
    assert.deepEqual(brokenOf(slowRows), [], 'stock against register is judged by its single rows')
    const slowSingle = resultOf({ base: RELEASED, head: REGISTER }, { update: slow })
    assert.deepEqual(brokenOf(slowSingle), [], 'and the last release by its many rows')
  })

  it('want a run that is worth judging', () => {
    const contenders = { base: STOCK, head: REGISTER }
    for (const doubtful of [
      resultOf(contenders, { pool: { noise: 0.3 } }),
      resultOf(contenders, { pool: null }),
      resultOf(contenders, {}, { rounds: 3 }),
      resultOf(contenders, {}, { seconds: 0.5 }),
    ])
      assert.deepEqual(brokenOf(doubtful), [WORTH_JUDGING])
    assert.deepEqual(brokenOf(resultOf(contenders, { cursor: null })), [], 'a scenario of another rule')
  })
})

describe('npm run bench:gate', () => {
  /** @type {string} */
  let folder
  before(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gate-'))))
  after(() => fs.rmSync(folder, { recursive: true }))

  /** @param {string} name @param {any} result */
  const write = (name, result) => {
    const file = path.join(folder, name)
    fs.writeFileSync(file, JSON.stringify(result))
    return file
  }

  it('exits with 0 where all rules are kept', async () => {
    const file = write('kept.json', resultOf({ base: STOCK, head: REGISTER }))
    const { code, stdout, stderr } = await runCommand('gate.js', [file])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^kept\.json\n {2}kept +single-row-within-noise\n {2}kept +worth-judging\n/)
  })

  it('exits with 1 and names the rule that is broken', async () => {
    const kept = write('kept.json', resultOf({ base: STOCK, head: REGISTER }))
    const slow = { 'select-500-all-types': { ratio: 0.8, noise: 0.03 } }
    const broken = write('broken.json', resultOf({ base: RELEASED, head: REGISTER }, slow))
    const { code, stdout, stderr } = await runCommand('gate.js', [kept, broken])
    assert.equal(code, 1)
    assert.match(
      stdout,
      /BROKEN rows-no-slower\n +select-500-all-types is 0\.800 times as fast, with 3\.0 % noise/
    )
    assert.equal(stderr, 'Broken: rows-no-slower.\n')
  })

  it('exits with 2 where there is nothing to judge', async () => {
    const other = write('other.json', resultOf({ base: STOCK, head: PARSER }))
    const parser = write('parser.json', { ...resultOf({ base: STOCK, head: PARSER }), benchmark: 'parser' })
    const wrong = path.join(folder, 'wrong.json')
    fs.writeFileSync(wrong, '{')
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [[other], /^.*other\.json compares nothing that a rule is about\.\n$/],
      [[parser], /^.*parser\.json is no result of 'npm run bench'\.\n$/],
      [[wrong], /^Cannot read .*wrong\.json: .*\n$/],
      [[path.join(folder, 'none.json')], /^Cannot read .*none\.json: ENOENT.*\n$/],
      [['--run', other], /^Give either --run or results, not both\.\n$/],
      [['--fast'], /^Unknown option '--fast'/],
    ])) {
      const { code, stderr, stdout } = await runCommand('gate.js', args)
      assert.equal(code, 2, `${args}: ${stderr}`)
      assert.match(stderr, message)
      assert.equal(stdout, '')
    }
  })
})
