'use strict'

// Loaded before register, into a process whose times count for the split alone: it takes the time of each call into Rust
// that decodes a batch of rows. What is then left of a query's time above the parser's is JavaScript making rows.

const path = require('node:path')

const binding = require(
  path.join(/** @type {string} */ (process.env.PG_PROTOCOL_NATIVE_BENCH_FOLDER), 'lib', 'binding.js')
)
const { decode } = binding
const counted = { ms: 0 }

binding.decode = (/** @type {any[]} */ ...args) => {
  const start = performance.now()
  const outcome = decode(...args)
  counted.ms += performance.now() - start
  return outcome
}

Object.defineProperty(globalThis, Symbol.for('pg-protocol-native.benchmark.decoding'), { value: counted })
