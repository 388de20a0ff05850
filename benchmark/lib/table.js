'use strict'

/**
 * A Markdown table that is also readable in a terminal. The first column is aligned left, the others right.
 * @param {string[]} head
 * @param {string[][]} rows
 */
const formatTable = (head, rows) => {
  const widths = head.map((title, i) =>
    Math.max(3, ...[title, ...rows.map((row) => row[i])].map((cell) => cell.length))
  )
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** Three significant digits, which is what such measurements are good for. @param {number} value */
const short = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))

/** @param {number} ratio */
const times = (ratio) => `${short(ratio)}x`

/** @param {[number, number]} range */
const span = ([from, to]) => `${short(from)}-${short(to)}`

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)} %`

module.exports = { formatTable, short, times, span, percent }
