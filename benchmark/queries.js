#!/usr/bin/env node
'use strict'

// `npm run bench`: whole queries per second through a real PostgreSQL, base against head. NOTES.md says how.

const { cannot } = require('./contenders/cannot')
const { runServerBenchmark } = require('./lib/server-command')
const { measureScenario } = require('./queries/measure')
const { SCENARIOS } = require('./queries/scenarios')
const { asMarkdown } = require('./queries/table')

void runServerBenchmark({
  name: 'queries',
  command: 'npm run bench',
  cases: SCENARIOS,
  full: { rounds: 4, seconds: 3 },
  quick: { rounds: 2, seconds: 0.2 },
  cannot,
  // the check of answers and the warming up, too
  steps: (_, { rounds }) => rounds + 2,
  measure: measureScenario,
  table: asMarkdown,
})
