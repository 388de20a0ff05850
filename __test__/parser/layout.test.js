'use strict'

// lib/layout.js repeats the numbers of the Rust half; each of them must be what the addon was built with.

const test = require('node:test')
const assert = require('node:assert/strict')
const binding = require('../../lib/binding')
const layout = require('../../lib/layout')

test('every number of layout.js is the one that Rust has, and none is missing', () => {
  assert.deepEqual({ ...layout }, { ...binding.layout() })
})

test('the addon is of the version of the package', () => {
  assert.equal(binding.version(), require('../../package.json').version)
})
