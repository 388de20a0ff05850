'use strict'

const { spawn, spawnSync } = require('node:child_process')
const path = require('node:path')
const { createInterface } = require('node:readline')
const { UsageError } = require('../lib/options')

const ROOT = path.join(__dirname, '..', '..')

/** @param {string} command @param {string[]} args */
const run = (command, args) => {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error) throw new UsageError(`Cannot run ${command}, which Rust's side needs: ${error.message}.`)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
  return stdout
}

/**
 * Builds `benches/languages` as `cargo bench` would.
 * @returns {string} the executable
 */
const build = () => {
  const lines = run('cargo', [
    'bench',
    '--bench',
    'languages',
    '--no-run',
    '--quiet',
    '--message-format=json',
  ]).split('\n')
  const messages = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  const built = messages.find(({ target, executable }) => target?.name === 'languages' && executable)
  if (!built) throw new Error('cargo did not say what it built')
  return built.executable
}

/** The versions that a reader of the result wants to know. */
const rustVersions = () => {
  const { packages } = JSON.parse(run('cargo', ['metadata', '--format-version=1', '--quiet']))
  const crate = packages.find((/** @type {{name: string}} */ { name }) => name === 'postgres-protocol')
  return { 'postgres-protocol': crate.version, rustc: run('rustc', ['--version']).split(' ')[1] }
}

/** The Rust counterpart of a Worker: one task at a time, a line each way. */
class RustProcess {
  /** @param {string} executable */
  constructor(executable) {
    this.child = spawn(executable, [], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.waiting = /** @type {{resolve: (answer: any) => void, reject: (error: Error) => void} | null} */ (
      null
    )
    this.gone = new Promise((resolve) => this.child.once('close', resolve))
    createInterface({ input: this.child.stdout }).on('line', (line) => this.settle(null, JSON.parse(line)))
    this.child.on('error', (error) => this.settle(error))
    this.child.stdin.on('error', (error) => this.settle(error))
    this.child.on('exit', (code) => this.settle(new Error(`the Rust process ended early (${code})`)))
  }

  /**
   * @param {Error | null} error
   * @param {any} [answer]
   */
  settle(error, answer) {
    const { waiting } = this
    this.waiting = null
    if (waiting === null) return
    if (error) waiting.reject(error)
    else waiting.resolve(answer)
  }

  /**
   * @param {...(string | number)} words
   * @returns {Promise<any>}
   */
  ask(...words) {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.child.stdin.write(`${words.join(' ')}\n`)
    })
  }

  async end() {
    this.child.stdin.end()
    await this.gone
  }
}

module.exports = { build, rustVersions, RustProcess }
