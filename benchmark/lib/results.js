'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { machineName } = require('./machine')

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
 * Writes a result next to the others. The benchmark's name is part of the file's: several may run on one day.
 * @param {string} benchmark
 * @param {{date: string, machine: {cpu: string, cores: number, node: string}}} result
 * @param {string} [folder]
 * @returns {string} the file
 */
const saveResult = (benchmark, result, folder = path.join(__dirname, '..', 'results')) => {
  const { date, machine } = result
  const file = path.join(
    folder,
    `${date.slice(0, 10)}-${machineName(machine)}-node${machine.node}-${benchmark}.json`
  )
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file, `${toJson(result)}\n`)
  return file
}

module.exports = { saveResult, toJson }
