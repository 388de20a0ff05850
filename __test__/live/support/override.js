'use strict'

// Stands in for an npm override of pg-protocol: whoever asks for it gets this package.

const path = require('node:path')
const Module = /** @type {any} */ (require('node:module'))

const ROOT = path.join(__dirname, '..', '..', '..')
const resolveFilename = Module._resolveFilename

Module._resolveFilename = function (/** @type {string} */ request, /** @type {any[]} */ ...rest) {
  const [, deep] = /^pg-protocol(?:\/dist\/(.+?)(?:\.js)?)?$/.exec(request) ?? [null, null]
  if (request === 'pg-protocol') return path.join(ROOT, 'index.js')
  if (deep) return path.join(ROOT, 'dist', `${deep}.js`)
  return resolveFilename.call(this, request, ...rest)
}
