'use strict'

// `pg-protocol/dist/serializer`
const { serialize } = require('../lib/protocol-js').serializer

Object.defineProperty(exports, '__esModule', { value: true })
exports.serialize = serialize
