'use strict'

// Tries out an installed copy of this package as the app in APP_DIR sees it: parses a result from CommonJS and from
// ESM, loads every entry, runs the doctor. A release is published only after this passed on each platform, from the
// very tarball that is published.
//
//   node scripts/smoke.js APP_DIR [native|fallback]        which parser must serve there; native if not given

const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const { createRequire } = require('node:module')
const path = require('node:path')

const [appDir = '.', expected = 'native'] = process.argv.slice(2)
const app = path.resolve(appDir)
const requireFromApp = createRequire(path.join(app, 'app.js'))

/** @type {Error[]} */
const warnings = []
process.on('warning', (warning) => warnings.push(warning))

checkEntries()
checkParser(requireFromApp('pg-protocol-native'))
checkEsm()
checkDoctor()
setImmediate(checkWarnings)

function checkEntries() {
  const files = ['index', 'messages', 'parser', 'serializer', 'buffer-reader', 'buffer-writer']
  for (const file of files) {
    const entry = requireFromApp(`pg-protocol-native/dist/${file}`)
    assert.ok(Object.keys(entry).length > 0, `dist/${file} exports something`)
    assert.strictEqual(entry, requireFromApp(`pg-protocol-native/dist/${file}.js`))
  }
  requireFromApp('pg-protocol-native/register')
}

/** @param {any} protocol */
function checkParser(protocol) {
  assert.strictEqual(protocol.native, expected === 'native')
  const result = Buffer.from(
    '540000001a0001610000000000000000000019ffffffffffff0000' + // a text column named "a"
      '440000000c000100000002c3a9' + // é
      '440000000a0001ffffffff' + // NULL
      '430000000d53454c454354203200' + // SELECT 2
      '5a0000000549',
    'hex'
  )
  const parser = new protocol.Parser()
  /** @type {any[]} */
  const messages = []
  // cut in the middle of a message
  for (const chunk of [result.subarray(0, 30), result.subarray(30)]) {
    parser.parse(chunk, (/** @type {any} */ message) => messages.push(message))
  }
  assert.deepStrictEqual(
    messages.map((message) => message.name),
    ['rowDescription', 'dataRow', 'dataRow', 'commandComplete', 'readyForQuery']
  )
  assert.deepStrictEqual([messages[1].fields, messages[2].fields], [['é'], [null]])
}

function checkEsm() {
  const source = `
    import protocol, { native, Parser, parse, serialize, DatabaseError } from 'pg-protocol-native'
    import messages, { DatabaseError as same } from 'pg-protocol-native/dist/messages.js'
    for (const name of [Parser, parse, DatabaseError]) if (typeof name !== 'function') throw new Error(typeof name)
    if (DatabaseError !== same || protocol.Parser !== Parser) throw new Error('two copies of a class')
    if (serialize.sync().length !== 5) throw new Error('serialize')
    console.log(native)`
  const { stdout, stderr, status } = node(['--input-type=module', '--eval', source])
  assert.strictEqual(status, 0, stderr)
  assert.strictEqual(stdout.trim(), String(expected === 'native'))
}

function checkDoctor() {
  const bin = path.join(path.dirname(requireFromApp.resolve('pg-protocol-native/package.json')), 'lib/cli.js')
  const { stdout, stderr, status } = node([bin, 'doctor'])
  assert.strictEqual(status, expected === 'native' ? 0 : 1, stdout + stderr)
  process.stdout.write(stdout)
}

function checkWarnings() {
  const own = warnings.filter(({ name }) => name === 'PgProtocolNativeWarning')
  assert.strictEqual(own.length, expected === 'native' ? 0 : 1)
  console.log(`ok: ${expected} on ${process.platform}-${process.arch}, Node.js ${process.version}`)
}

/** @param {string[]} args */
function node(args) {
  return spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' })
}
