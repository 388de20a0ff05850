'use strict'

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { describe, it } = require('node:test')

const ROOT = path.join(__dirname, '..', '..')
const FOLDER = path.join(ROOT, 'fuzz')

const read = (/** @type {string} */ file) => fs.readFileSync(path.join(FOLDER, file), 'utf8')

/** Without a PATH there is no Rust to build anything with. */
const run = (/** @type {string[]} */ ...args) =>
  spawnSync(process.execPath, [path.join(ROOT, 'scripts', 'fuzz.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, PATH: '' },
  })

describe('fuzzing', () => {
  it('has a binary, a check and seeds for each target', () => {
    const targets = fs
      .readdirSync(path.join(FOLDER, 'fuzz_targets'))
      .map((file) => path.basename(file, '.rs'))
    assert.ok(targets.length >= 10)
    const manifest = read('Cargo.toml')
    const list = read('src/lib.rs')
    for (const target of targets) {
      assert.ok(manifest.includes(`name = "${target}"\npath = "fuzz_targets/${target}.rs"`), target)
      assert.ok(list.includes(`("${target}", ${target}::check)`), target)
      assert.ok(
        read(`fuzz_targets/${target}.rs`).includes(`pg_protocol_native_fuzz::${target}::check(bytes)`)
      )
      assert.ok(fs.readdirSync(path.join(FOLDER, 'seeds', target)).length >= 5, target)
    }
    assert.equal(list.match(/::check\)/g)?.length, targets.length)
  })

  it('answers wrong use, and a machine without Rust, with one sentence and exit code 2', () => {
    for (const [args, sentence] of /** @type {[string[], RegExp][]} */ ([
      [['--target', 'nothing'], /^There is no target 'nothing'\. Known: batch, /],
      [['--seconds', '0'], /^--seconds takes a whole number from 1 on, not '0'/],
      [['--seconds', 'soon'], /^--seconds takes a whole number from 1 on, not 'soon'/],
      [['--minutes', '1'], /--minutes/],
      [['--seconds', '1'], /^Fuzzing needs Rust/],
    ])) {
      const { status, stderr, stdout } = run(...args)
      assert.deepEqual([status, stdout], [2, ''], stderr)
      assert.match(stderr, sentence)
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
    }
  })
})
