#!/usr/bin/env node
'use strict'

// `npm run bench:large`: large results through a real PostgreSQL, beside the floor of the socket. NOTES.md says how.

const { prepareContender } = require('./contenders')
const { runServerBenchmark } = require('./lib/server-command')
const { CASES } = require('./large/cases')
const { measureLarge } = require('./large/measure')
const { asMarkdown } = require('./large/table')

void runServerBenchmark({
  name: 'large',
  command: 'npm run bench:large',
  cases: CASES,
  full: { rounds: 4, seconds: 3 },
  quick: { rounds: 2, seconds: 0.2 },
  cannot: ({ consumer }, { name, kind }) =>
    kind === 'peer' && consumer !== 'kept' ? `${name} has no such way to take rows` : null,
  steps: (_, { rounds }) => rounds + 2,
  measure: async (what, plan, tools) =>
    measureLarge(
      what,
      { ...plan, floor: await prepareContender('stock', { say: () => {}, defer: tools.defer }) },
      tools
    ),
  table: asMarkdown,
})
