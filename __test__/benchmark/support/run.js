'use strict'

const { spawn } = require('node:child_process')
const path = require('node:path')

/**
 * Runs one of the benchmarks' commands.
 * @param {string} script in benchmark/
 * @param {string[]} args
 * @param {{
 *   env?: NodeJS.ProcessEnv,
 *   detached?: boolean,
 *   onStderr?: (child: import('node:child_process').ChildProcess, text: string) => void,
 * }} [options] `detached`: in a group of processes of its own
 * @returns {Promise<{code: number | null, stdout: string, stderr: string}>}
 */
const runCommand = (script, args, { env = process.env, detached = false, onStderr } = {}) =>
  new Promise((resolve, reject) => {
    const file = path.join(__dirname, '..', '..', '..', 'benchmark', script)
    const child = spawn(process.execPath, [file, ...args], {
      env,
      detached,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (text) => (stdout += text))
    child.stderr.on('data', (text) => {
      stderr += text
      onStderr?.(child, stderr)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })

module.exports = { runCommand }
