'use strict'

/** One line on stderr that is rewritten while the benchmark works, with the time left; silent where nobody watches. */
class Progress {
  /**
   * @param {number} total steps
   * @param {{isTTY?: boolean, write(text: string): unknown}} [out]
   */
  constructor(total, out = process.stderr) {
    this.total = total
    this.out = out
    this.done = 0
    this.started = Date.now()
  }

  /** @param {string} what is about to be done */
  step(what) {
    const left = this.done === 0 ? '' : `, ${this.secondsLeft()} s left`
    if (this.out.isTTY) this.out.write(`\r\x1b[K[${this.done + 1}/${this.total}${left}] ${what}`)
    this.done++
  }

  secondsLeft() {
    return Math.ceil((((Date.now() - this.started) / this.done) * (this.total - this.done)) / 1000)
  }

  end() {
    if (this.out.isTTY) this.out.write('\r\x1b[K')
  }
}

module.exports = { Progress }
