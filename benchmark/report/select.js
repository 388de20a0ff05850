'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { UsageError } = require('../lib/options')
const { resultName } = require('../lib/results')

/** What people look for first. Others follow. */
const ORDER = ['queries', 'large', 'rows', 'parser', 'languages']

/**
 * @typedef {{file: string, name: string, result: any}} Entry `name`: of the benchmark and what it compares
 */

/**
 * @param {string[]} files
 * @returns {Entry[]}
 */
const readResults = (files) =>
  files.map((file) => {
    let result
    try {
      result = JSON.parse(fs.readFileSync(file, 'utf8'))
    } catch (error) {
      throw new UsageError(`Cannot read ${file}: ${/** @type {Error} */ (error).message}.`)
    }
    if (typeof result?.benchmark !== 'string' || typeof result.machine?.node !== 'string')
      throw new UsageError(`${file} is not a result of a benchmark.`)
    return { file, name: resultName(result), result }
  })

/** @param {string} folder */
const resultFiles = (folder) =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .map((file) => path.join(folder, file))
    : []

/** @param {string} version */
const majorOf = (version) => Number(version.split('.')[0])

/**
 * The latest of each comparison on each version of Node.js, newest Node.js first; quick looks are no results.
 * @param {Entry[]} entries
 * @returns {Entry[]}
 */
const latestOf = (entries) => {
  /** @type {Map<string, Entry>} */
  const latest = new Map()
  for (const entry of entries) {
    const { name, result } = entry
    if (result.plan?.quick) continue
    const key = `${name} ${majorOf(result.machine.node)}`
    const other = latest.get(key)
    if (!other || other.result.date < result.date) latest.set(key, entry)
  }
  return [...latest.values()].sort(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      a.name.localeCompare(b.name) ||
      majorOf(b.result.machine.node) - majorOf(a.result.machine.node)
  )
}

/** @param {Entry} entry */
const rankOf = ({ result }) => {
  const at = ORDER.indexOf(result.benchmark)
  return at < 0 ? ORDER.length : at
}

module.exports = { readResults, resultFiles, latestOf }
