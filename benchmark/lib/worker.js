'use strict'

const { fork } = require('node:child_process')

/**
 * A child process that lives for a whole case and does one thing at a time when told to. Each side has its own, because
 * type feedback, inline caches and heap of one parser must not decide how fast the other one runs.
 */
class Worker {
  /**
   * @param {string} file a module that calls `serve`
   * @param {{execPath?: string, execArgv?: string[], env?: NodeJS.ProcessEnv}} [options]
   */
  constructor(file, { execPath = process.execPath, execArgv = [], env = process.env } = {}) {
    this.child = fork(file, [], { execPath, execArgv, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.waiting = /** @type {{resolve: (answer: any) => void, reject: (error: Error) => void} | null} */ (
      null
    )
    this.child.on('message', (/** @type {{answer?: any, error?: string}} */ { answer, error }) =>
      this.settle(error === undefined ? null : new Error(error), answer)
    )
    this.child.on('error', (error) => this.settle(error))
    this.child.on('exit', (code, signal) =>
      this.settle(new Error(`a process of the benchmark ended early (${signal ?? `exit code ${code}`})`))
    )
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
   * @param {string} task
   * @param {object} [options]
   * @returns {Promise<any>}
   */
  ask(task, options = {}) {
    return new Promise((resolve, reject) => {
      if (!this.child.connected) return reject(new Error('a process of the benchmark has gone'))
      this.waiting = { resolve, reject }
      this.child.send({ task, options })
    })
  }

  /** @returns {Promise<void>} */
  end() {
    if (!this.child.connected) return Promise.resolve()
    return new Promise((resolve) => {
      this.child.once('exit', () => resolve())
      this.child.disconnect()
    })
  }
}

/**
 * The other end: answers one task after the other until the parent goes, for whatever reason.
 * @param {Record<string, (options: any) => any>} tasks
 */
const serve = (tasks) => {
  process.on('message', async (/** @type {{task: string, options: object}} */ { task, options }) => {
    try {
      send({ answer: await tasks[task](options) })
    } catch (error) {
      send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.on('disconnect', () => process.exit())
  // Ctrl-C reaches the parent as well, which cleans up: to see its processes end by themselves it would take for a failure.
  process.on('SIGINT', () => {})
}

/** @param {object} message */
const send = (message) => {
  // Nobody is there to be told when the parent was interrupted.
  if (process.connected && process.send) process.send(message)
}

module.exports = { Worker, serve }
