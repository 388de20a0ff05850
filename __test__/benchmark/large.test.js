'use strict'

const assert = require('node:assert/strict')
const path = require('node:path')
const { describe, it } = require('node:test')
const { Client } = require('pg')
const { prepareContender } = require('../../benchmark/contenders')
const { PEERS, isInstalled } = require('../../benchmark/contenders/peers')
const { Cleanup } = require('../../benchmark/lib/cleanup')
const { urlOf } = require('../../benchmark/lib/url')
const { Worker } = require('../../benchmark/lib/worker')
const { checkRows } = require('../../benchmark/large/answer')
const { CASES } = require('../../benchmark/large/cases')
const { stepsOf } = require('../../benchmark/large/steps')
const { tableOf } = require('../../benchmark/large/tables')
const { useServer } = require('../support/server')
const { runCommand } = require('./support/run')

const FOLDER = path.join(__dirname, '..', '..', 'benchmark', 'large')
const SCALE = 0.005

/** @type {Record<string, import('../../benchmark/contenders').Contender>} */
const contenders = {}
const cleanup = new Cleanup()
const server = useServer({
  async prepare() {
    const peers = Object.keys(PEERS).filter((name) => isInstalled(/** @type {any} */ (name)))
    for (const name of ['stock', 'parser', 'register', ...peers])
      contenders[name] = await prepareContender(name, { say: () => {}, defer: cleanup.defer })
  },
  cleanUp: () => cleanup.run(),
})

/**
 * @param {string} contender
 * @param {string} table
 * @param {string} consumer
 * @param {{timer?: boolean}} [options]
 */
const measureOnce = async (contender, table, consumer, { timer = false } = {}) => {
  const { execPath, execArgv, env, setup } = contenders[contender]
  const worker = new Worker(path.join(FOLDER, 'process.js'), {
    execPath,
    execArgv: timer ? ['-r', path.join(FOLDER, 'decode-timer.js'), ...execArgv] : execArgv,
    env: { ...env, PG_PROTOCOL_NATIVE_BENCH_FOLDER: setup.folder ?? '' },
  })
  try {
    const url = urlOf(server().config)
    const answer = await worker.ask('prepare', { setup, table, consumer, scale: SCALE, url })
    const sample = await worker.ask('round', { ms: 1 })
    assert.ok(sample.ms > 0 && sample.cpuMs > 0 && sample.passes > 0)
    await worker.ask('end')
    return { answer, sample }
  } finally {
    await worker.end()
  }
}

describe('benchmark of large results', () => {
  for (const { name, table, consumer } of CASES) {
    if (consumer === 'steps') continue
    it(`${name}: the answer is what the table holds, and the same in all of pg's flavours`, async () => {
      const [stock, ...others] = await Promise.all(
        ['stock', 'parser', 'register'].map((contender) => measureOnce(contender, table, consumer))
      )
      assert.equal(stock.answer.rows, tableOf(table, SCALE).rows)
      for (const { answer } of others) assert.deepEqual(answer, stock.answer)
    })
  }

  it('gives each table its size', () => {
    assert.equal(tableOf('wide', 1).rows, 100_000)
    assert.equal(tableOf('wide', 1).columns.length, 40)
    assert.equal(tableOf('narrow', 1).rows, 5000)
    assert.equal(tableOf('narrow', 1).columns.length, 5)
    assert.equal(tableOf('bytea', 1).columns[0].value(1).length, 50 * 2 ** 20)
  })

  it('reads the wide table of some 68 MB', async () => {
    const client = new Client(server().config)
    await client.connect()
    try {
      const { columns, setup, rows, text } = tableOf('wide', 0.01)
      for (const statement of setup) await client.query(statement)
      const bytes = columns.map(({ name }) => `coalesce(length(${name}::text), 0) + 4`).join(' + ')
      const result = await client.query(
        `select sum(7 + ${bytes})::float8 / ${rows} * 100000 as bytes from (${text}) wide`
      )
      const megabytes = result.rows[0].bytes / 2 ** 20
      assert.ok(megabytes > 63 && megabytes < 73, `${megabytes} MiB`)
    } finally {
      await client.end()
    }
  })

  it('throws away the same bytes each time', async () => {
    const { answer, sample } = await measureOnce('stock', 'narrow', 'floor')
    assert.equal(answer.rows, tableOf('narrow', SCALE).rows)
    assert.ok(sample.passes >= 1)
  })

  for (const consumer of ['never', 'values']) {
    it(`takes messages for the split: ${consumer}`, async () => {
      const [stock, register] = await Promise.all(
        ['stock', 'register'].map((contender) => measureOnce(contender, 'wide', consumer))
      )
      assert.deepEqual(register.answer, stock.answer)
    })
  }

  it('takes the time of decoding, where it is told to', async () => {
    const timed = await measureOnce('register', 'wide', 'decoded', { timer: true })
    assert.ok(timed.sample.decodeMs > 0 && timed.sample.decodeMs < timed.sample.ms)
    const plain = await measureOnce('register', 'wide', 'dropped')
    assert.equal(plain.sample.decodeMs, undefined)
  })

  for (const peer of Object.keys(PEERS)) {
    const missing = isInstalled(/** @type {any} */ (peer))
      ? false
      : `${peer} is not installed; npm run bench -- --head ${peer} does that`
    it(`${peer} gives the same rows`, { skip: missing }, async () => {
      for (const table of ['wide', 'narrow', 'bytea']) {
        const { answer } = await measureOnce(peer, table, 'kept')
        assert.equal(answer.rows, tableOf(/** @type {any} */ (table), SCALE).rows)
      }
    })
  }

  it('refuses rows of which one is wrong, or missing', () => {
    const table = tableOf('narrow', SCALE)
    const rows = Array.from({ length: table.rows }, (_, at) =>
      table.columns.map(({ value }) => value(at + 1))
    )
    const valuesOf = (/** @type {any} */ row) => row
    assert.match(checkRows(table, rows, valuesOf).digest, /^[0-9a-f]{64}$/)
    const wrong = rows.with(14, rows[14].with(4, 'title'))
    assert.throws(
      () => checkRows(table, wrong, valuesOf),
      /row 15, column 5 is 'title' in place of 'title 15'/
    )
    assert.throws(() => checkRows(table, rows.slice(1, 2), valuesOf), /row 1, column 1/)
    assert.throws(() => checkRows(table, rows.slice(0, -1), valuesOf), /24 rows in place of 25/)
  })
})

describe('split of the time', () => {
  const ms = (/** @type {number[]} */ ...figures) => figures.map((figure) => ({ ms: figure }))

  it('is the differences between ways that do more and more', () => {
    const samples = {
      floor: ms(10, 11, 9),
      'base/never': ms(30, 29, 31),
      'base/values': ms(70),
      'base/rows': ms(100),
    }
    assert.deepEqual(stepsOf('base', { kind: 'stock' }, samples), {
      socket: 10,
      parse: 20,
      convert: 40,
      build: 30,
    })
  })

  it('takes what was measured inside Rust for ours', () => {
    const samples = {
      floor: ms(10),
      'head/never': ms(12),
      'head/decoded': [{ ms: 50, decodeMs: 8 }],
      'head/rows': ms(40),
    }
    assert.deepEqual(stepsOf('head', { kind: 'register' }, samples), {
      socket: 10,
      parse: 2,
      convert: 8,
      build: 20,
    })
  })

  it('has no part below zero, and parts that add up, whatever noise did', () => {
    const samples = { floor: ms(10), 'base/never': ms(9), 'base/values': ms(50), 'base/rows': ms(40) }
    assert.deepEqual(stepsOf('base', { kind: 'stock' }, samples), {
      socket: 10,
      parse: 0,
      convert: 30,
      build: 0,
    })
  })
})

describe('npm run bench:large', () => {
  it('measures beside the floor, and says where the time goes', async () => {
    const { code, stdout, stderr } = await runCommand(
      'large.js',
      '--quick --only narrow --rounds 1 --seconds 0.02 --json'.split(' '),
      { env: server().env }
    )
    assert.equal(code, 0, stderr)
    const { cases } = JSON.parse(stdout)
    const [kept, steps] = cases
    assert.equal(kept.name, 'narrow/kept')
    assert.deepEqual(Object.keys(kept.samples), ['base', 'head', 'base2', 'head2', 'floor'])
    for (const figure of [kept.ratio, kept.floor.ms, kept.floor.base, kept.floor.head, kept.cpu.ratio])
      assert.ok(figure > 0)
    assert.deepEqual(kept.target, { mostOfFloor: 1.4 })
    assert.equal(kept.met, kept.floor.head <= 1.4)
    assert.equal(typeof kept.gc.base.pauseMs, 'number')
    assert.equal(steps.name, 'narrow/steps')
    assert.deepEqual(Object.keys(steps.steps.base), ['socket', 'parse', 'convert', 'build'])
    assert.ok(steps.steps.head.socket > 0)
  })

  it('prints Markdown tables', async () => {
    const { code, stdout, stderr } = await runCommand(
      'large.js',
      '--quick --only narrow --rounds 1 --seconds 0.02 --head parser'.split(' '),
      { env: server().env }
    )
    assert.equal(code, 0, stderr)
    assert.match(
      stdout,
      /\| base\/floor \| head\/floor \| +target \| +met \| +CPU ms \| +by CPU \| +GCs \| +GC ms \|/
    )
    assert.match(stdout, /^\| 5000 x 5 +\| head \|/m)
    assert.match(stdout, /^A quick look, not a result to keep\.$/m)
  })

  it('says in one sentence what is wrong', async () => {
    const { code, stdout, stderr } = await runCommand('large.js', ['--only', 'tall'])
    assert.equal(code, 2)
    assert.match(stderr, /^There is no scenario 'tall'\. Known: wide\/kept, .*\n$/)
    assert.equal(stdout, '')
  })
})
