'use strict'

const { formatTable, short, times, span, percent } = require('./table')

/** The share of time taken by others from which a result says nothing. */
const BUSY = 0.05

/**
 * @typedef {any} Measured what `measure` gives for a case
 * @typedef {object} Result
 * @property {ReturnType<typeof import('./machine').describeMachine>} machine
 * @property {import('./measure').Plan} plan
 * @property {number} disturbance
 * @property {string[]} skipped
 * @property {Measured[]} cases
 */

/**
 * @param {Result} result
 * @param {{base: string, heap: string}} titles of base, and of the table of what is held
 */
const asText = ({ machine, plan, disturbance, skipped, cases }, titles) => {
  const timed = cases.filter(({ unit }) => unit === 'ms')
  const weighed = cases.filter(({ unit }) => unit === 'bytes')
  return [
    `Node ${machine.node} (V8 ${machine.v8}), ${machine.cpu}, ${machine.cores} cores, ${machine.platform}`,
    `base: ${titles.base}, head: ${plan.head}; ${plan.rounds} rounds; milliseconds for one pass over the stream`,
    ...(plan.scale === 1 ? [] : [`STREAMS TIMES ${plan.scale}: not comparable with other results`]),
    ...(disturbance > BUSY
      ? [`OTHER PROGRAMS TOOK ${percent(disturbance)} OF THE MEASURED TIME: not a result to keep`]
      : []),
    ...skipped.map((why) => `Skipped: ${why}`),
    ...(timed.length === 0 ? [] : ['', timeTable(timed)]),
    ...(weighed.length === 0 ? [] : ['', `${titles.heap}, MiB:`, '', heapTable(weighed)]),
  ].join('\n')
}

/** @param {Measured[]} cases */
const timeTable = (cases) =>
  formatTable(
    ['case', 'base', 'head', 'ratio', 'range', 'noise', 'mark', 'by CPU', 'target', 'met', 'GCs', 'GC pause'],
    cases.map((row) => [
      row.name,
      short(row.base),
      short(row.head),
      times(row.ratio),
      span(row.range),
      percent(row.noise),
      row.mark ?? '',
      row.cpu === null ? '' : times(row.cpu),
      row.target === null ? '' : times(row.target),
      metOf(row),
      ...collections(row),
    ])
  )

/** @param {Measured[]} cases */
const heapTable = (cases) =>
  formatTable(
    ['case', 'base', 'head', 'head/base', 'noise', 'target', 'met', 'ms', 'GCs', 'GC pause'],
    cases.map((row) => [
      row.name,
      short(row.base / 2 ** 20),
      short(row.head / 2 ** 20),
      times(row.ratio),
      percent(row.noise),
      row.target === null ? '' : `<= ${times(row.target)}`,
      metOf(row),
      `${short(row.samples.base[0].ms)} > ${short(row.samples.head[0].ms)}`,
      ...collections(row),
    ])
  )

/** @param {Measured} row */
const collections = ({ gc }) => [
  `${short(gc.base.collections)} > ${short(gc.head.collections)}`,
  `${short(gc.base.pauseMs)} > ${short(gc.head.pauseMs)}`,
]

/** @param {{met: boolean | null}} row */
const metOf = ({ met }) => (met === null ? '' : met ? 'yes' : 'NO')

module.exports = { asText }
