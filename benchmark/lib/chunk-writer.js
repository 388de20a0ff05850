'use strict'

// What a socket gives for a large result: Buffers of 64 KiB, each with memory of its own, cut without regard to messages.

const CHUNK = 64 * 1024

class ChunkWriter {
  /** @param {number} [size] */
  constructor(size = CHUNK) {
    this.size = size
    this.chunks = /** @type {Buffer[]} */ ([])
    this.current = Buffer.allocUnsafeSlow(size)
    this.used = 0
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} [length]
   */
  write(bytes, length = bytes.length) {
    let from = 0
    while (from < length) {
      if (this.used === this.size) this.flush()
      const count = Math.min(length - from, this.size - this.used)
      this.current.set(bytes.subarray(from, from + count), this.used)
      this.used += count
      from += count
    }
  }

  flush() {
    // `slowCopy` only shortens the last one: a short chunk must not have a view's spare bytes behind it.
    this.chunks.push(this.used === this.size ? this.current : slowCopy(this.current.subarray(0, this.used)))
    this.current = Buffer.allocUnsafeSlow(this.size)
    this.used = 0
  }

  /** @returns {Buffer[]} */
  end() {
    if (this.used > 0) this.flush()
    return this.chunks
  }
}

/**
 * A copy outside Node's shared pool, as each read of a socket is.
 * @param {Uint8Array} bytes
 */
const slowCopy = (bytes) => {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

module.exports = { ChunkWriter, slowCopy, CHUNK }
