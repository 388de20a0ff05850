'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const path = require('node:path')
const { useServer } = require('../support/server')
const { firstDifference } = require('../../examples/demo/difference')

const DEMO = path.join(__dirname, '..', '..', 'examples', 'demo')

const server = useServer()

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
const runDemo = (env) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [DEMO, '--rows', '100', '--rounds', '1'], {
      env: { ...server().env, ...env },
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (text) => (stdout += text))
    child.stderr.on('data', (text) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })

test('the demo compares the answers and prints its table', async () => {
  const { code, stdout, stderr } = await runDemo()
  assert.equal(code, 0, stderr)
  assert.match(stdout, /7 queries, 15301 rows, all equal/)
  assert.match(stdout, /5000 rows of 5 short columns +\d+\.\d+ +\d+\.\d+ +\d+(\.\d+)?x/)
  assert.match(stdout, /all types +\d+\.\d+ +\d+\.\d+ +\d+(\.\d+)?x/)
  assert.match(stdout, /no cell is read/)
})

test('the demo fails where an answer differs, and says where', async () => {
  const { code, stderr } = await runDemo({
    NODE_OPTIONS: `-r ${path.join(__dirname, 'support', 'tamper.js')}`,
  })
  assert.equal(code, 1)
  assert.equal(
    stderr.trim(),
    `The answers to "all types" differ: result.rows[39].c_text is 'row 40' with pg alone and 'row 04' with register`
  )
})

test('a difference is found at any depth, and equal values have none', () => {
  const value = () => ({ rows: [{ a: [1, { b: new Date(5) }], c: NaN }] })
  assert.equal(firstDifference(value(), value()), null)
  const other = value()
  other.rows[0].a[1] = { b: new Date(6) }
  assert.match(/** @type {string} */ (firstDifference(value(), other)), /^result\.rows\[0\]\.a\[1\]\.b is /)
  assert.match(/** @type {string} */ (firstDifference({ a: 1 }, {})), /^result\.a is 1 .* undefined/)
  assert.match(/** @type {string} */ (firstDifference([0], [-0])), /^result\[0\]/)
})
