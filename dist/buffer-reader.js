'use strict'

// `pg-protocol/dist/buffer-reader`
const { BufferReader } = require('../lib/protocol-js').bufferReader

Object.defineProperty(exports, '__esModule', { value: true })
exports.BufferReader = BufferReader
