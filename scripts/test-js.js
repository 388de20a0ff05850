'use strict'

// Runs the JavaScript tests: every __test__/**/*.test.js, listed here because `node --test` of Node.js 20 knows no
// patterns.
//
//   node scripts/test-js.js [--node PATH] [options of `node --test`] [test files]
//
// --node runs the tests with another Node.js; the processes that tests start follow it through process.execPath.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { startServer } = require('./postgres-server')

const root = path.join(__dirname, '..')

main()

async function main() {
  const { node, options, files } = readArguments(process.argv.slice(2))
  const defaults = ['--test', '--test-reporter=spec', `--test-concurrency=${os.availableParallelism()}`]
  const tests = files.length > 0 ? files : listTests(path.join(root, '__test__'))
  const server = tests.some((file) => /[\\/]live[\\/]/.test(path.resolve(file))) ? await sharedServer() : null
  const { status, signal, error } = spawnSync(node, [...defaults, ...options, ...tests], {
    cwd: root,
    env: server?.env,
    stdio: 'inherit',
  })
  if (error) console.error(`The tests could not be started: ${error.message}`)
  if (signal) console.error(`The tests were ended by ${signal}`)
  process.exitCode = status ?? 1
  await server?.stop()
}

/** One PostgreSQL for all test files: each of them would start its own if none were named in the environment. */
async function sharedServer() {
  try {
    return await startServer()
  } catch (/** @type {any} */ error) {
    // the tests that need it fail for the same reason; the others need not wait for it
    console.error(error.message)
    return null
  }
}

/** @param {string[]} args */
function readArguments(args) {
  let node = process.execPath
  const options = []
  const files = []
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--node') node = path.resolve(args[++i])
    else if (/\.[cm]?js$/.test(args[i])) files.push(args[i])
    else options.push(args[i])
  }
  return { node, options, files }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listTests(folder) {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .sort()
    .map((file) => path.relative(root, path.join(folder, file)))
}
