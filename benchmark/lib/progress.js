'use strict'

/**
 * One line on stderr that is rewritten while the benchmark works, with the time left. Where nobody watches it is silent,
 * or writes a line now and then, for those who read it later.
 */
class Progress {
  /**
   * @param {number} total steps
   * @param {{out?: {isTTY?: boolean, write(text: string): unknown}, lines?: boolean}} [options]
   */
  constructor(total, { out = process.stderr, lines = false } = {}) {
    this.total = total
    this.out = out
    this.lines = lines
    this.done = 0
    this.started = Date.now()
    this.written = -Infinity
  }

  /** @param {string} what is about to be done */
  step(what) {
    const left = this.done === 0 ? '' : `, ${this.secondsLeft()} s left`
    const line = `[${this.done + 1}/${this.total}${left}] ${what}`
    if (this.out.isTTY) this.out.write(`\r\x1b[K${line}`)
    else if (this.lines && Date.now() - this.written > SELDOM) {
      this.out.write(`${line}\n`)
      this.written = Date.now()
    }
    this.done++
  }

  secondsLeft() {
    return Math.ceil((((Date.now() - this.started) / this.done) * (this.total - this.done)) / 1000)
  }

  end() {
    if (this.out.isTTY) this.out.write('\r\x1b[K')
  }
}

const SELDOM = 10_000

module.exports = { Progress }
