#!/usr/bin/env node
'use strict'

// `npm run bench:parser`: our Parser against the installed pg-protocol's, without a server. NOTES.md says how.

const path = require('node:path')
const { runBenchmark } = require('./lib/command')
const { CASES } = require('./parser/cases')
const { loadParser } = require('./parser/contenders')
const { CONSUMERS } = require('./parser/consumers')
const { STREAMS } = require('./parser/streams')

runBenchmark({
  name: 'parser',
  scenarios: `streams (${Object.keys(STREAMS).join(', ')}), consumers
                  (${[...Object.keys(CONSUMERS), 'kept'].join(', ')}) or pairs such as wide/fields`,
  contenders: 'stock, native, or the path of a module that exports Parser',
  cases: CASES,
  setting: {
    file: path.join(__dirname, 'parser', 'process.js'),
    // Stock must not notice us at all; our side must fail rather than fall back to JavaScript.
    environment: (contender) =>
      contender === 'stock' ? process.env : { ...process.env, PG_PROTOCOL_NATIVE: 'require' },
    options: ({ stream, consumer }) => ({ stream, consumer }),
  },
  packages: ['pg-protocol'],
  load: loadParser,
  heapTitle: 'Heap held by kept `fields`',
})
