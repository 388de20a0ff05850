'use strict'

const PRIME = 0x100000001b3n
const MASK = (1n << 64n) - 1n

/**
 * What the contenders of all languages are compared by: FNV-1a of 64 bits. `benches/languages/checksum.rs` is the same;
 * it is only asked before and after the measuring, so that it may be slow.
 */
class Checksum {
  state = 0xcbf29ce484222325n

  /** @param {Iterable<number>} bytes */
  bytes(bytes) {
    for (const byte of bytes) this.state = ((this.state ^ BigInt(byte)) * PRIME) & MASK
  }

  /**
   * A cell and what ends it; the two marks are bytes that occur in no UTF-8.
   * @param {string | null} cell
   */
  cell(cell) {
    if (cell !== null) this.bytes(Buffer.from(cell))
    this.bytes(cell === null ? [0xff] : [0xfe])
  }

  hex() {
    return this.state.toString(16).padStart(16, '0')
  }
}

module.exports = { Checksum }
