'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('node:test')
const { Client } = require('pg')
const { prepareContender } = require('../../benchmark/contenders')
const { cannot } = require('../../benchmark/contenders/cannot')
const { PEERS, isInstalled } = require('../../benchmark/contenders/peers')
const { Cleanup } = require('../../benchmark/lib/cleanup')
const { urlOf } = require('../../benchmark/lib/url')
const { Worker } = require('../../benchmark/lib/worker')
const { ALL_TYPES } = require('../../benchmark/queries/columns')
const { SCENARIOS, scenarioOf } = require('../../benchmark/queries/scenarios')
const { expectedRows, plain } = require('../../benchmark/queries/tables')
const { TimedScenario } = require('../../benchmark/queries/timed')
const { useServer } = require('../support/server')
const { runCommand } = require('./support/run')

const PROCESS = path.join(__dirname, '..', '..', 'benchmark', 'queries', 'process.js')
const OURS = ['stock', 'parser', 'register']

/** @type {Record<string, import('../../benchmark/contenders').Contender>} */
const contenders = {}
const cleanup = new Cleanup()
const server = useServer({
  async prepare() {
    const peers = Object.keys(PEERS).filter((name) => isInstalled(/** @type {any} */ (name)))
    for (const name of [...OURS, ...peers])
      contenders[name] = await prepareContender(name, { say: () => {}, defer: cleanup.defer })
  },
  cleanUp: () => cleanup.run(),
})

/**
 * What the benchmark does with a scenario, with rounds that are as short as can be.
 * @param {string} contender
 * @param {string} scenario
 */
const measureOnce = async (contender, scenario) => {
  const { execPath, execArgv, env, setup } = contenders[contender]
  const worker = new Worker(PROCESS, { execPath, execArgv, env })
  try {
    const { digest } = await worker.ask('prepare', { setup, scenario, url: urlOf(server().config) })
    const sample = await worker.ask('round', { ms: 1 })
    const after = await worker.ask('check')
    assert.equal(after.digest, digest, 'the answers are the same after the round')
    return { digest, sample }
  } finally {
    await worker.end()
  }
}

describe('q/s benchmark', () => {
  for (const { name, title } of SCENARIOS) {
    it(`${title}: the answer is what the table holds, and the same in all of pg's flavours`, async () => {
      const [stock, ...others] = await Promise.all(OURS.map((contender) => measureOnce(contender, name)))
      for (const { digest } of others) assert.equal(digest, stock.digest)
      for (const { sample } of [stock, ...others]) {
        assert.ok(sample.queries > 0)
        assert.ok(Math.abs(sample.qps * sample.ms - 1000) < 1e-6, 'wall time of one query')
        assert.ok(sample.cpuMs > 0)
      }
    })
  }

  for (const peer of Object.keys(PEERS)) {
    const missing = isInstalled(/** @type {any} */ (peer))
      ? false
      : `${peer} is not installed; npm run bench -- --head ${peer} does that`
    it(`${peer} gives the same answers where it can`, { skip: missing }, async () => {
      const able = SCENARIOS.filter((scenario) => cannot(scenario, contenders[peer]) === null)
      assert.ok(able.length >= 10)
      for (const { name } of able) {
        // pg-native hands a Buffer over as text
        if (peer === 'pg-native' && name === 'insert')
          await assert.rejects(measureOnce(peer, name), /invalid input syntax for type bytea/)
        else await measureOnce(peer, name)
      }
    })
  }

  it('has the fifteen scenarios, of which each is in one group', () => {
    assert.equal(SCENARIOS.length, 15)
    const groups = new Set(SCENARIOS.map(({ group }) => group))
    assert.deepEqual([...groups].sort(), ['rows', 'single row'])
  })

  it('has each type once, and NULL in each column', () => {
    assert.equal(
      new Set(ALL_TYPES.map(({ type }) => type)).size,
      ALL_TYPES.length - 1,
      'the id is an int4, too'
    )
    const rows = expectedRows(ALL_TYPES, 1, 100)
    for (const [at, { name }] of ALL_TYPES.entries()) {
      if (at === 0) continue
      assert.ok(rows.some((row) => row[at] === null) && rows.some((row) => row[at] !== null), name)
    }
  })

  it('tells values apart that are not the same', () => {
    const values = [
      1,
      '1',
      true,
      null,
      new Date(0),
      new Date(0).toISOString(),
      Buffer.from('a'),
      'a',
      ['a'],
      { x: 1 },
    ]
    const described = values.map((value) => JSON.stringify(plain(value)))
    assert.equal(new Set(described).size, values.length)
    assert.deepEqual(plain({ b: 1, a: [new Date(0)] }), plain({ a: [new Date(0)], b: 1 }))
  })
})

describe('answers of the q/s benchmark', () => {
  const scenario = scenarioOf('select-by-id')
  const right = () => ({ rowCount: 1, rows: [] })

  /**
   * @param {(n: number) => any[]} answer values of the row
   * @param {(() => number) | null} made
   */
  const timed = (answer, made = null) =>
    new TimedScenario(
      scenario,
      {
        run: async () => {},
        pass: async (n) => ({ rows: [answer(n)], rowCount: 1 }),
        countOf: ({ rowCount }) => rowCount,
        rowsOf: ({ rows }) => rows,
        valuesOf: (row) => row,
        readBack: async () => [],
        end: async () => {},
      },
      made
    )
  const expected = (/** @type {number} */ n) => scenario.expected(n)[0]

  it('are taken when they are right', async () => {
    const { digest } = await timed(expected).check()
    assert.match(digest, /^[0-9a-f]{64}$/)
    assert.equal(right().rowCount, scenario.count)
  })

  it('are refused when one cell of a later row is wrong', async () => {
    const wrong = (/** @type {number} */ n) => (n === 7 ? expected(n).with(4, 'title') : expected(n))
    await assert.rejects(
      timed(wrong).check(),
      /select-by-id: row 1, column 5 is 'title' in place of 'title 260'/
    )
  })

  it('are refused when rows are missing, in a timed round as well', async () => {
    const none = timed(expected)
    none.session.countOf = () => 0
    await assert.rejects(none.round({ ms: 1 }), /0 rows in place of 1/)
  })

  it('do not count where rows were not built natively', async () => {
    await assert.rejects(timed(expected, () => 0).check(), /0 of 12 rows were built natively/)
  })
})

describe('npm run bench', () => {
  /** @type {string} */
  let folder
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-test-'))
    fs.chmodSync(folder, 0o755)
  })
  after(() => fs.rmSync(folder, { recursive: true }))

  it('measures, and says what it measured', async () => {
    const { code, stdout, stderr } = await runCommand(
      'queries.js',
      '--only select-by-id,update --rounds 2 --seconds 0.05 --json'.split(' '),
      { env: server().env }
    )
    assert.equal(code, 0, stderr)
    const result = JSON.parse(stdout)
    assert.deepEqual(result.plan, { base: 'stock', head: 'register', rounds: 2, seconds: 0.05, quick: false })
    assert.equal(result.contenders.base.versions.pg, require('pg/package.json').version)
    assert.equal(result.contenders.head.versions['pg-protocol-native'], require('../../package.json').version)
    assert.match(result.server, /^PostgreSQL \d+/)
    assert.deepEqual(
      result.cases.map((/** @type {any} */ { name }) => name),
      ['select-by-id', 'update']
    )
    for (const { samples, cpu, base, head, noise, target, met } of result.cases) {
      assert.deepEqual(
        Object.entries(samples).map(([side, rounds]) => [side, /** @type {any} */ (rounds).length]),
        [
          ['base', 2],
          ['head', 2],
          ['base2', 2],
          ['head2', 2],
        ]
      )
      assert.deepEqual(target, { least: 1 })
      assert.equal(typeof met, 'boolean')
      for (const figure of [base, head, cpu.base, cpu.head]) assert.ok(figure > 0)
      assert.ok(noise >= 0)
    }
    assert.match(stderr, /^\[1\/8\] select-by-id: checking the answers$/m, 'progress')
  })

  it('prints a Markdown table, and the wall and CPU time of both sides', async () => {
    const { code, stdout } = await runCommand(
      'queries.js',
      '--only pool --rounds 1 --seconds 0.02 --head parser'.split(' '),
      { env: server().env }
    )
    assert.equal(code, 0)
    assert.match(
      stdout,
      /\| scenario +\| base q\/s \| head q\/s \| +ratio \| +range \| +noise \| +mark \| +target \| met \| +CPU µs \|/
    )
    assert.match(stdout, /^\| pool query, select 1 row \|/m)
  })

  it('leaves nothing behind when it is interrupted: no server, no folder', async () => {
    const env = { ...process.env, TMPDIR: folder }
    for (const name of ['DATABASE_URL', 'PGHOST', 'PGPORT', 'PGDATABASE']) delete env[name]
    let seen = ''
    const { code, stdout, stderr } = await runCommand('queries.js', ['--only', 'insert'], {
      env,
      detached: true,
      onStderr: (child, text) => {
        if (seen === '' && text.includes('insert:')) {
          seen = fs.readdirSync(folder).join()
          // as a terminal does: to the processes that measure as well
          process.kill(process.platform === 'win32' ? Number(child.pid) : -Number(child.pid), 'SIGINT')
        }
      },
    })
    assert.match(seen, /pg-protocol-native-/, 'the server was there')
    assert.equal(code, 130, stderr)
    assert.match(stderr, /Interrupted by SIGINT; nothing is left behind\.\n$/)
    assert.equal(stdout, '')
    assert.deepEqual(fs.readdirSync(folder), [])
  })

  it('leaves no table and no connection on a server of others', async () => {
    const { config, env } = server()
    const client = new Client(config)
    await client.connect()
    try {
      const left = async () => {
        const { rows } = await client.query(
          `select (select count(*)::int from pg_class where relname in ('simple', 'all_types', 'inserted', 'deleted')) tables`
        )
        return rows[0].tables
      }
      const { code } = await runCommand('queries.js', ['--only', 'transaction'], {
        env,
        onStderr: (child, text) => {
          if (text.includes('transaction:')) setTimeout(() => child.kill('SIGTERM'), 1500)
        },
      })
      assert.equal(code, 143)
      for (let tries = 0; (await left()) > 0 && tries < 100; tries++)
        await new Promise((resolve) => setTimeout(resolve, 50))
      assert.equal(await left(), 0)
    } finally {
      await client.end()
    }
  })

  const root = firstRevision()
  it(
    'leaves no checkout of a revision behind that cannot be measured',
    { skip: root ? false : 'this clone has no history' },
    async () => {
      const env = { ...process.env, TMPDIR: folder, PG_PROTOCOL_NATIVE_BENCH_CACHE: folder }
      const { code, stderr } = await runCommand('queries.js', ['--base', /** @type {string} */ (root)], {
        env,
      })
      assert.equal(code, 2)
      assert.match(stderr, /^Building .*\nCannot measure '[0-9a-f]+': it has no 'register' yet\.\n$/)
      assert.deepEqual(fs.readdirSync(folder), [])
    }
  )

  const nowhere = { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
  const offline = () => ({
    ...process.env,
    PG_PROTOCOL_NATIVE_BENCH_CACHE: folder,
    npm_config_registry: 'http://127.0.0.1:1',
    npm_config_fetch_retries: '0',
    npm_config_offline: 'true',
    npm_config_cache: path.join(folder, 'npm'),
  })
  for (const [
    what,
    args,
    message,
    env,
  ] of /** @type {[string, string[], RegExp, (() => NodeJS.ProcessEnv)?][]} */ ([
    [
      'an unknown scenario',
      ['--only', 'join'],
      /^There is no scenario 'join'\. Known: select-1-all-types, .*pipeline\.\n$/,
    ],
    [
      'an unknown revision',
      ['--base', 'no-such-revision'],
      /^Cannot measure 'no-such-revision': it is neither a contender .* nor a git revision of this repository\.\n$/,
    ],
    ['an unknown option', ['--fast'], /^Unknown option '--fast'/],
    ['no number of rounds', ['--rounds', 'many'], /^--rounds takes a whole number above 0, not 'many'\.\n$/],
    [
      'no server at the address given',
      ['--quick'],
      /^No PostgreSQL could be reached through DATABASE_URL: .*ECONNREFUSED.*\n$/,
      () => nowhere,
    ],
    [
      'a client that cannot be installed',
      ['--head', 'postgres'],
      /^Installing postgres into .*\nCannot measure 'postgres', for it could not be installed: .*\n$/,
      offline,
    ],
  ])) {
    it(`says in one sentence what is wrong: ${what}`, async () => {
      const { code, stdout, stderr } = await runCommand('queries.js', args, env && { env: env() })
      assert.equal(code, 2, stderr)
      assert.match(stderr, message)
      assert.equal(stdout, '')
    })
  }
})

/** The first commit of the repository, when there was nothing to measure; null where it is out of reach. */
function firstRevision() {
  const git = (/** @type {string[]} */ ...args) =>
    spawnSync('git', ['-C', __dirname, ...args], { encoding: 'utf8' })
  const commit = git('rev-list', '--max-parents=0', 'HEAD').stdout?.trim().split('\n')[0]
  if (!commit || git('cat-file', '-e', `${commit}:lib/register.js`).status === 0) return null
  return commit
}
