'use strict'

// `pg-protocol/dist/buffer-writer`
const { Writer } = require('../lib/protocol-js').bufferWriter

Object.defineProperty(exports, '__esModule', { value: true })
exports.Writer = Writer
