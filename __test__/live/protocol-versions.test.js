'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const { compareFlavours } = require('./support/compare-flavours')

// pg itself asks for protocol 3.0; here its startup message asks for more.

const reports = compareFlavours(require.resolve('./scenarios/protocol-versions'))

/** @param {string} scenario */
const outcomesOf = (scenario) => {
  const { stock, register, override } = reports()
  const [expected, ...natives] = [stock, register, override].map(({ outcomes }) => {
    assert.equal(outcomes[scenario].threw, undefined, outcomes[scenario].stack)
    return outcomes[scenario].value
  })
  return { expected, natives }
}

test('F09: protocol 3.2 works, and the whole key of 32 bytes is there besides', (t) => {
  const { expected, natives } = outcomesOf('protocol 3.2')
  if (!expected.known) return t.skip('the server is older than PostgreSQL 18')
  assert.equal(expected.key.keyBytes, undefined)
  assert.equal(expected.rows.length, 3)
  for (const native of natives) {
    assert.deepEqual(native.key, { ...expected.key, keyBytes: 32, startsAsStock: true })
    assert.deepEqual(native.rows, expected.rows)
    assert.deepEqual(native.names, expected.names)
  }
})

test('F08: a version that the server does not know is negotiated instead of taken for an error', (t) => {
  const { expected, natives } = outcomesOf('protocol 3.9')
  if (!expected.known) return t.skip('the server is older than PostgreSQL 18')
  assert.equal(expected.outcome, 'received invalid response: 76')
  for (const native of natives) {
    assert.equal(native.outcome, 'connected')
    assert.equal(native.rows.length, 3)
    assert.equal(native.first.name, 'negotiateProtocolVersion')
    assert.equal(native.first.protocolVersion, 0x30002)
    assert.deepEqual(native.first.unrecognizedOptions, [])
    assert.deepEqual(native.names.slice(0, expected.names.length), expected.names)
  }
})
