'use strict'

// What happens where no binary can be loaded, and what PG_PROTOCOL_NATIVE makes of it.

const assert = require('node:assert/strict')
const { after, before, test } = require('node:test')
const fs = require('node:fs')
const path = require('node:path')
const { createApp, warnings } = require('./support/app')
const { startFakeServer } = require('./support/fake-server')
const { PARSER, STOCK } = require('./support/probe')

const PROBE = JSON.stringify(path.join(__dirname, 'support', 'probe.js'))

/** @type {Awaited<ReturnType<typeof startFakeServer>>} */
let server
before(async () => {
  server = await startFakeServer()
})
after(() => server.close())

const DIRECT = `
  const protocol = require('pg-protocol-native')
  const stock = require(require.resolve('pg-protocol-js/dist/parser.js', { paths: [require.resolve('pg-protocol-native')] }))
  const messages = require('pg-protocol-native/dist/messages')
  const seen = []
  new protocol.Parser().parse(Buffer.from('5a0000000549', 'hex'), (message) => seen.push(message.name))
  console.log(JSON.stringify({
    native: protocol.native,
    stockParser: protocol.Parser === stock.Parser,
    sameParser: protocol.Parser === require('pg-protocol-native/dist/parser').Parser,
    fields: Object.getOwnPropertyNames(messages.DataRowMessage.prototype),
    newMessages: typeof messages.NegotiateProtocolVersionMessage + typeof messages.FunctionCallResponseMessage,
    seen,
  }))`

const JAVASCRIPT = {
  native: false,
  stockParser: true,
  sameParser: true,
  fields: ['constructor'],
  newMessages: 'functionfunction',
  seen: ['readyForQuery'],
}

test("F57: without a binary the package serves pg-protocol's parser and warns once", async (t) => {
  const app = createApp(t, { 'direct.js': DIRECT })
  app.copySelf({ binary: false })
  const { json, stderr } = await app.run(['direct.js'])
  assert.deepEqual(json(), JAVASCRIPT)
  assert.equal(warnings(stderr), 1, stderr)
  assert.match(stderr, /PG_PROTOCOL_NATIVE_FALLBACK/)
  assert.match(stderr, /pg-protocol-native\.[a-z0-9-]+\.node/, 'it names the file that is missing')
})

test('F58: a binary of another platform is reported and the fallback serves', async (t) => {
  const app = createApp(t, { 'direct.js': DIRECT })
  const folder = app.copySelf()
  const binaries = fs.readdirSync(path.join(folder, 'lib')).filter((file) => file.endsWith('.node'))
  assert.ok(binaries.length > 0)
  for (const file of binaries) fs.writeFileSync(path.join(folder, 'lib', file), 'not for this machine')
  const { json, stderr } = await app.run(['direct.js'])
  assert.deepEqual(json(), JAVASCRIPT)
  assert.equal(warnings(stderr), 1, stderr)
})

test('a binary of another version does not serve', async (t) => {
  const app = createApp(t, { 'direct.js': DIRECT })
  const folder = app.copySelf()
  const file = path.join(folder, 'lib', 'layout.js')
  const text = fs.readFileSync(file, 'utf8')
  const changed = text.replace(/VERSION: \d+/, 'VERSION: 999')
  assert.notEqual(changed, text)
  fs.writeFileSync(file, changed)
  const { json, stderr } = await app.run(['direct.js'])
  assert.deepEqual(json(), JAVASCRIPT)
  assert.equal(warnings(stderr), 1, stderr)
  assert.match(stderr, /a binary of another version \(layout \d+, not 999\)/)
})

test('F58: a platform without a binary is named', async (t) => {
  const app = createApp(t, {
    'platform.js': "Object.defineProperty(process, 'arch', { value: 'riscv64' })",
    'direct.js': DIRECT,
  })
  app.copySelf()
  const { json, stderr } = await app.run(['-r', './platform.js', 'direct.js'])
  assert.deepEqual(json(), JAVASCRIPT)
  assert.match(stderr, /-riscv64/)
})

test('the warning has a code and a type for process.on("warning")', async (t) => {
  const app = createApp(t, {
    'app.js': `
      process.on('warning', ({ name, code }) => console.log(JSON.stringify({ name, code })))
      require('pg-protocol-native')`,
  })
  app.copySelf({ binary: false })
  assert.deepEqual((await app.run(['app.js'])).json(), {
    name: 'PgProtocolNativeWarning',
    code: 'PG_PROTOCOL_NATIVE_FALLBACK',
  })
})

test('there is one warning however often and wherever the package is loaded', async (t) => {
  const app = createApp(t, {
    'app.js': `
      require('pg-protocol-native/register')
      require('pg-protocol-native')
      for (const file of Object.keys(require.cache)) delete require.cache[file]
      require('pg-protocol-native/dist/messages')
      require('./second/pg-protocol-native')`,
  })
  app.copySelf({ binary: false })
  app.copySelf({ binary: false, to: 'second/pg-protocol-native' })
  const { code, stderr } = await app.run(['app.js'])
  assert.equal(code, 0, stderr)
  assert.equal(warnings(stderr), 1, stderr)
})

test('PG_PROTOCOL_NATIVE=off asks for the fallback, without a warning', async (t) => {
  const app = createApp(t, { 'direct.js': DIRECT })
  app.copySelf()
  for (const value of ['off', ' OFF ']) {
    const { json, stderr } = await app.run(['direct.js'], { env: { PG_PROTOCOL_NATIVE: value } })
    assert.deepEqual(json(), JAVASCRIPT)
    assert.equal(stderr, '')
  }
})

test('PG_PROTOCOL_NATIVE=require is quiet with a binary, and an error without one', async (t) => {
  const app = createApp(t, { 'direct.js': DIRECT, 'register.js': "require('pg-protocol-native/register')" })
  const env = { PG_PROTOCOL_NATIVE: 'require' }
  app.copySelf()
  const present = await app.run(['direct.js'], { env })
  assert.equal(present.json().native, true)
  assert.equal(present.stderr, '')
  app.copySelf({ binary: false })
  for (const file of ['direct.js', 'register.js']) {
    const { code, stderr } = await app.run([file], { env })
    assert.equal(code, 1)
    assert.match(stderr, /Error: pg-protocol-native did not find its binary/)
  }
})

test('PG_PROTOCOL_NATIVE with a value it does not know is an error that lists the values', async (t) => {
  const app = createApp(t, { 'app.js': "require('pg-protocol-native')" })
  app.linkSelf()
  const { code, stderr } = await app.run(['app.js'], { env: { PG_PROTOCOL_NATIVE: 'on' } })
  assert.equal(code, 1)
  assert.match(stderr, /PG_PROTOCOL_NATIVE must be "auto", "off" or "require", not "on"/)
})

test('an empty PG_PROTOCOL_NATIVE and "auto" are as if it was not set', async (t) => {
  const app = createApp(t, { 'direct.js': DIRECT })
  app.copySelf()
  for (const value of ['', 'auto']) {
    const { json, stderr } = await app.run(['direct.js'], { env: { PG_PROTOCOL_NATIVE: value } })
    assert.equal(json().native, true)
    assert.equal(stderr, '')
  }
})

const QUERY = `
  const { probe } = require(${PROBE})
  probe(require('pg')).then((result) => console.log(JSON.stringify(result)))`

test('the override serves pg, natively and in the fallback', async (t) => {
  const app = createApp(t, { 'app.js': QUERY })
  app.install(['pg'])
  app.copySelf({ to: 'node_modules/pg-protocol' })
  const native = await app.run(['app.js'], { env: server.env })
  assert.deepEqual(native.json(), PARSER)
  assert.equal(native.stderr, '')
  const off = await app.run(['app.js'], { env: { ...server.env, PG_PROTOCOL_NATIVE: 'off' } })
  assert.deepEqual(off.json(), STOCK)
  app.copySelf({ to: 'node_modules/pg-protocol', binary: false })
  const missing = await app.run(['app.js'], { env: server.env })
  assert.deepEqual(missing.json(), STOCK)
  assert.equal(warnings(missing.stderr), 1, missing.stderr)
})

test('register leaves pg untouched in the fallback', async (t) => {
  const app = createApp(t, {
    'app.js': `
      const before = require('module').prototype.load
      const registration = require('pg-protocol-native/register')
      const same = before === require('module').prototype.load
      const { attachListeners } = require('pg').Connection.prototype
      const { _attachListeners } = require('pg').Client.prototype
      const stock = String(require('pg-protocol/dist/parser').Parser).includes('mergeBuffer')
      registration.restore()
      const { active, reason, files } = registration
      console.log(JSON.stringify({ active, reason: typeof reason, files, same, wrapped: !String(attachListeners).includes('parse(') || !String(_attachListeners).includes('_handle'), stock, stats: registration.stats }))`,
    'query.js': QUERY,
  })
  app.install(['pg'])
  app.copySelf({ binary: false })
  const { json, stderr } = await app.run(['app.js'])
  assert.deepEqual(json(), {
    active: false,
    reason: 'string',
    files: [],
    same: true,
    wrapped: false,
    stock: true,
    stats: { rows: 0 },
  })
  assert.equal(warnings(stderr), 1, stderr)
  assert.match(stderr, /pg is left as it is/)
  const query = await app.run(['-r', 'pg-protocol-native/register', 'query.js'], { env: server.env })
  assert.deepEqual(query.json(), STOCK)
})
