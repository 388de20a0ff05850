'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { Cleanup, Interrupted, withCleanup } = require('../../benchmark/lib/cleanup')
const { UsageError } = require('../../benchmark/lib/options')
const { runTool, reasonOf } = require('../../benchmark/lib/tool')

/** What takes longer than any test. */
const SLEEP = ['--eval', 'setTimeout(() => {}, 1e9)']

describe('cleanup', () => {
  it('undoes last things first, each once, and goes on where one fails', async () => {
    const done = /** @type {string[]} */ ([])
    const cleanup = new Cleanup()
    cleanup.defer(() => done.push('first'))
    cleanup.defer(() => Promise.reject(new Error('no')))
    cleanup.defer(() => done.push('third')).cancel()
    await cleanup.defer(() => done.push('fourth')).now()
    await cleanup.run()
    await cleanup.run()
    assert.deepEqual(done, ['fourth', 'first'])
  })

  it('undoes at once what comes too late', async () => {
    const done = /** @type {string[]} */ ([])
    const cleanup = new Cleanup()
    await cleanup.run()
    cleanup.defer(() => done.push('late'))
    assert.deepEqual(done, ['late'])
  })

  for (const [what, work] of /** @type {[string, () => Promise<string>][]} */ ([
    ['has come to its end', async () => 'done'],
    ['has failed', () => Promise.reject(new UsageError('no'))],
  ])) {
    it(`undoes when the work ${what}, and leaves signals as they were`, async () => {
      let undone = 0
      const listeners = process.listenerCount('SIGINT')
      const outcome = withCleanup(async ({ defer }) => {
        defer(() => undone++)
        return work()
      })
      assert.equal(process.listenerCount('SIGINT'), listeners + 1)
      await outcome.then(
        (value) => assert.equal(value, 'done'),
        (error) => assert.equal(error.message, 'no')
      )
      assert.equal(undone, 1)
      assert.equal(process.listenerCount('SIGINT'), listeners)
    })
  }

  it('undoes when a signal comes, though the work goes on', async () => {
    let undone = false
    const outcome = withCleanup(async ({ defer }) => {
      defer(() => (undone = true))
      await new Promise(() => {})
    })
    process.emit('SIGTERM', 'SIGTERM')
    await assert.rejects(
      outcome,
      (/** @type {any} */ error) => error instanceof Interrupted && error.exitCode === 143
    )
    assert.ok(undone)
  })
})

describe('tools of the benchmarks', () => {
  it('are run to their end, and their words kept', async () => {
    const cleanup = new Cleanup()
    const script = `console.log('out'); console.error('error: no such thing'); process.exitCode = 3`
    const outcome = await runTool(process.execPath, ['--eval', script], cleanup)
    assert.deepEqual(outcome, { code: 3, stdout: 'out\n', stderr: 'error: no such thing\n' })
    assert.equal(reasonOf(outcome), 'error: no such thing')
    assert.equal(reasonOf({ code: 1, stdout: 'a\n\nb\n', stderr: '' }), 'b')
    assert.equal(reasonOf({ code: 1, stdout: '', stderr: '' }), 'it says nothing')
  })

  it('are stopped with the benchmark', async () => {
    const cleanup = new Cleanup()
    const running = runTool(process.execPath, SLEEP, cleanup)
    await cleanup.run()
    assert.equal((await running).code, null)
  })

  it('reject where they are not there', async () => {
    await assert.rejects(runTool('no-such-tool', [], new Cleanup()), { code: 'ENOENT' })
  })
})
