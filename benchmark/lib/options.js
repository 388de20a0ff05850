'use strict'

const { spawnSync } = require('node:child_process')
const { parseArgs } = require('node:util')

/** Wrong use: one sentence and exit code 2, no stack. */
class UsageError extends Error {}

const COMMON = /** @type {const} */ ({
  rounds: { type: 'string' },
  quick: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true },
  node: { type: 'string' },
  json: { type: 'boolean', default: false },
  save: { type: 'boolean', default: false },
  assert: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
})

/**
 * Options that all benchmarks of the package share, and those of one of them.
 * @param {string[]} args
 * @param {import('node:util').ParseArgsConfig['options']} [own]
 * @returns {Record<string, any>}
 */
const readOptions = (args, own = {}) => {
  try {
    return parseArgs({ args, options: { ...COMMON, ...own }, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message)
  }
}

/**
 * @param {string | undefined} text
 * @param {string} name
 * @param {number} otherwise
 * @param {{whole?: boolean}} [rule]
 */
const positive = (text, name, otherwise, { whole = false } = {}) => {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!(value > 0) || value === Infinity || (whole && !Number.isInteger(value))) {
    throw new UsageError(`--${name} takes a ${whole ? 'whole ' : ''}number above 0, not '${text}'.`)
  }
  return value
}

/**
 * The names that `--only` asks for, in the order of the list.
 * @param {string[]} known
 * @param {string[] | undefined} only each may hold several, separated by commas; `wide` also means `wide/...`
 */
const pick = (known, only) => {
  if (only === undefined) return known
  const wanted = only.flatMap((names) => names.split(',')).map((name) => name.trim())
  const matches = (/** @type {string} */ name, /** @type {string} */ want) =>
    name === want || name.split('/').includes(want)
  for (const want of wanted) {
    if (!known.some((name) => matches(name, want))) {
      throw new UsageError(`There is no scenario '${want}'. Known: ${known.join(', ')}.`)
    }
  }
  return known.filter((name) => wanted.some((want) => matches(name, want)))
}

/**
 * `--node PATH`: the same command again with that Node, parent and children alike.
 * @param {string} node
 * @param {string[]} args
 * @returns {number} its exit code
 */
const runWithNode = (node, args) => {
  const script = /** @type {string} */ (process.argv[1])
  const { status, error } = spawnSync(node, [script, ...args], { stdio: 'inherit' })
  if (error) throw new UsageError(`Cannot run '${node}': ${error.message}.`)
  return status ?? 1
}

/**
 * @param {string[]} args
 * @returns {string[]} without --node and its value
 */
const withoutNode = (args) =>
  args.filter((arg, i) => arg !== '--node' && !arg.startsWith('--node=') && args[i - 1] !== '--node')

module.exports = { UsageError, readOptions, positive, pick, runWithNode, withoutNode }
