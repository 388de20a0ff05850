'use strict'

const { spawnSync } = require('node:child_process')

/**
 * Runs a function in a Node process of its own, for what must not happen in the test's process (endless loops, a heap of
 * its own, uncaught exceptions), and gives back what it returned. The function must not use variables from around it;
 * it gets `require` of the test that calls.
 * @param {string} from the test's __filename
 * @param {(require: NodeJS.Require) => any} work may be async; the result travels as JSON
 * @param {{flags?: string[], timeout?: number, env?: NodeJS.ProcessEnv}} [options] milliseconds
 * @returns {{result: any, timedOut: boolean, code: number | null, stderr: string}}
 */
const inChild = (from, work, options = {}) => {
  const source = `
    const requireOfTest = require('node:module').createRequire(${JSON.stringify(from)});
    (async () => (${work})(requireOfTest))().then((result) => {
      require('node:fs').writeSync(3, JSON.stringify({ result }))
    })
  `
  const { flags = [], timeout = 120_000, env = process.env } = options
  const child = spawnSync(process.execPath, [...flags, '--eval', source], {
    timeout,
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const timedOut = child.error !== undefined && /** @type {any} */ (child.error).code === 'ETIMEDOUT'
  if (child.error && !timedOut) throw child.error
  const answer = /** @type {any} */ (child.output)[3]
  return {
    result: answer ? JSON.parse(answer).result : undefined,
    timedOut,
    code: child.status,
    stderr: child.stderr,
  }
}

module.exports = { inChild }
