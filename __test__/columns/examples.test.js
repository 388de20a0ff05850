'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { execFile } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { promisify } = require('node:util')
const { tableFromIPC } = require('apache-arrow')
const { useServer } = require('../support/server')

// The examples of columns run as they stand, with fewer rows.

const run = promisify(execFile)
const server = useServer()
const EXAMPLES = path.join(__dirname, '..', '..', 'examples')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pgn-examples-'))
test.after(() => fs.rmSync(folder, { recursive: true }))

/** @param {string} name @param {string[]} args */
const example = (name, ...args) =>
  run(process.execPath, [path.join(EXAMPLES, name), ...args], { env: { ...server().env, ROWS: '25000' } })

test('columns-chart draws what the columns say', async () => {
  const file = path.join(folder, 'chart.svg')
  const { stdout } = await example('columns-chart', file)
  assert.match(stdout, /^25000 rows in \d+ ms/)
  const svg = fs.readFileSync(file, 'utf8')
  assert.match(svg, /^<svg [^>]*><title>14\.0 to 26\.0<\/title><path d="M0 /)
  assert.equal(svg.match(/M\d+ [\d.]+V[\d.]+/g)?.length, 960)
})

test('arrow-file writes every row', async () => {
  const file = path.join(folder, 'rows.arrows')
  await example('arrow-file', file)
  const table = tableFromIPC(fs.readFileSync(file))
  assert.equal(table.numRows, 25_000)
  assert.equal(table.batches.length, 3)
  const last = table.get(24_999)?.toJSON()
  assert.deepEqual([last?.id, last?.paid, last?.price, last?.title], [25_000, true, 9250, 'order 25000'])
})

test('lazy-entity reads a property when it is asked for', async () => {
  const { stdout } = await example('lazy-entity')
  assert.match(stdout, /^50000 entities in \d+ ms\n50000 author 50000 true true\n$/)
})

test('without a file they say how they are called', async () => {
  for (const name of ['columns-chart', 'arrow-file']) {
    await assert.rejects(example(name), { code: 2, stderr: /^Usage: node examples\// })
  }
})
