#!/usr/bin/env node
'use strict'

// `npm run bench:report`: pictures of the latest results, for README, and one page with all of them.

const fs = require('node:fs')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { UsageError } = require('./lib/options')
const { RESULTS } = require('./lib/results')
const { latestOf, readResults, resultFiles } = require('./report/select')
const { pageOf } = require('./report/page')
const { viewOf } = require('./report/views')

const USAGE = `Usage: npm run bench:report -- [options] [results]

Draws the latest result of each benchmark, comparison and version of Node.js in benchmark/results/, or those named:
a chart of each in SVG (of the newest Node.js), and report.html with all charts and tables.

  --out DIR   where they go (default: benchmark/charts/)`

/** @param {string[]} args */
const run = (args) => {
  const { values, positionals } = readArguments(args)
  if (values.help) return void process.stdout.write(`${USAGE}\n`)
  const out = path.resolve(values.out ?? path.join(__dirname, 'charts'))
  const found =
    positionals.length > 0 ? readResults(positionals) : latestOf(readResults(resultFiles(RESULTS)))
  if (found.length === 0) throw new UsageError('There is no result in benchmark/results to draw.')
  const entries = found.map(({ file, name, result }) => ({
    file: path.basename(file),
    name,
    view: viewOf(result),
  }))

  fs.mkdirSync(out, { recursive: true })
  const write = (/** @type {string} */ name, /** @type {string} */ text) => {
    fs.writeFileSync(path.join(out, name), text)
    process.stdout.write(`${path.relative(process.cwd(), path.join(out, name))}\n`)
  }
  const drawn = new Set()
  for (const { name, view } of entries) {
    if (drawn.has(name)) continue
    drawn.add(name)
    for (const chart of view.charts) write(`${name}-${chart.name}.svg`, `${chart.svg}\n`)
  }
  write('report.html', pageOf(entries))
}

/** @param {string[]} args */
const readArguments = (args) => {
  try {
    return parseArgs({
      args,
      options: { out: { type: 'string' }, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message)
  }
}

try {
  run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(
    `${error instanceof UsageError ? error.message : /** @type {Error} */ (error).stack}\n`
  )
  process.exitCode = error instanceof UsageError ? 2 : 1
}
