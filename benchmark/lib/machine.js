'use strict'

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

/**
 * What a reader needs to know to compare two results.
 * @param {string[]} packages whose installed versions belong to the result
 */
const describeMachine = (packages) => {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch}`,
    loadBefore: os.loadavg()[0],
    node: process.versions.node,
    v8: process.versions.v8,
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  }
}

/**
 * Climbs from the package's entry, since not every `exports` map shows package.json.
 * @param {string} name
 */
const versionOf = (name) => {
  let folder = path.dirname(require.resolve(name))
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder)
  return /** @type {string} */ (
    JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version
  )
}

/**
 * A name for files: the kind of machine, not its host name, which is nobody's business.
 * @param {{cpu: string, cores: number}} machine
 */
const machineName = ({ cpu, cores }) =>
  `${cpu
    .replace(/\((r|tm)\)/gi, '')
    .replace(/@.*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}-${cores}c`

module.exports = { describeMachine, machineName }
