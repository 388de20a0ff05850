'use strict'

// The package in place of pg-protocol: each path that upstream has, from CommonJS and ESM, with all its names.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { createApp, root, warnings } = require('./support/app')

const MODULES = ['index', 'messages', 'parser', 'serializer', 'buffer-reader', 'buffer-writer']

// What each exports is read from the pg-protocol that is installed, so that a new name there fails here.
const NAMES = Object.fromEntries(
  MODULES.map((name) => [name, Object.keys(require(`pg-protocol/dist/${name}.js`))])
)

test('upstream has no other module that is meant to be imported', () => {
  const dist = path.dirname(require.resolve('pg-protocol/dist/index.js'))
  const found = fs.readdirSync(dist).filter((file) => file.endsWith('.js') && !file.endsWith('.test.js'))
  // b.js is a benchmark that runs when it is loaded.
  assert.deepEqual(found.sort(), [...MODULES, 'b'].map((name) => `${name}.js`).sort())
})

for (const setting of ['auto', 'off']) {
  test(`require: each deep path has upstream's exports, with and without .js (PG_PROTOCOL_NATIVE=${setting})`, async (t) => {
    const app = createApp(t, {
      'app.js': `
        const kinds = (module) => Object.fromEntries(Object.keys(module).map((key) => [key, typeof module[key]]))
        const found = { root: kinds(require('pg-protocol')) }
        for (const name of ${JSON.stringify(MODULES)}) {
          const module = require('pg-protocol/dist/' + name + '.js')
          if (module !== require('pg-protocol/dist/' + name)) throw new Error(name + ': two modules')
          found[name] = kinds(module)
        }
        console.log(JSON.stringify(found))`,
    })
    app.linkSelf('pg-protocol')
    const found = (await app.run(['app.js'], { env: { PG_PROTOCOL_NATIVE: setting } })).json()
    for (const name of MODULES) {
      for (const [key, value] of Object.entries(require(`pg-protocol/dist/${name}.js`))) {
        assert.equal(found[name][key], typeof value, `${name}: ${key}`)
      }
    }
    for (const key of NAMES.index) assert.ok(key in found.root, key)
  })

  test(`import: each name can be imported, with and without .js (PG_PROTOCOL_NATIVE=${setting})`, async (t) => {
    const imports = []
    const checks = []
    for (const [m, name] of MODULES.entries()) {
      for (const [e, extension] of ['', '.js'].entries()) {
        const names = NAMES[name].map((key) => `${key} as ${key}_${m}_${e}`).join(', ')
        imports.push(`import module_${m}_${e}, { ${names} } from 'pg-protocol/dist/${name}${extension}'`)
        for (const key of NAMES[name]) {
          checks.push(
            `[${JSON.stringify(`${name}${extension}: ${key}`)}, ${key}_${m}_${e}, module_${m}_${e}.${key}]`
          )
        }
      }
    }
    // The names of upstream's ESM entry; SASL is undefined there, too.
    const app = createApp(t, {
      'app.mjs': `
        ${imports.join('\n')}
        import protocol, { DatabaseError, SASL, serialize, parse } from 'pg-protocol'
        const wrong = [${checks.join(',\n')}].filter(([, named, member]) => named === undefined || named !== member)
        const entry = [protocol.DatabaseError === DatabaseError, SASL === undefined, protocol.serialize === serialize,
          protocol.parse === parse, parse === parse_0_0, DatabaseError === DatabaseError_1_1]
        console.log(JSON.stringify({ checked: ${checks.length}, wrong: wrong.map(([name]) => name), entry }))`,
    })
    app.linkSelf('pg-protocol')
    const found = (await app.run(['app.mjs'], { env: { PG_PROTOCOL_NATIVE: setting } })).json()
    assert.equal(found.checked, 2 * Object.values(NAMES).flat().length)
    assert.deepEqual(found.wrong, [])
    assert.deepEqual(found.entry, Array(6).fill(true))
  })
}

test("upstream's ESM entry has no name that ours lacks", async () => {
  const [theirs, ours] = await Promise.all([import('pg-protocol'), import('pg-protocol-native')])
  assert.deepEqual(
    Object.keys(theirs).filter((name) => !(name in ours)),
    []
  )
})

test('require and import of the package give the same objects', async () => {
  const required = require('pg-protocol-native')
  const imported = await import('pg-protocol-native')
  assert.equal(imported.default, required)
  for (const name of Object.keys(required)) {
    assert.equal(/** @type {any} */ (imported)[name], required[name], name)
  }
})

test("serializer, reader, writer and DatabaseError are pg-protocol's own", () => {
  const stock = require('pg-protocol-js')
  const { serialize, DatabaseError, messages } = require('pg-protocol-native')
  assert.equal(serialize, stock.serialize)
  assert.equal(DatabaseError, stock.DatabaseError)
  assert.equal(messages.NoticeMessage, require('pg-protocol-js/dist/messages.js').NoticeMessage)
  for (const [file, name] of [
    ['serializer', 'serialize'],
    ['buffer-reader', 'BufferReader'],
    ['buffer-writer', 'Writer'],
  ]) {
    assert.equal(
      require(`pg-protocol-native/dist/${file}`)[name],
      require(`pg-protocol-js/dist/${file}.js`)[name]
    )
  }
})

test('DatabaseError can be made with a message, a length and a name', () => {
  const { DatabaseError } = require('pg-protocol-native/dist/messages')
  const error = new DatabaseError('no such thing', 42, 'error')
  assert.ok(error instanceof Error)
  assert.deepEqual([error.message, error.length, error.name], ['no such thing', 42, 'error'])
})

test('the rows of the native parser are rows to pg-protocol', () => {
  const { DataRowMessage, native } = require('pg-protocol-native')
  const stock = require('pg-protocol-js/dist/messages.js')
  assert.ok(native)
  assert.notEqual(DataRowMessage, stock.DataRowMessage)
  assert.ok(new DataRowMessage(4, ['a', null]) instanceof stock.DataRowMessage)
  assert.equal(DataRowMessage, require('pg-protocol-native/dist/messages.js').DataRowMessage)
})

test('the rows that the parser makes are of the class that is exported', () => {
  const { DataRowMessage, Parser } = require('pg-protocol-native')
  /** @type {any[]} */
  const rows = []
  new Parser().parse(Buffer.from('440000000c0001000000026869', 'hex'), (row) => rows.push(row))
  assert.equal(rows.length, 1)
  assert.equal(Object.getPrototypeOf(rows[0]), DataRowMessage.prototype)
  assert.deepEqual(rows[0].fields, ['hi'])
})

test('the dist folder has types beside each module, and nothing else', () => {
  const expected = MODULES.flatMap((name) => [`${name}.js`, `${name}.d.ts`]).sort()
  assert.deepEqual(fs.readdirSync(path.join(root, 'dist')).sort(), expected)
})

test('the serializer alone does not ask for the binary', async (t) => {
  const app = createApp(t, {
    'app.js': `
      for (const name of ['serializer', 'buffer-reader', 'buffer-writer']) require('pg-protocol-native/dist/' + name)
      console.log(JSON.stringify(Object.keys(require.cache).filter((file) => /binding|native\\.js$/.test(file))))`,
  })
  app.copySelf({ binary: false })
  const { json, stderr } = await app.run(['app.js'])
  assert.deepEqual(json(), [])
  assert.equal(warnings(stderr), 0)
})
