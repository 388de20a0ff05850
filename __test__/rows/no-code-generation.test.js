'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')

// Where `new Function` is forbidden, rows are made without it, and all the same.

const FLAG = '--disallow-code-generation-from-strings'

for (const file of ['shapes', 'parsers', 'reading', 'reentry', 'wrong-rows', 'generated', 'binary-values']) {
  test(`${file}.test.js without code generation`, () => {
    const env = { ...process.env, PG_PROTOCOL_NATIVE_TEST_CASES: '200' }
    delete env.NODE_TEST_CONTEXT
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [FLAG, path.join(__dirname, `${file}.test.js`)],
      {
        encoding: 'utf8',
        env,
        maxBuffer: 64 * 1024 * 1024,
      }
    )
    assert.equal(status, 0, `${failures(stdout)}\n${stderr}`)
    assert.match(stdout, /# pass [1-9]|ℹ pass [1-9]/)
  })
}

/** @param {string} report */
const failures = (report) =>
  report
    .split('\n')
    .filter((line) => /not ok|✖|error:/.test(line))
    .slice(0, 20)
    .join('\n')

test('the flag does forbid it', () => {
  const { status } = spawnSync(process.execPath, [FLAG, '-e', 'new Function("return 1")'])
  assert.notEqual(status, 0)
})
