'use strict'

// Copies of pg and pg-protocol that register does not know: they stay as they are, and one warning says so.

const assert = require('node:assert/strict')
const { after, before, test } = require('node:test')
const fs = require('node:fs')
const path = require('node:path')
const { createApp, warnings } = require('./support/app')
const { startFakeServer } = require('./support/fake-server')
const { NATIVE, PARSER, STOCK } = require('./support/probe')

const PROBE = JSON.stringify(path.join(__dirname, 'support', 'probe.js'))
const QUERY = `
  const { probe } = require(${PROBE})
  probe(require('pg')).then((result) => console.log(JSON.stringify(result)))`

/** @type {Awaited<ReturnType<typeof startFakeServer>>} */
let server
before(async () => {
  server = await startFakeServer()
})
after(() => server.close())

/**
 * An app whose copy of a file in node_modules is changed.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} file
 * @param {(text: string) => string} change
 */
function changedApp(t, file, change) {
  const app = createApp(t, { 'app.js': QUERY })
  app.install(['pg'])
  app.linkSelf()
  const full = path.join(app.dir, 'node_modules', file)
  const before = fs.readFileSync(full, 'utf8')
  const text = change(before)
  assert.notEqual(text, before, 'the change does not apply any more')
  fs.writeFileSync(full, text)
  return app
}

/** @type {[string, string, (text: string) => string, RegExp][]} */
const CASES = [
  [
    'a pg-protocol of the next major version',
    'pg-protocol/package.json',
    (text) => text.replace(/"version": "1\./, '"version": "2.'),
    /version 2\.\S+ is not known/,
  ],
  [
    'a Parser that works in another way',
    'pg-protocol/dist/parser.js',
    (text) => text.replaceAll('handlePacket', 'handleFrame'),
    /its Parser has another shape/,
  ],
  [
    'a Parser that cannot be replaced',
    'pg-protocol/dist/parser.js',
    (text) =>
      `${text}\nconst own = Parser; Object.defineProperty(exports, 'Parser', { get: () => own })`
        .replace('exports.Parser = void 0;', '')
        .replace('exports.Parser = Parser;', ''),
    /its Parser cannot be replaced/,
  ],
  [
    'a parse method that somebody has patched, which would be lost',
    'pg-protocol/dist/parser.js',
    (text) =>
      `${text}\nconst stock = Parser.prototype.parse; Parser.prototype.parse = function (b, c) { stock.call(this, b, c) }`,
    /its Parser\.prototype\.parse has been patched/,
  ],
  [
    'a message class with other parameters',
    'pg-protocol/dist/messages.js',
    (text) =>
      text.replace(
        'constructor(length, processID, secretKey)',
        'constructor(length, processID, ...secretKey)'
      ),
    /its BackendKeyDataMessage has another shape/,
  ],
  [
    'a constant message that has another name',
    'pg-protocol/dist/messages.js',
    (text) => text.replace("name: 'noData'", "name: 'no-data'"),
    /its noData has another shape/,
  ],
]

for (const [title, file, change, expected] of CASES) {
  test(`left as it is, with one warning: ${title}`, async (t) => {
    const app = changedApp(t, file, change)
    for (const args of [['-r', 'pg-protocol-native/register', 'app.js'], ['late.js']]) {
      app.write('late.js', `require('pg')\nrequire('pg-protocol-native/register')\n${QUERY}`)
      const { json, stderr } = await app.run(args, { env: server.env })
      assert.deepEqual(json(), STOCK)
      assert.equal(warnings(stderr), 1, stderr)
      assert.match(stderr, /PG_PROTOCOL_NATIVE_UNKNOWN/)
      assert.match(stderr, expected)
    }
  })
}

/** @type {[string, string, (text: string) => string, RegExp][]} */
const PARSER_ONLY = [
  [
    'a Connection of another shape',
    'pg/lib/connection.js',
    (text) => text.replaceAll('attachListeners', 'attach'),
    /leaves \S+connection\.js as it is: its Connection has another shape/,
  ],
  [
    'a Client of another shape',
    'pg/lib/client.js',
    (text) => text.replaceAll('_attachListeners', '_attach'),
    /leaves the rows of \S+pg to pg: its Client has another shape/,
  ],
  [
    'a Result of another shape',
    'pg/lib/result.js',
    (text) => text.replaceAll('_parseRowAsArray', '_parseAsArray'),
    /leaves the rows of \S+pg to pg: its Result has another shape/,
  ],
  [
    'a Result whose way of making rows somebody has changed',
    'pg/lib/result.js',
    (text) =>
      `${text}\nconst { parseRow } = Result.prototype; Result.prototype.parseRow = function (f) { return parseRow.call(this, f) }`,
    /leaves the rows of \S+pg to pg: its Result makes rows in another way/,
  ],
  [
    'a pg-types of another major version',
    'pg-types/package.json',
    (text) => text.replace(/"version": "2\./, '"version": "4.'),
    /leaves the rows of \S+pg to pg: pg-types 4\.\S+ is not known/,
  ],
]

for (const [title, file, change, expected] of PARSER_ONLY) {
  test(`only its parser is native, with one warning: ${title}`, async (t) => {
    const app = changedApp(t, file, change)
    app.write('late.js', `require('pg')\nrequire('pg-protocol-native/register')\n${QUERY}`)
    for (const args of [['-r', 'pg-protocol-native/register', 'app.js'], ['late.js']]) {
      const { json, stderr } = await app.run(args, { env: server.env })
      assert.deepEqual(json(), PARSER)
      assert.equal(warnings(stderr), 1, stderr)
      assert.match(stderr, /PG_PROTOCOL_NATIVE_UNKNOWN/)
      assert.match(stderr, expected)
    }
    // Who does not ask for rows need not be told.
    const off = await app.run(['late.js'], { env: { ...server.env, PG_PROTOCOL_NATIVE_ROWS: 'off' } })
    assert.deepEqual(off.json(), PARSER)
    assert.equal(warnings(off.stderr), /Connection/.test(title) ? 1 : 0, off.stderr)
  })
}

test('files that only happen to have such a path are none of its business', async (t) => {
  const app = createApp(t, {
    'pg/lib/connection.js': 'module.exports = { mine: true }',
    'pg/lib/client.js': 'module.exports = class Client {}',
    'app.js': `
      require('pg-protocol-native/register')
      require('./pg/lib/client.js')
      console.log(JSON.stringify(require('./pg/lib/connection.js')))`,
  })
  app.linkSelf()
  const { json, stderr } = await app.run(['app.js'])
  assert.deepEqual(json(), { mine: true })
  assert.equal(stderr, '')
})

test('messages that an old pg-protocol lacks are filled in', async (t) => {
  // 1.4 and earlier had no ParameterDescriptionMessage.
  const app = changedApp(t, 'pg-protocol/dist/messages.js', (text) =>
    text.replace(/^exports\.ParameterDescriptionMessage = .*$/m, '')
  )
  app.write(
    'describe.js',
    `
      const { Parser } = require('pg-protocol/dist/parser')
      new Parser().parse(Buffer.from('740000000a000100000017', 'hex'), (message) => console.log(JSON.stringify(message)))`
  )
  const args = ['-r', 'pg-protocol-native/register']
  const { json, stderr } = await app.run([...args, 'describe.js'])
  assert.deepEqual(json(), { length: 10, parameterCount: 1, name: 'parameterDescription', dataTypeIDs: [23] })
  assert.equal(stderr, '')
  assert.deepEqual((await app.run([...args, 'app.js'], { env: server.env })).json(), NATIVE)
})
