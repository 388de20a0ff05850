'use strict'

const { test } = require('node:test')
const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { platformName } = require('../../lib/platform')
const { root, node, temporaryFolder } = require('./support/npm')

const script = path.join(root, 'scripts/check-glibc.js')
const addon = path.join(root, 'lib', `pg-protocol-native.${platformName()}.node`)
const skip = platformName().endsWith('-gnu') ? false : 'this system has no glibc'

test('F59: the addon built here is measured, and refused when its glibc is too new', { skip }, () => {
  const allowed = node(root, script, '99.0', addon)
  assert.strictEqual(allowed.status, 0, allowed.stderr)
  assert.match(allowed.stdout, /^ok: .* needs glibc 2\.\d+, at most 99\.0 is allowed$/m)

  const refused = node(root, script, '2.1', addon)
  assert.strictEqual(refused.status, 1)
  assert.match(refused.stdout, /^TOO NEW: /m)
})

test('F59: versions are compared as numbers, and the newest symbol counts', () => {
  const file = path.join(temporaryFolder('glibc'), 'some.node')
  fs.writeFileSync(file, '\0GLIBC_2.2.5\0GLIBC_2.28\0GLIBC_2.3\0')
  assert.strictEqual(node(root, script, '2.28', file).status, 0)
  assert.strictEqual(node(root, script, '2.27', file).status, 1)
  assert.strictEqual(node(root, script, '2.9', file).status, 1)
})

test('F59: a file that names no glibc at all is not waved through', () => {
  const { status, stdout } = node(root, script, '2.28', __filename.replace('glibc.test', 'support/npm'))
  assert.strictEqual(status, 1)
  assert.match(stdout, /NO GLIBC SYMBOLS/)
})

test('check-glibc.js without a version or a file prints its usage', () => {
  for (const args of [[], ['2.28'], ['new', addon]]) {
    const { status, stderr } = node(root, script, ...args)
    assert.strictEqual(status, 2)
    assert.match(stderr, /^Usage: /)
  }
})
