'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { describe, it } = require('node:test')
const { GcWatch } = require('../../benchmark/lib/gc-watch')
const { describeMachine, machineName } = require('../../benchmark/lib/machine')
const { UsageError, readOptions, positive, pick, withoutNode } = require('../../benchmark/lib/options')
const { Progress } = require('../../benchmark/lib/progress')
const { saveResult } = require('../../benchmark/lib/results')
const { hasTargets, isMet, showTarget } = require('../../benchmark/lib/target')
const { formatTable, short, times, span, percent } = require('../../benchmark/lib/table')

describe('options of the benchmarks', () => {
  const known = ['wide/never', 'wide/fields', 'narrow/fields']

  it('pick scenarios by name or by a part of it, in the order of the list', () => {
    assert.deepEqual(pick(known, undefined), known)
    assert.deepEqual(pick(known, ['fields']), ['wide/fields', 'narrow/fields'])
    assert.deepEqual(pick(known, ['narrow, wide/never']), ['wide/never', 'narrow/fields'])
    assert.throws(() => pick(known, ['wid']), {
      name: 'Error',
      message: /no scenario 'wid'. Known: wide\/never/,
    })
  })

  it('refuse what is not a number above 0', () => {
    assert.equal(positive(undefined, 'rounds', 7), 7)
    assert.equal(positive('0.5', 'scale', 1), 0.5)
    for (const text of ['0', '-1', 'x', 'Infinity'])
      assert.throws(() => positive(text, 'rounds', 7), UsageError)
    assert.throws(
      () => positive('1.5', 'rounds', 7, { whole: true }),
      /--rounds takes a whole number above 0, not '1.5'/
    )
  })

  it('refuse an unknown option, and take --node out for the second start', () => {
    assert.throws(() => readOptions(['--fast']), UsageError)
    assert.deepEqual(withoutNode(['--quick', '--node', '/n', '--json']), ['--quick', '--json'])
    assert.deepEqual(withoutNode(['--node=/n', '--only', 'wide']), ['--only', 'wide'])
  })
})

describe('targets of the benchmarks', () => {
  const row = (/** @type {number} */ ratio, noise = 0.1, head = 2) => ({ ratio, noise, floor: { head } })

  it('are met by what is fast enough', () => {
    assert.equal(isMet(undefined, row(1)), null)
    assert.equal(isMet({ least: 2.5 }, row(2.5)), true)
    assert.equal(isMet({ least: 2.5 }, row(2.49)), false, 'no noise is granted')
    assert.equal(isMet({ mostOfFloor: 1.4 }, row(3, 0, 1.4)), true)
    assert.equal(isMet({ mostOfFloor: 1.4 }, row(3, 0, 1.5)), false)
  })

  it('are met by parity within the noise', () => {
    assert.equal(isMet({ least: 1 }, row(0.95, 0.1)), true)
    assert.equal(isMet({ least: 1 }, row(0.9, 0.1)), false, 'further than the noise')
    assert.equal(isMet({ least: 1 }, row(3, 0.1)), true)
  })

  it('are those of register against stock', () => {
    const stock = { kind: 'stock' }
    assert.equal(hasTargets({ base: stock, head: { kind: 'register', commit: null } }), true)
    assert.equal(hasTargets({ base: stock, head: { kind: 'parser', commit: null } }), false)
    assert.equal(hasTargets({ base: { kind: 'register' }, head: { kind: 'register', commit: null } }), false)
    assert.equal(showTarget({ least: 1.8 }), '1.8x')
    assert.equal(showTarget({ mostOfFloor: 1.4 }), '<= 1.4x floor')
    assert.equal(showTarget(null), '')
  })
})

describe('output of the benchmarks', () => {
  it('is a Markdown table', () => {
    assert.equal(
      formatTable(
        ['case', 'ms'],
        [
          ['wide', '12.3'],
          ['n', '1'],
        ]
      ),
      ['| case |   ms |', '| ---- | ---: |', '| wide | 12.3 |', '| n    |    1 |'].join('\n')
    )
  })

  it('shows three digits', () => {
    assert.deepEqual([123.456, 12.3456, 1.23456, 0.5].map(short), ['123', '12.3', '1.23', '0.50'])
    assert.equal(times(30.04), '30.0x')
    assert.equal(span([0.9, 1.1]), '0.90-1.10')
    assert.equal(percent(0.0234), '2.3 %')
  })

  it('describes the machine without its host name', () => {
    const machine = describeMachine(['pg-protocol'])
    assert.match(machine.versions['pg-protocol'], /^1\.\d+\.\d+$/)
    assert.equal(machine.node, process.versions.node)
    assert.ok(machine.cores > 0)
    assert.equal(
      machineName({ cpu: 'Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz', cores: 2 }),
      'intel-xeon-cpu-e5-2680-v4-2c'
    )
    assert.equal(machineName({ cpu: 'AMD Ryzen 9 5950X', cores: 32 }), 'amd-ryzen-9-5950x-32c')
  })

  it('is saved under date, machine, Node and benchmark', (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'results-'))
    t.after(() => fs.rmSync(folder, { recursive: true }))
    const result = {
      date: '2026-01-02T03:04:05.678Z',
      machine: { cpu: 'M1', cores: 8, node: '26.0.0' },
      cases: [1, 2.5],
    }
    const file = saveResult('parser', result, { folder })
    assert.equal(path.basename(file), '2026-01-02-m1-8c-node26.0.0-parser.json')
    assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), result)
  })

  it('shows progress to a terminal only', () => {
    const written = { tty: '', file: '' }
    const tty = new Progress(2, { out: { isTTY: true, write: (text) => (written.tty += text) } })
    const file = new Progress(2, { out: { write: (text) => (written.file += text) } })
    for (const progress of [tty, file]) {
      progress.step('one')
      progress.step('two')
      progress.end()
    }
    assert.match(written.tty, /\[1\/2\] one.*\[2\/2, \d+ s left\] two/s)
    assert.equal(written.file, '')
  })
})

describe('GcWatch', () => {
  it('counts collections and their pauses', async () => {
    const watch = new GcWatch()
    watch.start()
    let kept = []
    for (let i = 0; i < 2_000_000; i++) {
      kept.push({ i })
      if (kept.length > 10_000) kept = []
    }
    const seen = await watch.stop()
    assert.ok(seen.collections > 0, `${seen.collections} collections`)
    assert.ok(seen.pauseMs > 0)
    assert.ok(seen.major <= seen.collections)
  })
})
