'use strict'

// Pictures of results, drawn by Apache ECharts without a browser.

/** Its types ask for those of a browser, which nothing else here is to see. @type {string} */
const ECHARTS = 'echarts'
const echarts = require(ECHARTS)

const WIDTH = 860
const ROW = 30
const COLOURS = {
  faster: '#1a7f4b',
  slower: '#c0392b',
  unmarked: '#57606a',
  noise: '#d8dee4',
  steps: ['#8c959f', '#54aeff', '#f2a33a', '#8250df'],
}
const TEXT = {
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif',
  color: '#24292f',
}

/**
 * @typedef {object} RatioRow
 * @property {string} label
 * @property {number} ratio
 * @property {[number, number]} range
 * @property {number} noise
 * @property {string | null} mark
 *
 * @typedef {{title: string, subtitle: string}} Titles
 */

/**
 * Each row's ratio with the range of its rounds, on the band in which noise alone would have put it.
 * @param {Titles & {rows: RatioRow[]}} chart
 */
const ratioChart = ({ title, subtitle, rows }) => {
  const all = rows.flatMap(({ ratio, range, noise }) => [ratio, ...range, 1 + noise, 1 / (1 + noise)])
  return draw(
    {
      ...frame(
        { title, subtitle },
        rows.map(({ label }) => label)
      ),
      xAxis: {
        type: 'log',
        logBase: 2,
        min: Math.min(0.5, Math.min(...all) / 1.05),
        max: Math.max(...all) * 1.2,
        axisLabel: {
          ...TEXT,
          formatter: (/** @type {number} */ ratio) => `${Number(ratio.toPrecision(2))}x`,
        },
        splitLine: { lineStyle: { color: '#eaeef2' } },
      },
      series: [
        {
          type: 'custom',
          data: rows.map((_, at) => at),
          renderItem: (/** @type {any} */ _, /** @type {any} */ api) => ratioRow(rows[api.value(0)], api),
          encode: { y: 0, x: [] },
        },
        {
          type: 'line',
          data: [],
          silent: true,
          markLine: {
            symbol: 'none',
            animation: false,
            label: { show: false },
            lineStyle: { color: '#57606a', type: 'solid', width: 1 },
            data: [{ xAxis: 1 }],
          },
        },
      ],
    },
    rows.length
  )
}

/**
 * @param {RatioRow} row
 * @param {any} api
 */
const ratioRow = ({ ratio, range, noise, mark }, api) => {
  const at = (/** @type {number} */ value) => api.coord([value, api.value(0)])
  const [x, y] = at(ratio)
  const colour = mark === 'faster' || mark === 'slower' ? COLOURS[mark] : COLOURS.unmarked
  const [left] = at(1 / (1 + noise))
  const [right] = at(1 + noise)
  const [from] = at(range[0])
  const [to] = at(range[1])
  return {
    type: 'group',
    children: [
      {
        type: 'rect',
        shape: { x: left, y: y - ROW * 0.36, width: right - left, height: ROW * 0.72 },
        style: { fill: COLOURS.noise },
      },
      {
        type: 'line',
        shape: { x1: from, y1: y, x2: Math.max(to, from + 1), y2: y },
        style: { stroke: colour, lineWidth: 4, lineCap: 'round', opacity: 0.45 },
      },
      { type: 'circle', shape: { cx: x, cy: y, r: 5 }, style: { fill: colour } },
      {
        type: 'text',
        style: {
          ...{ x: Math.max(x, to) + 10, y, text: `${ratio.toFixed(2)}x`, fill: colour },
          ...{ font: `600 12px ${TEXT.fontFamily}`, verticalAlign: 'middle' },
        },
      },
    ],
  }
}

/**
 * @param {Titles & {
 *   rows: {label: string, parts: number[], text: string}[],
 *   parts: string[],
 * }} chart the parts of a row are shares of what all rows of its kind are compared with
 */
const splitChart = ({ title, subtitle, rows, parts }) =>
  draw(
    {
      ...frame(
        { title, subtitle },
        rows.map(({ label }) => label)
      ),
      legend: { bottom: 8, data: parts, textStyle: TEXT, itemHeight: 12 },
      xAxis: {
        type: 'value',
        axisLabel: { ...TEXT, formatter: (/** @type {number} */ share) => `${Math.round(share * 100)} %` },
        splitLine: { lineStyle: { color: '#eaeef2' } },
      },
      series: parts.map((name, part) => ({
        ...{ type: 'bar', name, stack: 'time', barWidth: ROW * 0.62 },
        data: rows.map((row) => row.parts[part]),
        itemStyle: { color: COLOURS.steps[part % COLOURS.steps.length] },
        ...(part === parts.length - 1
          ? {
              label: {
                ...{ show: true, position: 'right', ...TEXT },
                formatter: (/** @type {{dataIndex: number}} */ { dataIndex }) => rows[dataIndex].text,
              },
            }
          : {}),
      })),
    },
    rows.length,
    { legend: true }
  )

/**
 * @param {Titles & {rows: {label: string, value: number, text: string}[]}} chart
 */
const barChart = ({ title, subtitle, rows }) =>
  draw(
    {
      ...frame(
        { title, subtitle },
        rows.map(({ label }) => label)
      ),
      xAxis: { type: 'value', axisLabel: TEXT, splitLine: { lineStyle: { color: '#eaeef2' } } },
      series: [
        {
          ...{ type: 'bar', barWidth: ROW * 0.62, data: rows.map(({ value }) => value) },
          itemStyle: { color: COLOURS.steps[1] },
          label: {
            ...{ show: true, position: 'right', ...TEXT },
            formatter: (/** @type {{dataIndex: number}} */ { dataIndex }) => rows[dataIndex].text,
          },
        },
      ],
    },
    rows.length
  )

/**
 * @param {Titles} titles
 * @param {string[]} labels
 */
const frame = ({ title, subtitle }, labels) => ({
  animation: false,
  backgroundColor: '#ffffff',
  textStyle: TEXT,
  title: {
    text: title,
    subtext: subtitle,
    left: 12,
    top: 8,
    textStyle: { ...TEXT, fontSize: 15 },
    subtextStyle: { ...TEXT, color: '#57606a', fontSize: 11, lineHeight: 15 },
  },
  yAxis: {
    type: 'category',
    inverse: true,
    data: labels,
    axisTick: { show: false },
    axisLine: { show: false },
    axisLabel: { ...TEXT, fontSize: 12 },
  },
})

/**
 * @param {any} option
 * @param {number} rows
 * @param {{legend?: boolean}} [parts]
 * @returns {string} an SVG
 */
const draw = (option, rows, { legend = false } = {}) => {
  const top = 34 + 15 * String(option.title.subtext).split('\n').length + 8
  const bottom = legend ? 66 : 34
  const chart = echarts.init(null, null, {
    ...{ renderer: 'svg', ssr: true, width: WIDTH },
    height: top + rows * ROW + bottom,
  })
  try {
    const longest = Math.max(...option.yAxis.data.map((/** @type {string} */ label) => label.length))
    chart.setOption({ ...option, grid: { left: 20 + longest * 6.4, right: 90, top, bottom } })
    return chart.renderToSVGString({ useViewBox: true })
  } finally {
    chart.dispose()
  }
}

module.exports = { ratioChart, splitChart, barChart }
