#!/usr/bin/env node
'use strict'

// `npm run bench:sinks`: results as columns against the rows of stock pg, without a server and through one. SINKS.md says
// what has to hold, NOTES.md how it is measured.

const path = require('node:path')
const { runBenchmark } = require('./lib/command')
const { CASES } = require('./sinks/cases')
const { loadContender, environment } = require('./rows/contenders')
const { withServer } = require('./sinks/server')

withServer(process.argv.slice(2), () =>
  runBenchmark({
    name: 'sinks',
    scenarios:
      'streams (wide, short, types), consumers (columns, heap, server) or pairs such as wide/columns',
    contenders: 'stock, native, or the folder of another checkout',
    cases: CASES,
    setting: {
      file: path.join(__dirname, 'sinks', 'process.js'),
      environment,
      options: ({ stream, consumer }) => ({ stream, consumer }),
    },
    packages: ['pg', 'pg-protocol', 'pg-types'],
    load: loadContender,
    heapTitle: 'Heap and array buffers held by a result',
  })
)
