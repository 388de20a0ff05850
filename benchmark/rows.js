#!/usr/bin/env node
'use strict'

// `npm run bench:rows`: rows of pg with our acceleration against those of stock pg, without a server. NOTES.md says how.

const path = require('node:path')
const { runBenchmark } = require('./lib/command')
const { CASES } = require('./rows/cases')
const { loadContender, environment } = require('./rows/contenders')
const { hasLazyRows } = require('./rows/lazy')
const { STREAMS } = require('./rows/streams')

runBenchmark({
  name: 'rows',
  scenarios: `streams (${Object.keys(STREAMS).join(', ')}),
                  consumers (dropped, kept, heap) or pairs such as wide/kept`,
  contenders: 'stock, direct (stock without its events), native, or the folder of another checkout',
  cases: CASES,
  setting: {
    file: path.join(__dirname, 'rows', 'process.js'),
    environment,
    options: ({ stream, consumer }) => ({ stream, consumer }),
  },
  packages: ['pg', 'pg-protocol', 'pg-types'],
  load: loadContender,
  heapTitle: 'Heap held by kept rows',
  skip: async ({ head }) =>
    (await hasLazyRows(loadContender(head)))
      ? []
      : [{ what: ({ stream }) => stream === 'lazy', why: `lazy, for ${head} has no rowMode 'lazy'` }],
})
