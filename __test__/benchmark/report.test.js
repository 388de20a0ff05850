'use strict'

const assert = require('node:assert/strict')
const { execFileSync, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { after, before, describe, it } = require('node:test')
const { RESULTS } = require('../../benchmark/lib/results')
const { latestOf, readResults, resultFiles } = require('../../benchmark/report/select')
const { viewOf } = require('../../benchmark/report/views')
const { runCommand } = require('./support/run')

const MACHINE = {
  ...{
    cpu: 'M1 <fast>',
    cores: 8,
    memoryGiB: 8,
    platform: 'linux-x64',
    node: '26.0.0',
    v8: '14',
    loadBefore: 0,
  },
  versions: {},
}
const CONTENDERS = {
  base: { name: 'stock', kind: 'stock', commit: null, versions: { pg: '8.23.1' } },
  head: { name: 'register', kind: 'register', commit: null, versions: { 'pg-protocol-native': '1.17.0' } },
}
const FIGURES = {
  ...{ base: 100, head: 250, ratio: 2.5, range: [2.25, 2.75], noise: 0.1, mark: 'faster' },
  cpu: { base: 2, head: 1, ratio: 2, range: [1.9, 2.1], noise: 0.05 },
  gc: { base: { collections: 3, pauseMs: 4 }, head: { collections: 1, pauseMs: 2 } },
}
const common = {
  date: '2026-01-02T03:04:05.678Z',
  machine: MACHINE,
  server: 'PostgreSQL 18.4 (embedded)',
  plan: { base: 'stock', head: 'register', rounds: 4, seconds: 3, quick: false },
  contenders: CONTENDERS,
  skipped: [{ name: 'cursor', why: 'there is none' }],
}
const QUERIES = {
  benchmark: 'queries',
  ...common,
  cases: [
    { name: 'select-500-simple', title: '500 rows, simple types', group: 'rows', unit: 'q/s', ...FIGURES },
    {
      ...{ name: 'update', title: 'update, parameterized', group: 'single row', unit: 'q/s', ...FIGURES },
      ...{ ratio: 0.8, range: [0.7, 0.9], mark: 'slower' },
    },
  ],
}
const LARGE = {
  benchmark: 'large',
  ...common,
  cases: [
    {
      ...{ name: 'wide/bytes', title: '100 000 x 40, `bytes` and `offset`', unit: 'ms', ...FIGURES },
      floor: { ms: 30, cpuMs: 10, base: 4, head: 1.5 },
    },
    {
      ...{ name: 'wide/steps', title: '100 000 x 40', unit: 'steps' },
      steps: {
        base: { socket: 30, parse: 20, convert: 40, build: 10 },
        head: { socket: 30, parse: 1, convert: 4, build: 5 },
      },
    },
  ],
}
const LANGUAGES = {
  benchmark: 'languages',
  date: common.date,
  machine: MACHINE,
  plan: { rounds: 9 },
  contenders: [
    { name: 'crate', title: 'Rust, the crate', ms: 1.5, msRange: [1.4, 1.6], multiple: 1 },
    { name: 'stock', title: 'stock pg-protocol', ms: 6, msRange: [5.5, 6.5], multiple: 4 },
  ],
}

/** @param {string} svg */
const textsOf = (svg) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

describe('report of the benchmarks', () => {
  it('draws ratios with their range on the band of noise', () => {
    const { charts, markdown } = viewOf(QUERIES)
    assert.deepEqual(
      charts.map(({ name }) => name),
      ['ratio']
    )
    const [{ svg }] = charts
    const texts = textsOf(svg)
    for (const text of ['500 rows, simple types', 'update, parameterized', '2.50x', '0.80x'])
      assert.ok(texts.includes(text), `${text} in ${texts}`)
    assert.ok(svg.includes('#d8dee4'), 'noise')
    assert.ok(svg.includes('#1a7f4b') && svg.includes('#c0392b'), 'marks')
    assert.match(markdown, /^\| update, parameterized +\| +100 \| +250 \| +0\.80x \| +0\.70-0\.90 \|/m)
    assert.match(markdown, /^Skipped: cursor \(there is none\)$/m)
  })

  it('draws where the time goes', () => {
    const { charts } = viewOf(LARGE)
    assert.deepEqual(
      charts.map(({ name }) => name),
      ['ratio', 'steps']
    )
    const texts = textsOf(charts[1].svg)
    for (const text of [
      '100 000 x 40, stock',
      '100 000 x 40, register',
      'socket',
      'parse',
      'convert',
      'build',
      '100 ms',
      '40.0 ms',
    ])
      assert.ok(texts.includes(text), `${text} in ${texts}`)
  })

  it('draws a benchmark of more than two', () => {
    const { charts, markdown } = viewOf(LANGUAGES)
    const texts = textsOf(charts[0].svg)
    for (const text of ['Rust, the crate', 'stock pg-protocol', '1.50 ms, 1.00x', '6.00 ms, 4.00x'])
      assert.ok(texts.includes(text), `${text} in ${texts}`)
    assert.match(markdown, /^\| stock pg-protocol \| 6\.00 \|/m)
  })

  it('shows a benchmark that it does not know', () => {
    const { title, charts, markdown } = viewOf({
      benchmark: 'sinks',
      date: common.date,
      machine: MACHINE,
      rows: [{ name: 'arrow', ms: 12.5 }],
    })
    assert.equal(title, 'sinks')
    assert.deepEqual(charts, [])
    assert.match(markdown, /^\| arrow \| 12\.5 \|$/m)
  })

  for (const file of resultFiles(RESULTS)) {
    it(`draws ${path.basename(file)}`, () => {
      const [{ result }] = readResults([file])
      const { charts, markdown } = viewOf(result)
      assert.ok(charts.length > 0)
      for (const { svg } of charts) assert.match(svg, /^<svg .*<\/svg>$/s)
      assert.match(markdown, /^\| .* \|$/m)
    })
  }

  it('takes the latest of each comparison and version of Node.js, and no quick look', () => {
    const entry = (/** @type {string} */ file, /** @type {any} */ changes) => {
      const result = { ...QUERIES, ...changes }
      return { file, name: changes.name ?? 'queries', result }
    }
    const node20 = { ...MACHINE, node: '20.1.0' }
    const taken = latestOf([
      entry('old', { date: '2026-01-01' }),
      entry('new', { date: '2026-01-03' }),
      entry('quick', { date: '2026-01-04', plan: { quick: true } }),
      entry('node20', { date: '2026-01-05', machine: node20 }),
      entry('other', { date: '2026-01-01', name: 'queries-stock-bun' }),
      entry('first', { benchmark: 'later', name: 'later' }),
    ])
    assert.deepEqual(
      taken.map(({ file }) => file),
      ['new', 'node20', 'other', 'first']
    )
  })
})

describe('npm run bench:report', () => {
  /** @type {string} */
  let folder
  /** @type {string[]} */
  let files
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'report-'))
    files = [QUERIES, LARGE, LANGUAGES].map((result) => {
      const file = path.join(folder, `${result.benchmark}.json`)
      fs.writeFileSync(file, JSON.stringify(result))
      return file
    })
  })
  after(() => fs.rmSync(folder, { recursive: true }))

  const report = () => runCommand('report.js', ['--out', path.join(folder, 'out'), ...files])
  const CHARTS = ['languages-bars.svg', 'large-ratio.svg', 'large-steps.svg', 'queries-ratio.svg']

  it('writes charts, and one page that needs nothing else', async () => {
    const { code, stderr } = await report()
    assert.equal(code, 0, stderr)
    const out = path.join(folder, 'out')
    assert.deepEqual(fs.readdirSync(out).sort(), [...CHARTS, 'report.html'])
    const page = fs.readFileSync(path.join(out, 'report.html'), 'utf8')
    assert.equal(page.match(/<svg /g)?.length, CHARTS.length)
    assert.doesNotMatch(page.replaceAll(/xmlns(:xlink)?="[^"]+"/g, ''), /https?:|<script|<link|@import|src=/)
    assert.ok(page.includes('M1 &lt;fast&gt;') && !page.includes('M1 <fast>'), 'texts are escaped')
    const ids = [...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, 'ids of several charts do not meet')
    assert.match(page, /<td>100 000 x 40, <code>bytes<\/code> and <code>offset<\/code><\/td>/)
  })

  const browser = findBrowser()
  it(
    'is shown by a real browser',
    { skip: browser ? false : 'no chromium here (Debian: apt-get install chromium)' },
    async () => {
      await report()
      const page = path.join(folder, 'out', 'report.html')
      // The page itself has no script; this copy has one that writes down what the browser made of it.
      const probe = path.join(folder, 'probe.html')
      const script = `<script>
        addEventListener('load', () => {
          const size = (element) => { const { width, height } = element.getBoundingClientRect(); return { width, height } }
          const charts = [...document.querySelectorAll('svg')].map((svg) => ({
            ...size(svg),
            shapes: [...svg.querySelectorAll('path')].filter((path) => size(path).width > 0).length,
            texts: [...svg.querySelectorAll('text')].filter((text) => size(text).width > 0).map((text) => text.textContent),
          }))
          const overflow = document.documentElement.scrollWidth > innerWidth
          document.body.textContent = 'PROBE' + JSON.stringify({ charts, overflow }) + 'PROBE'
        })
      </script>`
      fs.writeFileSync(probe, fs.readFileSync(page, 'utf8').replace('</body>', `${script}</body>`))
      const flags = [
        '--headless',
        '--disable-gpu',
        '--no-sandbox',
        '--window-size=1200,900',
        `--user-data-dir=${folder}/profile`,
      ]
      const dom = execFileSync(/** @type {string} */ (browser), [...flags, '--dump-dom', `file://${probe}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 60_000,
      })
      const { charts, overflow } = JSON.parse(dom.split('PROBE')[1])
      assert.equal(charts.length, CHARTS.length)
      for (const { width, height, shapes, texts } of charts) {
        assert.ok(width > 500 && height > 100, `${width} x ${height}`)
        assert.ok(shapes >= 2, `${shapes} shapes`)
        assert.ok(texts.length > 5, texts.join())
      }
      assert.ok(charts.some((/** @type {any} */ { texts }) => texts.includes('2.50x')))
      assert.equal(overflow, false, 'nothing is wider than the window')
    }
  )

  it('says in one sentence what is wrong', async () => {
    const other = path.join(folder, 'other.json')
    fs.writeFileSync(other, '{"a": 1}')
    for (const [args, message] of /** @type {[string[], RegExp][]} */ ([
      [[path.join(folder, 'none.json')], /^Cannot read .*none\.json: ENOENT.*\n$/],
      [[other], /^.*other\.json is not a result of a benchmark\.\n$/],
      [['--wide'], /^Unknown option '--wide'/],
    ])) {
      const { code, stderr, stdout } = await runCommand('report.js', args)
      assert.equal(code, 2, stderr)
      assert.match(stderr, message)
      assert.equal(stdout, '')
    }
  })
})

function findBrowser() {
  const named = process.env.CHROMIUM ?? ''
  return [named, 'chromium', 'chromium-browser', 'google-chrome'].find(
    (name) => name !== '' && spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0
  )
}
