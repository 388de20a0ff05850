'use strict'

// `pg-protocol/dist/parser`
const { Parser } = require('../index.js')

Object.defineProperty(exports, '__esModule', { value: true })
exports.Parser = Parser
