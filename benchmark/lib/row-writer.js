'use strict'

const DATA_ROW = 'D'.charCodeAt(0)

/**
 * Writes DataRow messages into one scratch buffer, for streams of millions of cells; `dataRow` of the tests' readable
 * builder is the slow twin (and a test compares the two).
 */
class RowWriter {
  /** @param {number} [capacity] of the longest row in bytes */
  constructor(capacity = 1 << 20) {
    this.bytes = Buffer.allocUnsafeSlow(capacity)
  }

  /**
   * @param {(string | null)[]} cells
   * @returns {number} how many of `bytes` the message takes
   */
  write(cells) {
    const { bytes } = this
    let at = 7
    for (const cell of cells) {
      if (cell === null) {
        bytes.writeInt32BE(-1, at)
        at += 4
      } else {
        // A UTF-16 unit takes at most 3 bytes of UTF-8. `write` would silently cut a text that does not fit.
        if (at + 4 + cell.length * 3 > bytes.length)
          throw new RangeError('row longer than the scratch buffer')
        const length = bytes.write(cell, at + 4)
        bytes.writeInt32BE(length, at)
        at += 4 + length
      }
    }
    bytes[0] = DATA_ROW
    bytes.writeInt32BE(at - 1, 1)
    bytes.writeInt16BE(cells.length, 5)
    return at
  }
}

module.exports = { RowWriter }
