'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { describe, it } = require('node:test')
const { errorsOf } = require('../../scripts/memcheck')

const SCRIPT = path.join(__dirname, '..', '..', 'scripts', 'memcheck.js')

/** @param {string} object @param {string} name */
const frame = (object, name) => `<frame><ip>0x1</ip><obj>/somewhere/${object}</obj><fn>${name}</fn></frame>`

/** @param {string} kind @param {...string} frames */
const error = (kind, ...frames) =>
  `<error>\n<kind>${kind}</kind><what>${kind} &lt;T&gt;</what>\n<stack>${frames.join('\n')}</stack></error>`

const ADDON = 'libpg_protocol_native.so'
const ours = frame(ADDON, 'decode')
const v8 = frame('node', 'v8::Call')
const malloc = frame('vgpreload_memcheck-amd64-linux.so', 'malloc')

describe('memory checks', () => {
  it('count an error in which a frame of the addon takes part', () => {
    const xml = [error('InvalidRead', v8, ours, v8, v8, v8), error('UninitCondition', v8, v8)].join('\n')
    const found = errorsOf(xml, ADDON)
    assert.equal(found.all, 2)
    assert.equal(found.ours.length, 1)
    assert.equal(found.ours[0].what, 'InvalidRead <T>')
    assert.match(found.ours[0].frames[1], /decode/)
    assert.equal(found.ours[0].frames.length, 4, 'and not all of what V8 does above it')
  })

  it('count a leak of what the addon allocated, not of what Node.js did for it', () => {
    const xml = [
      error('Leak_DefinitelyLost', malloc, v8, ours, v8),
      error('Leak_DefinitelyLost', malloc, ours, v8),
      error('Leak_DefinitelyLost', malloc, v8, v8),
    ].join('\n')
    assert.equal(errorsOf(xml, ADDON).ours.length, 1)
    assert.match(errorsOf(xml, ADDON).ours[0].frames[1], /decode/)
  })

  it('count nothing where there is nothing', () => {
    assert.deepEqual(errorsOf('<valgrindoutput></valgrindoutput>', ADDON), { ours: [], all: 0 })
  })

  it('answer wrong use, and a machine without valgrind, with one sentence and exit code 2', () => {
    for (const [args, sentence] of /** @type {[string[], RegExp][]} */ ([
      [['--only', 'java'], /^There is no part 'java'\. Known: rust, address, node\.$/m],
      [['--seconds', '0'], /^--seconds takes a number above 0/],
      [['--often'], /--often/],
      [[], /^This needs valgrind/],
    ])) {
      const { status, stderr, stdout } = spawnSync(process.execPath, [SCRIPT, ...args], {
        encoding: 'utf8',
        env: { ...process.env, PATH: '' },
      })
      assert.deepEqual([status, stdout], [2, ''], stderr)
      assert.match(stderr, sentence)
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
    }
  })
})
