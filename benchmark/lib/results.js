'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { machineName } = require('./machine')

/** What the benchmarks measure where they are not told. */
const USUAL = ['register', 'native']

const RESULTS = path.join(__dirname, '..', 'results')

/**
 * Six significant digits; the rest of a measured number is noise and only makes files long.
 * @param {object} result
 */
const toJson = (result) =>
  JSON.stringify(
    result,
    (_key, value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value,
    2
  )

/**
 * The usual comparison has the name of its benchmark, others say what they compare: several may run on one day.
 * @param {{benchmark: string, plan?: {base?: string, head?: string}}} result
 */
const resultName = ({ benchmark, plan: { base, head } = {} }) =>
  base === undefined || head === undefined || (base === 'stock' && USUAL.includes(head))
    ? benchmark
    : [benchmark, base, head].map((part) => part.replace(/[^\w.]+/g, '-')).join('-')

/**
 * Writes a result next to the others. The benchmark's name is part of the file's: several may run on one day.
 * @param {string} benchmark
 * @param {{date: string, machine: {cpu: string, cores: number, node: string}}} result
 * @param {{folder?: string, text?: string}} [options] `text`: the result for people, in a file beside it
 * @returns {string} the file
 */
const saveResult = (benchmark, result, { folder = RESULTS, text } = {}) => {
  const { date, machine } = result
  const name = `${date.slice(0, 10)}-${machineName(machine)}-node${machine.node}-${benchmark}`
  const file = path.join(folder, `${name}.json`)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file, `${toJson(result)}\n`)
  if (text !== undefined) fs.writeFileSync(path.join(folder, `${name}.md`), `${text}\n`)
  return file
}

module.exports = { RESULTS, resultName, saveResult, toJson }
