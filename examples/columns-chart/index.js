#!/usr/bin/env node
'use strict'

// `node examples/columns-chart FILE`: a query of a million rows to a chart in SVG. The rows never become objects: the chart
// is drawn from two typed arrays.

const fs = require('node:fs')
const pg = require('pg')
const { accelerate } = require('../../lib/pg') // in an app: require('pg-protocol-native/pg')
const { startServer } = require('../../scripts/postgres-server')

const ROWS = Number(process.env.ROWS ?? 1_000_000)
const WIDTH = 960
const HEIGHT = 320

/** A day of measurements, one each few milliseconds. */
const QUERY = `
  select timestamptz '2026-08-18 00:00:00+00' + i * interval '1 day' / ${ROWS} as at,
    20 + 5 * sin(i * 2 * pi() / ${ROWS}) + sin(i * 77.7) as temperature
  from generate_series(0, ${ROWS - 1}) as i`

/**
 * Least and greatest value of each pixel's share of the time.
 *
 * @param {Float64Array} at
 * @param {Float64Array} values
 */
function bandsOf(at, values) {
  const start = at[0]
  const scale = WIDTH / (at[at.length - 1] - start || 1)
  const low = new Float64Array(WIDTH).fill(Infinity)
  const high = new Float64Array(WIDTH).fill(-Infinity)
  for (let i = 0; i < at.length; i++) {
    const x = Math.min(WIDTH - 1, Math.floor((at[i] - start) * scale))
    if (values[i] < low[x]) low[x] = values[i]
    if (values[i] > high[x]) high[x] = values[i]
  }
  return { low, high }
}

/** @param {{ low: Float64Array, high: Float64Array }} bands */
function chartOf({ low, high }) {
  const least = low.reduce((a, b) => Math.min(a, b))
  const most = high.reduce((a, b) => Math.max(a, b))
  const y = (/** @type {number} */ value) =>
    (HEIGHT - ((value - least) / (most - least || 1)) * HEIGHT).toFixed(1)
  const points = []
  for (let x = 0; x < WIDTH; x++) if (low[x] <= high[x]) points.push(`M${x} ${y(low[x])}V${y(high[x])}`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">` +
    `<title>${least.toFixed(1)} to ${most.toFixed(1)}</title>` +
    `<path d="${points.join('')}" stroke="steelblue" stroke-width="1.5" fill="none"/></svg>\n`
  )
}

/** @param {string} file */
async function main(file) {
  accelerate(pg)
  const server = await startServer()
  try {
    const client = new pg.Client(server.config)
    await client.connect()
    const start = performance.now()
    const result = /** @type {any} */ (
      await client.query(/** @type {any} */ ({ text: QUERY, rowMode: 'columns' }))
    )
    const { at, temperature } = result.columns
    const queried = performance.now()
    fs.writeFileSync(file, chartOf(bandsOf(at.values, temperature.values)))
    const drawn = performance.now()
    console.log(
      `${result.rowCount} rows in ${(queried - start).toFixed(0)} ms, drawn in ${(drawn - queried).toFixed(0)} ms: ${file}`
    )
    await client.end()
  } finally {
    await server.stop()
  }
}

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Usage: node examples/columns-chart FILE.svg')
  process.exitCode = 2
} else {
  main(file)
}
