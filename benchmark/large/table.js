'use strict'

const { headlines } = require('../lib/headlines')
const { showMet, showTarget } = require('../lib/target')
const { formatTable, percent, short, span, times } = require('../lib/table')

/** @param {any} result */
const asMarkdown = (result) => {
  const timed = result.cases.filter((/** @type {any} */ { unit }) => unit === 'ms')
  const split = result.cases.filter((/** @type {any} */ { unit }) => unit === 'steps')
  return [
    ...headlines(result, 'milliseconds of one query'),
    ...(result.plan.quick ? ['', 'Tables and the large value are a tenth of their size.'] : []),
    ...(timed.length === 0 ? [] : ['', timeTable(timed)]),
    ...(split.length === 0 ? [] : ['', 'Where the time goes (rows dropped), ms:', '', stepsTable(split)]),
  ].join('\n')
}

/** @param {any[]} cases */
const timeTable = (cases) =>
  formatTable(
    [
      ...['result', 'base', 'head', 'floor', 'ratio', 'range', 'noise', 'mark'],
      ...['base/floor', 'head/floor', 'target', 'met', 'CPU ms', 'by CPU', 'GCs', 'GC ms'],
    ],
    cases.map(({ title, base, head, ratio, range, noise, mark, floor, target, met, cpu, gc }) => [
      title,
      short(base),
      short(head),
      short(floor.ms),
      times(ratio),
      span(range),
      percent(noise),
      mark ?? '',
      times(floor.base),
      times(floor.head),
      showTarget(target),
      showMet(met),
      `${short(cpu.base)} > ${short(cpu.head)}`,
      times(cpu.ratio),
      `${short(gc.base.collections)} > ${short(gc.head.collections)}`,
      `${short(gc.base.pauseMs)} > ${short(gc.head.pauseMs)}`,
    ])
  )

/** @param {any[]} cases */
const stepsTable = (cases) =>
  formatTable(
    ['result', 'side', 'socket', 'parse', 'convert', 'build', 'all'],
    cases.flatMap(({ title, steps }) =>
      ['base', 'head'].map((side) => {
        const { socket, parse, convert, build } = steps[side]
        return [title, side, ...[socket, parse, convert, build, socket + parse + convert + build].map(short)]
      })
    )
  )

module.exports = { asMarkdown }
