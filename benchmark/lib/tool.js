'use strict'

const { spawn } = require('node:child_process')

/** @typedef {{code: number | null, stdout: string, stderr: string}} Outcome */

/**
 * Runs a tool to its end, without holding up the event loop, so that the benchmark can be interrupted meanwhile.
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, defer: import('./cleanup').Defer}} options
 * @returns {Promise<Outcome>} rejected where it cannot be started
 */
const runTool = async (command, args, { cwd, env, defer }) => {
  // npm is a script there
  const shell = process.platform === 'win32' && command === 'npm'
  // A group of its own, to be able to stop what it has started as well.
  const detached = process.platform !== 'win32'
  const stdio = /** @type {['ignore', 'pipe', 'pipe']} */ (['ignore', 'pipe', 'pipe'])
  const child = spawn(command, args, { cwd, env, shell, detached, stdio, windowsHide: true })
  /** @type {Promise<Outcome>} */
  const finished = new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (text) => (stdout += text))
    child.stderr.on('data', (text) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
  const running = defer(async () => {
    if (child.pid !== undefined) process.kill(detached ? -child.pid : child.pid)
    await finished.catch(() => {})
  })
  try {
    return await finished
  } finally {
    running.cancel()
  }
}

/**
 * The line of a tool's output that says what went wrong.
 * @param {Outcome} outcome
 */
const reasonOf = ({ stdout, stderr }) => {
  const lines = `${stdout}\n${stderr}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.find((line) => /\b(error|fatal)\b/i.test(line)) ?? lines.at(-1) ?? 'it says nothing'
}

module.exports = { runTool, reasonOf }
