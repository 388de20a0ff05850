'use strict'

const { headlines } = require('../lib/headlines')
const { showMet, showTarget } = require('../lib/target')
const { formatTable, percent, short, span, times } = require('../lib/table')

/** @param {any} result */
const asMarkdown = (result) =>
  [
    ...headlines(result, 'queries per second; CPU time of one query, collections and pauses of 1000'),
    '',
    table(result.cases),
  ].join('\n')

/** @param {any[]} cases */
const table = (cases) =>
  formatTable(
    [
      ...['scenario', 'base q/s', 'head q/s', 'ratio', 'range', 'noise', 'mark'],
      ...['target', 'met', 'CPU µs', 'by CPU', 'GCs', 'GC ms'],
    ],
    cases.map(({ title, base, head, ratio, range, noise, mark, target, met, cpu, gc }) => [
      title,
      short(base),
      short(head),
      times(ratio),
      span(range),
      percent(noise),
      mark ?? '',
      showTarget(target),
      showMet(met),
      `${short(cpu.base * 1000)} > ${short(cpu.head * 1000)}`,
      times(cpu.ratio),
      `${short(gc.base.collections)} > ${short(gc.head.collections)}`,
      `${short(gc.base.pauseMs)} > ${short(gc.head.pauseMs)}`,
    ])
  )

module.exports = { asMarkdown }
