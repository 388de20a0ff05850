'use strict'

// `pg-protocol-native/register` in apps of each kind.

const assert = require('node:assert/strict')
const { after, before, test } = require('node:test')
const path = require('node:path')
const { createApp, warnings } = require('./support/app')
const { startFakeServer } = require('./support/fake-server')
const { NATIVE, PARSER, STOCK } = require('./support/probe')

const PROBE = JSON.stringify(path.join(__dirname, 'support', 'probe.js'))

/** @type {Awaited<ReturnType<typeof startFakeServer>>} */
let server
before(async () => {
  server = await startFakeServer()
})
after(() => server.close())

/**
 * Runs one file of an app and gives what it printed.
 *
 * @param {ReturnType<typeof createApp>} app
 * @param {string[]} args
 */
async function result(app, args) {
  const run = await app.run(args, { env: server.env })
  assert.equal(warnings(run.stderr), 0, run.stderr)
  return run.json()
}

const CJS = `
  const { probe } = require(${PROBE})
  probe(require('pg')).then((result) => console.log(JSON.stringify(result)))`

const ESM = `
  import pg from 'pg'
  import probe from ${JSON.stringify(`file://${path.join(__dirname, 'support', 'probe.js')}`)}
  console.log(JSON.stringify(await probe.probe(pg)))`

test('stock pg is what the comparison is with', async (t) => {
  const app = createApp(t, { 'app.js': CJS })
  app.install(['pg'])
  assert.deepEqual(await result(app, ['app.js']), STOCK)
})

for (const option of ['-r', '--import']) {
  for (const [file, text] of [
    ['app.js', CJS],
    ['app.mjs', ESM],
  ]) {
    test(`node ${option} pg-protocol-native/register ${file}`, async (t) => {
      const app = createApp(t, { [file]: text })
      app.install(['pg'])
      app.linkSelf()
      assert.deepEqual(await result(app, [option, 'pg-protocol-native/register', file]), NATIVE)
    })
  }
}

test('required before pg', async (t) => {
  const app = createApp(t, { 'app.js': `require('pg-protocol-native/register')\n${CJS}` })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), NATIVE)
})

test('required after pg', async (t) => {
  const app = createApp(t, { 'app.js': `require('pg')\nrequire('pg-protocol-native/register')\n${CJS}` })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), NATIVE)
})

test('imported after pg', async (t) => {
  const app = createApp(t, { 'app.mjs': `import 'pg'\nimport 'pg-protocol-native/register'\n${ESM}` })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.mjs']), NATIVE)
})

test('required in the midst: pg-protocol is loaded, pg is not', async (t) => {
  const app = createApp(t, {
    'app.js': `require('pg-protocol/dist/parser')\nrequire('pg-protocol-native/register')\n${CJS}`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), NATIVE)
})

test('a folder tree as pnpm makes it', async (t) => {
  const app = createApp(t, { 'app.js': CJS })
  const store = 'node_modules/.pnpm'
  app.install(['pg'], `${store}/all/node_modules`)
  const all = path.join(app.dir, store, 'all', 'node_modules')
  // As with pnpm, the alias under which this package has pg-protocol is the very folder that pg uses.
  const self = app.copySelf({ to: `${store}/pg-protocol-native/node_modules/pg-protocol-native` })
  app.link(
    path.join(all, 'pg-protocol'),
    path.join(path.relative(app.dir, self), 'node_modules', 'pg-protocol-js')
  )
  app.link(path.join(all, 'pg'), 'node_modules/pg')
  app.link(self, 'node_modules/pg-protocol-native')
  assert.deepEqual(await result(app, ['-r', 'pg-protocol-native/register', 'app.js']), NATIVE)
})

test('two copies of pg in one process, each with its own classes', async (t) => {
  const app = createApp(t, {
    'node_modules/orm/index.js': "module.exports = require('pg')",
    'app.js': `
      const { probe } = require(${PROBE})
      const first = require('pg')
      require('pg-protocol-native/register')
      const second = require('orm')
      if (first.DatabaseError === second.DatabaseError) throw new Error('only one copy')
      Promise.all([probe(first), probe(second)]).then((result) => console.log(JSON.stringify(result)))`,
  })
  app.install(['pg'])
  app.install(['pg'], 'node_modules/orm/node_modules')
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), [NATIVE, NATIVE])
})

test("errors are of the app's own pg-protocol, not of the one this package has", async (t) => {
  const app = createApp(t, {
    'app.js': `
      require('pg-protocol-native/register')
      const pg = require('pg')
      const theirs = require('pg-protocol').DatabaseError
      const ours = require('pg-protocol-native').DatabaseError
      const client = new pg.Client()
      client.connect()
      client.query('error').catch((err) => {
        const prototype = Object.getPrototypeOf(err)
        console.log(JSON.stringify([prototype === theirs.prototype, prototype === pg.DatabaseError.prototype, theirs === ours]))
        return client.end()
      })`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), [true, true, false])
})

test('pg-cursor and pg-query-stream on top', async (t) => {
  const app = createApp(t, {
    'app.js': `
      require('pg-protocol-native/register')
      const pg = require('pg')
      const Cursor = require('pg-cursor')
      const QueryStream = require('pg-query-stream')
      async function main() {
        const client = new pg.Client()
        await client.connect()
        const cursor = client.query(new Cursor('rows 5'))
        const pieces = []
        for (let rows = await cursor.read(2); rows.length > 0; rows = await cursor.read(2)) {
          pieces.push(rows.map((row) => row.id))
        }
        await cursor.close()
        const streamed = []
        for await (const row of client.query(new QueryStream('rows 250'))) streamed.push(row.id)
        await client.end()
        console.log(JSON.stringify({ pieces, streamed: streamed.length, last: streamed.at(-1) }))
      }
      main()`,
  })
  app.install(['pg', 'pg-cursor', 'pg-query-stream'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), { pieces: [[1, 2], [3, 4], [5]], streamed: 250, last: 250 })
})

test("a stream that is beyond repair destroys the app's socket", async (t) => {
  const app = createApp(t, {
    'app.js': `
      require('pg-protocol-native/register')
      const pg = require('pg')
      async function main() {
        const client = new pg.Client()
        client.on('error', () => {})
        await client.connect()
        const { stream } = client.connection
        const closed = new Promise((resolve) => stream.once('close', () => resolve(stream.destroyed)))
        const error = await client.query('broken').catch((err) => err)
        console.log(JSON.stringify({ code: error.code, own: error instanceof pg.DatabaseError, destroyed: await closed }))
      }
      main()`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), { code: '08P01', own: true, destroyed: true })
})

test('it may be required many times, from several copies of the package', async (t) => {
  const app = createApp(t, {
    'app.js': `
      const { prototype } = require('module')
      const first = require('pg-protocol-native/register')
      const hook = prototype.load
      const pg = require('pg')
      const { Parser } = require('pg-protocol/dist/parser')
      const { attachListeners } = pg.Connection.prototype
      delete require.cache[require.resolve('pg-protocol-native/register')]
      const again = require('pg-protocol-native/register')
      const other = require('./second/pg-protocol-native/lib/register.js')
      const same = [again === first, other === first, prototype.load === hook,
        require('pg-protocol/dist/parser').Parser === Parser, pg.Connection.prototype.attachListeners === attachListeners]
      const { probe } = require(${PROBE})
      probe(pg).then((result) => console.log(JSON.stringify({ same, result, files: first.files.length })))`,
  })
  app.install(['pg'])
  app.copySelf()
  app.copySelf({ to: 'second/pg-protocol-native' })
  assert.deepEqual(await result(app, ['app.js']), { same: Array(5).fill(true), result: NATIVE, files: 3 })
})

test('restore() puts everything back, and loading register anew starts again', async (t) => {
  const app = createApp(t, {
    'app.js': `
      const { prototype } = require('module')
      const before = prototype.load
      const pg = require('pg')
      const attach = pg.Client.prototype._attachListeners
      const stock = [require('pg-protocol/dist/parser').Parser, pg.Connection.prototype.attachListeners]
      const now = () => [require('pg-protocol/dist/parser').Parser, pg.Connection.prototype.attachListeners]
      const same = () => now().map((value, i) => value === stock[i])
      const { probe } = require(${PROBE})
      async function main() {
        const registration = require('pg-protocol-native/register')
        const kind = async () => {
          const { native, built } = await probe(pg)
          return native && built
        }
        const patched = [...same(), registration.active, await kind()]
        registration.restore()
        registration.restore()
        const restored = [...same(), registration.active, (await probe(pg)).native || pg.Client.prototype._attachListeners !== attach, prototype.load === before]
        delete require.cache[require.resolve('pg-protocol-native/register')]
        const again = require('pg-protocol-native/register')
        const anew = [...same(), again.active, await kind()]
        console.log(JSON.stringify({ patched, restored, anew }))
      }
      main()`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), {
    patched: [false, false, true, true],
    restored: [true, true, false, false, true],
    anew: [false, false, true, true],
  })
})

test('restore() with another hook on top: pg that is loaded later stays stock', async (t) => {
  const app = createApp(t, {
    'app.js': `
      const { prototype } = require('module')
      const registration = require('pg-protocol-native/register')
      const ours = prototype.load
      const theirs = function (filename) { return ours.call(this, filename) }
      prototype.load = theirs
      registration.restore()
      if (prototype.load !== theirs) throw new Error('their hook is gone')
      ${CJS}`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), STOCK)
})

test('a transpiler that is loaded later and calls no earlier hook does not get in the way', async (t) => {
  const app = createApp(t, {
    'transpiler.js': `
      const fs = require('fs')
      require('module')._extensions['.js'] = (module, filename) => {
        module._compile(fs.readFileSync(filename, 'utf8'), filename)
      }`,
    'app.js': CJS,
  })
  app.install(['pg'])
  app.linkSelf()
  const args = ['-r', 'pg-protocol-native/register', '-r', './transpiler.js', 'app.js']
  assert.deepEqual(await result(app, args), NATIVE)
})

test('module hooks that leave CommonJS to Node do not get in the way', async (t) => {
  const app = createApp(t, {
    'hooks.mjs': 'export const load = (url, context, next) => next(url, context)',
    'start.mjs': "import { register } from 'node:module'\nregister('./hooks.mjs', import.meta.url)",
    'app.mjs': ESM,
  })
  app.install(['pg'])
  app.linkSelf()
  const args = [
    '--no-warnings',
    '--import',
    './start.mjs',
    '--import',
    'pg-protocol-native/register',
    'app.mjs',
  ]
  assert.deepEqual(await result(app, args), NATIVE)
})

test('a connection that is open at restore() goes on with its parser', async (t) => {
  const app = createApp(t, {
    'app.js': `
      const registration = require('pg-protocol-native/register')
      const pg = require('pg')
      async function main() {
        const client = new pg.Client()
        await client.connect()
        registration.restore()
        let native
        client.connection.on('dataRow', (message) => { native = Buffer.isBuffer(message.bytes) })
        const { rowCount } = await client.query('rows 4')
        await client.end()
        console.log(JSON.stringify({ native, rowCount }))
      }
      main()`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), { native: true, rowCount: 4 })
})

test('an app may wrap Parser.prototype.parse afterwards', async (t) => {
  const app = createApp(t, {
    'app.js': `
      require('pg-protocol-native/register')
      const { Parser } = require('pg-protocol/dist/parser')
      const original = Parser.prototype.parse
      let calls = 0
      Parser.prototype.parse = function (buffer, callback) {
        calls++
        try {
          return original.call(this, buffer, callback)
        } catch (err) {
          callback(err)
        }
      }
      const { probe } = require(${PROBE})
      probe(require('pg')).then((result) => console.log(JSON.stringify({ result, called: calls > 3 })))`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), { result: NATIVE, called: true })
})

test('F64: modules loaded afresh after the module cache was emptied are served, too', async (t) => {
  const app = createApp(t, {
    'app.js': `
      require('pg-protocol-native/register')
      const { probe } = require(${PROBE})
      const load = () => {
        for (const file of Object.keys(require.cache)) delete require.cache[file]
        require('pg-protocol-native/register')
        return require('pg')
      }
      async function main() {
        const results = []
        for (let i = 0; i < 3; i++) results.push(await probe(load()))
        const [first, second] = [load(), load()]
        if (first === second) throw new Error('the same module')
        results.push(...(await Promise.all([probe(first), probe(second)])))
        console.log(JSON.stringify(results))
      }
      main()`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), Array(5).fill(NATIVE))
})

test('F64: worker threads inherit -r', async (t) => {
  const app = createApp(t, {
    'app.js': `
      const { Worker, isMainThread, parentPort } = require('worker_threads')
      const { probe } = require(${PROBE})
      async function main() {
        if (!isMainThread) return parentPort.postMessage(await probe(require('pg')))
        const run = () => new Promise((resolve, reject) => {
          new Worker(__filename).on('message', resolve).on('error', reject)
        })
        const results = [...(await Promise.all([run(), run()])), await run(), await probe(require('pg'))]
        console.log(JSON.stringify(results))
      }
      main()`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['-r', 'pg-protocol-native/register', 'app.js']), Array(4).fill(NATIVE))
})

for (const option of ['--frozen-intrinsics', '--disallow-code-generation-from-strings']) {
  test(`works under ${option}`, async (t) => {
    const app = createApp(t, { 'app.js': CJS })
    app.install(['pg'])
    app.linkSelf()
    const args = ['--no-warnings', option, '-r', 'pg-protocol-native/register', 'app.js']
    assert.deepEqual(await result(app, args), NATIVE)
  })
}

test('an override that is in place already keeps its parser', async (t) => {
  const app = createApp(t, {
    'app.js': `
      const registration = require('pg-protocol-native/register')
      const { probe } = require(${PROBE})
      const { Parser } = require('pg-protocol')
      probe(require('pg')).then((result) => {
        const { files } = registration
        registration.restore()
        const same = Parser === require('pg-protocol').Parser && Parser === require('pg-protocol/dist/parser').Parser
        console.log(JSON.stringify({ result, files, same }))
      })`,
  })
  app.install(['pg'])
  app.linkSelf()
  app.copySelf({ to: 'node_modules/pg-protocol' })
  const lib = path.join(app.dir, 'node_modules', 'pg', 'lib')
  const found = await result(app, ['app.js'])
  assert.deepEqual(found, {
    result: NATIVE,
    files: [path.join(lib, 'connection.js'), path.join(lib, 'client.js')],
    same: true,
  })
})

test('PG_PROTOCOL_NATIVE_ROWS=off: the parser is native, pg builds the rows', async (t) => {
  const app = createApp(t, {
    'app.js': CJS,
    'late.js': `require('pg')\nrequire('pg-protocol-native/register')\n${CJS}`,
  })
  app.install(['pg'])
  app.linkSelf()
  for (const args of [['-r', 'pg-protocol-native/register', 'app.js'], ['late.js']]) {
    const { json, stderr } = await app.run(args, { env: { ...server.env, PG_PROTOCOL_NATIVE_ROWS: 'off' } })
    assert.deepEqual(json(), PARSER)
    assert.equal(stderr, '')
    const auto = await app.run(args, { env: { ...server.env, PG_PROTOCOL_NATIVE_ROWS: ' Auto ' } })
    assert.deepEqual(auto.json(), NATIVE)
  }
})

test('PG_PROTOCOL_NATIVE_ROWS with a value it does not know is an error that lists the values', async (t) => {
  const app = createApp(t, { 'app.js': CJS })
  app.linkSelf()
  const { code, stderr } = await app.run(['-r', 'pg-protocol-native/register', 'app.js'], {
    env: { PG_PROTOCOL_NATIVE_ROWS: 'no' },
  })
  assert.equal(code, 1)
  assert.match(stderr, /PG_PROTOCOL_NATIVE_ROWS must be "auto" or "off", not "no"/)
})

test('stats.rows counts the rows of all copies of pg, cursors and streams included', async (t) => {
  const app = createApp(t, {
    'node_modules/orm/index.js':
      "exports.pg = require('pg'); exports.Cursor = require('pg-cursor'); exports.QueryStream = require('pg-query-stream')",
    'app.js': `
      const registration = require('pg-protocol-native/register')
      const own = { pg: require('pg'), Cursor: require('pg-cursor'), QueryStream: require('pg-query-stream') }
      async function main() {
        const counts = [registration.stats.rows]
        for (const { pg, Cursor, QueryStream } of [own, require('orm')]) {
          const client = new pg.Client()
          await client.connect()
          await client.query('rows 7')
          counts.push(registration.stats.rows)
          await client.query({ text: 'rows 5', values: [], rowMode: 'array' })
          counts.push(registration.stats.rows)
          const cursor = client.query(new Cursor('rows 20'))
          await cursor.read(12)
          await cursor.close()
          counts.push(registration.stats.rows)
          for await (const row of client.query(new QueryStream('rows 250'))) ;
          counts.push(registration.stats.rows)
          const pool = new pg.Pool({ max: 1 })
          await pool.query('rows 1')
          await pool.query({ name: 'prepared', text: 'rows 2' })
          counts.push(registration.stats.rows)
          await client.end()
          await pool.end()
        }
        registration.restore()
        const client = new (require('pg').Client)()
        await client.connect()
        await client.query('rows 7')
        await client.end()
        counts.push(registration.stats.rows)
        console.log(JSON.stringify(counts))
      }
      main()`,
  })
  app.install(['pg', 'pg-cursor', 'pg-query-stream'])
  app.install(['pg', 'pg-cursor', 'pg-query-stream'], 'node_modules/orm/node_modules')
  app.linkSelf()
  const counts = [7, 12, 24, 274, 277]
  const expected = [0, ...counts, ...counts.map((count) => 277 + count), 554]
  assert.deepEqual(await result(app, ['app.js']), expected)
})

test('register does not load pg, nor anything else of the app', async (t) => {
  const app = createApp(t, {
    'app.js': `
      require('pg-protocol-native/register')
      console.log(JSON.stringify(Object.keys(require.cache).filter((file) => file.includes('pg-protocol-native-'))))`,
  })
  app.install(['pg'])
  app.linkSelf()
  assert.deepEqual(await result(app, ['app.js']), [path.join(app.dir, 'app.js')])
})
