#!/usr/bin/env node
'use strict'

// `node examples/arrow-file FILE`: a query of any size to an Arrow file, batch by batch: the result is never in memory as a
// whole. The file is for `pyarrow.ipc.open_stream`, DuckDB, Polars and others.

const fs = require('node:fs')
const { pipeline } = require('node:stream/promises')
const { RecordBatchStreamWriter } = require('apache-arrow')
const pg = require('pg')
const QueryStream = require('pg-query-stream')
const { accelerate } = require('../../lib/pg') // in an app: require('pg-protocol-native/pg')
const { toArrow } = require('../../lib/arrow')
const { startServer } = require('../../scripts/postgres-server')

const ROWS = Number(process.env.ROWS ?? 500_000)

const QUERY = `
  select i as id, i % 5 = 0 as paid, (i * 0.37)::float8 as price, 'order ' || i as title,
    timestamptz '2026-08-18 00:00:00+00' + i * interval '1.000001 second' as at
  from generate_series(1, ${ROWS}) as i`

/** @param {string} file */
async function main(file) {
  accelerate(pg)
  const server = await startServer()
  try {
    const client = new pg.Client(server.config)
    await client.connect()
    const config = { rowMode: 'columns-micros', batchSize: 10_000 }
    const stream = client.query(new QueryStream(QUERY, [], /** @type {any} */ (config)))
    const writer = new RecordBatchStreamWriter()
    const written = pipeline(writer.toNodeStream(), fs.createWriteStream(file))
    for await (const batch of stream) {
      // The stream asks the server for the next batch only when this one has been taken.
      writer.write(toArrow(batch).batches[0])
    }
    writer.close()
    await written
    console.log(`${ROWS} rows, ${(fs.statSync(file).size / 1e6).toFixed(1)} MB: ${file}`)
    await client.end()
  } finally {
    await server.stop()
  }
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: node examples/arrow-file FILE.arrows')
  process.exitCode = 2
} else {
  main(file)
}
