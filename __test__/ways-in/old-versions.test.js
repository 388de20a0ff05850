'use strict'

// register under older releases of pg and pg-protocol, installed from the registry.

const assert = require('node:assert/strict')
const { after, before, test } = require('node:test')
const path = require('node:path')
const { installApp } = require('../package/support/npm')
const { createApp } = require('./support/app')
const { startFakeServer } = require('./support/fake-server')
const { NATIVE, STOCK } = require('./support/probe')

/** @type {Awaited<ReturnType<typeof startFakeServer>>} */
let server
before(async () => {
  server = await startFakeServer()
})
after(() => server.close())

const QUERY = `
  const pg = require('pg')
  // pg 8.0 does not export it, nor does its pg-protocol
  pg.DatabaseError ??= require('pg-protocol').DatabaseError ?? Error
  const { probe } = require(${JSON.stringify(path.join(__dirname, 'support', 'probe.js'))})
  probe(pg).then((result) => console.log(JSON.stringify(result)))`

/** @type {{ pg: string, protocol: string, expected: object, why: string }[]} */
const CASES = [
  { pg: '8.0.3', protocol: '1.2.5', expected: STOCK, why: 'which has a parser of its own' },
  { pg: '8.3.0', protocol: '1.3.0', expected: NATIVE, why: 'without ParameterDescriptionMessage' },
  { pg: '8.11.3', protocol: '1.6.0', expected: NATIVE, why: 'without an exports map' },
  { pg: '8.15.6', protocol: '1.9.5', expected: NATIVE, why: 'with the first exports map' },
  { pg: '8.16.0', protocol: '1.10.3', expected: NATIVE, why: 'with methods for each message' },
]

for (const { pg, protocol, expected, why } of CASES) {
  test(`pg ${pg} with pg-protocol ${protocol}, ${why}`, async (t) => {
    const app = createApp(t)
    installApp(app.dir, { dependencies: { pg, 'pg-protocol': protocol } })
    app.write('app.js', QUERY)
    app.write('late.js', `require('pg')\nrequire('pg-protocol-native/register')\n${QUERY}`)
    app.linkSelf()
    for (const [args, wanted] of /** @type {[string[], object][]} */ ([
      [['app.js'], STOCK],
      [['-r', 'pg-protocol-native/register', 'app.js'], expected],
      [['late.js'], expected],
    ])) {
      const { json, stderr } = await app.run(args, { env: server.env })
      assert.doesNotMatch(stderr, /PgProtocolNativeWarning/)
      assert.deepEqual(json(), wanted, args.join(' '))
    }
    const doctor = path.join('node_modules', 'pg-protocol-native', 'lib', 'cli.js')
    const [copy] = (await app.run([doctor, 'doctor', '--json'])).json().pg
    assert.equal(copy.register.active, expected === NATIVE, copy.register.reason)
  })
}
