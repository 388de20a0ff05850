'use strict'

// What there is to see in a result: charts, and the table with all its figures. A result of a benchmark that is not known
// here is shown too, by what it looks like.

const { label: labelOf } = require('../lib/headlines')
const { formatTable, percent, short, span, times } = require('../lib/table')
const { asMarkdown: largeTable } = require('../large/table')
const { asMarkdown: queriesTable } = require('../queries/table')
const { barChart, ratioChart, splitChart } = require('./charts')

/**
 * @typedef {object} View
 * @property {string} title
 * @property {{name: string, svg: string}[]} charts
 * @property {string} markdown
 */

const PARTS = ['socket', 'parse', 'convert', 'build']

/** @type {Record<string, string>} */
const TITLES = {
  queries: 'Queries per second',
  large: 'Large results',
  parser: 'The parser alone',
  rows: 'Rows without a server',
  languages: 'One table read in JavaScript and in Rust',
}

/**
 * @param {any} result
 * @returns {View}
 */
const viewOf = (result) => {
  const title = TITLES[result.benchmark] ?? String(result.benchmark)
  const titled = { title, subtitle: subtitleOf(result) }
  const charts = [
    { name: 'ratio', svg: ratios(result, titled) },
    { name: 'steps', svg: steps(result, titled) },
    { name: 'bars', svg: bars(result, titled) },
  ].filter((chart) => chart.svg !== null)
  return { title, charts: /** @type {any} */ (charts), markdown: markdownOf(result) }
}

/** @param {any} result */
const subtitleOf = ({ date, machine, plan = {}, contenders = {}, server }) => {
  const sides = contenders.base && [labelOf(contenders.base), labelOf(contenders.head)]
  const compared = sides ?? (plan.base && [plan.base, plan.head])
  return [
    ...(compared ? [`${compared[1]} against ${compared[0]}`] : []),
    [`Node.js ${machine.node}`, machine.cpu, server, String(date).slice(0, 10)].filter(Boolean).join(', '),
  ].join('\n')
}

/**
 * @param {any} result
 * @param {import('./charts').Titles} titles
 */
const ratios = ({ cases = [] }, { title, subtitle }) => {
  const rows = cases
    .filter(
      (/** @type {any} */ row) => row.unit !== 'bytes' && row.ratio !== undefined && row.range !== undefined
    )
    .map((/** @type {any} */ row) => ({ label: plainText(row.title ?? row.name), ...pickRatio(row) }))
  if (rows.length === 0) return null
  const explained = `${subtitle}\nPoint: median of the rounds; line: their range; grey: what noise alone did`
  return ratioChart({ title: `${title}: how many times as fast`, subtitle: explained, rows })
}

/** @param {any} row */
const pickRatio = ({ ratio, range, noise = 0, mark = null }) => ({ ratio, range, noise, mark })

/**
 * @param {any} result
 * @param {import('./charts').Titles} titles
 */
const steps = ({ cases = [], plan }, { title, subtitle }) => {
  const split = cases.filter((/** @type {any} */ { unit }) => unit === 'steps')
  if (split.length === 0) return null
  const rows = split.flatMap((/** @type {any} */ { title, steps: { base, head } }) => {
    const whole = sum(base)
    return [
      { side: plan.base, steps: base },
      { side: plan.head, steps: head },
    ].map(({ side, steps }) => ({
      label: `${plainText(title)}, ${side}`,
      parts: PARTS.map((part) => steps[part] / whole),
      text: `${short(sum(steps))} ms`,
    }))
  })
  const explained = `${subtitle}\nRows dropped; shares of ${plan.base}'s time`
  return splitChart({ title: `${title}: where the time goes`, subtitle: explained, rows, parts: PARTS })
}

/** @param {Record<string, number>} steps */
const sum = (steps) => PARTS.reduce((all, part) => all + steps[part], 0)

/** Contenders with a time each, of a benchmark that has more than two. @param {any} result @param {import('./charts').Titles} titles */
const bars = ({ contenders }, { title, subtitle }) => {
  if (!Array.isArray(contenders)) return null
  const timed = contenders.filter(({ ms }) => typeof ms === 'number')
  if (timed.length === 0) return null
  const rows = timed.map(({ name, title, ms, multiple }) => ({
    label: plainText(title ?? name),
    value: ms,
    text: `${short(ms)} ms${typeof multiple === 'number' ? `, ${times(multiple)}` : ''}`,
  }))
  return barChart({ title: `${title}: milliseconds`, subtitle, rows })
}

/** @param {string} markdown */
const plainText = (markdown) => markdown.replaceAll('`', '')

/** @param {any} result */
const markdownOf = (result) => {
  if (result.benchmark === 'queries') return queriesTable(result)
  if (result.benchmark === 'large') return largeTable(result)
  const lists = /** @type {[string, any[]][]} */ (
    Object.entries(result).filter(
      ([, list]) => Array.isArray(list) && list.some((row) => row?.name !== undefined)
    )
  )
  return lists.map(([, list]) => anyTable(list)).join('\n\n')
}

const SAID_BY_NAME = ['title', 'stream', 'consumer', 'measures']

/**
 * The figures of each row, whatever they are.
 * @param {any[]} rows
 */
const anyTable = (rows) => {
  const columns = [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => showCell(row, key) !== null))),
  ]
  const shown = columns.filter((column) => !SAID_BY_NAME.includes(column) || !columns.includes('name'))
  return formatTable(
    shown,
    rows.map((row) => shown.map((column) => showCell(row, column) ?? ''))
  )
}

/**
 * @param {any} row
 * @param {string} key
 * @returns {string | null} null: not a figure
 */
const showCell = (row, key) => {
  const value = row[key]
  if (key === 'name') return row.title ?? value
  if (key === 'noise' && typeof value === 'number') return percent(value)
  if (/(ratio|multiple|cpu|target)$/i.test(key) && typeof value === 'number') return times(value)
  if (typeof value === 'number') return short(row.unit === 'bytes' && value > 1e4 ? value / 2 ** 20 : value)
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.length === 2 && value.every((bound) => typeof bound === 'number'))
    return /noise/i.test(key) ? null : span([value[0], value[1]])
  return null
}

module.exports = { viewOf }
