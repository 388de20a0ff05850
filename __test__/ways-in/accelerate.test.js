'use strict'

// `accelerate(pg)` of `pg-protocol-native/pg` in apps of each kind.

const assert = require('node:assert/strict')
const { after, before, test } = require('node:test')
const fs = require('node:fs')
const path = require('node:path')
const { createApp, root, warnings } = require('./support/app')
const { startFakeServer } = require('./support/fake-server')
const { NATIVE, PARSER, STOCK } = require('./support/probe')

const PROBE = path.join(__dirname, 'support', 'probe.js')

/** @type {Awaited<ReturnType<typeof startFakeServer>>} */
let server
before(async () => {
  server = await startFakeServer()
})
after(() => server.close())

// What becomes of a pg, told by the handle instead of by register.
const CHECK = `
  const check = async (pg, handle) => {
    const made = handle.stats.rows
    const result = await probe(pg)
    return { ...result, built: handle.stats.rows > made }
  }
  const state = ({ active, rows, reason }) => ({ active, rows, reason })
  const print = (value) => console.log(JSON.stringify(value))`

const CJS = `
  const { probe } = require(${JSON.stringify(PROBE)})
  const { accelerate } = require('pg-protocol-native/pg')
  ${CHECK}
  const pg = require('pg')`

const ESM = `
  import pg from 'pg'
  import support from ${JSON.stringify(`file://${PROBE}`)}
  import { accelerate } from 'pg-protocol-native/pg'
  const { probe } = support
  ${CHECK}`

const ACTIVE = { active: true, rows: true, reason: null }

/**
 * Runs an app of one file and gives what it printed.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} file
 * @param {string} text
 * @param {string[]} [options]  for node
 */
async function result(t, file, text, options = []) {
  const app = createApp(t, { [file]: text })
  app.install(['pg'])
  app.linkSelf()
  const run = await app.run([...options, file], { env: server.env })
  assert.equal(run.stderr, '')
  return run.json()
}

for (const [file, start] of [
  ['app.js', CJS],
  ['app.mjs', ESM],
]) {
  test(`accelerate and restore, ${file}`, async (t) => {
    const found = await result(
      t,
      file,
      `${start}
      const main = async () => {
        const before = await check(pg, { stats: { rows: 0 } })
        const handle = accelerate(pg)
        const during = [state(handle), await check(pg, handle)]
        handle.restore()
        handle.restore()
        return [before, during, state(handle), await check(pg, handle)]
      }
      main().then(print)`
    )
    assert.deepEqual(found, [STOCK, [ACTIVE, NATIVE], { ...ACTIVE, active: false, rows: false }, STOCK])
  })
}

test('import * as pg, and the module as import gives it', async (t) => {
  const found = await result(
    t,
    'app.mjs',
    `${ESM}
    import * as named from 'pg'
    import all from 'pg-protocol-native/pg'
    print([all.accelerate === accelerate, state(accelerate(named)), await check(named, accelerate(pg))])`
  )
  assert.deepEqual(found, [true, ACTIVE, NATIVE])
})

test('rows: false gives the parser only; who asks for rows besides gets them', async (t) => {
  const found = await result(
    t,
    'app.js',
    `${CJS}
    const main = async () => {
      const parser = accelerate(pg, { rows: false })
      const only = [state(parser), await check(pg, parser)]
      const rows = accelerate(pg, { rows: true })
      const both = [state(rows), await check(pg, rows)]
      rows.restore()
      const without = [await check(pg, rows), state(parser)]
      parser.restore()
      return [only, both, without, await check(pg, parser)]
    }
    main().then(print)`
  )
  const parser = { ...ACTIVE, rows: false }
  assert.deepEqual(found, [[parser, PARSER], [ACTIVE, NATIVE], [PARSER, parser], STOCK])
})

for (const [order, first, second] of [
  ['register before', 'register', 'accelerate'],
  ['register after', 'accelerate', 'register'],
]) {
  for (const last of ['accelerate', 'register']) {
    test(`on top of register (${order}): who stays keeps it, ${last} is restored last`, async (t) => {
      const found = await result(
        t,
        'app.js',
        `${CJS}
        const { attachListeners } = pg.Connection.prototype
        const { _attachListeners } = pg.Client.prototype
        const { Parser } = require('pg-protocol/dist/parser')
        const take = {
          register: () => require('pg-protocol-native/register'),
          accelerate: () => accelerate(pg),
        }
        const main = async () => {
          const handles = { ${first}: take.${first}() }
          const wrapped = pg.Connection.prototype.attachListeners
          handles.${second} = take.${second}()
          const once = wrapped === pg.Connection.prototype.attachListeners
          const both = await check(pg, handles.accelerate)
          handles.${last === 'register' ? 'accelerate' : 'register'}.restore()
          const one = await check(pg, handles.${last})
          handles.${last}.restore()
          const back = [pg.Connection.prototype.attachListeners === attachListeners,
            pg.Client.prototype._attachListeners === _attachListeners, require('pg-protocol/dist/parser').Parser === Parser]
          return { once, both, one, back, none: await check(pg, handles.accelerate) }
        }
        main().then(print)`
      )
      assert.deepEqual(found, {
        once: true,
        both: NATIVE,
        one: NATIVE,
        back: [true, true, true],
        none: STOCK,
      })
    })
  }
}

test('PG_PROTOCOL_NATIVE_ROWS is for register; accelerate has its option', async (t) => {
  const app = createApp(t, {
    'app.js': `${CJS}
      const registration = require('pg-protocol-native/register')
      const main = async () => {
        const before = (await probe(pg)).built
        const handle = accelerate(pg)
        return [before, await check(pg, handle), registration.stats.rows]
      }
      main().then(print)`,
  })
  app.install(['pg'])
  app.linkSelf()
  const { json } = await app.run(['app.js'], { env: { ...server.env, PG_PROTOCOL_NATIVE_ROWS: 'off' } })
  assert.deepEqual(json(), [false, NATIVE, 0])
})

test('two copies of this package: the second adds nothing, and either may go first', async (t) => {
  for (const first of [0, 1]) {
    const app = createApp(t, {
      'app.js': `${CJS}
        const other = require('./second/pg-protocol-native/lib/pg.js')
        if (other.accelerate === accelerate) throw new Error('only one copy')
        const main = async () => {
          const handles = [accelerate(pg), other.accelerate(pg)]
          const both = [await check(pg, handles[0]), await check(pg, handles[1])]
          handles[${first}].restore()
          const one = await check(pg, handles[${1 - first}])
          handles[${1 - first}].restore()
          return [both, one, await check(pg, handles[0])]
        }
        main().then(print)`,
    })
    app.install(['pg'])
    app.copySelf()
    app.copySelf({ to: 'second/pg-protocol-native' })
    const { json, stderr } = await app.run(['app.js'], { env: server.env })
    assert.deepEqual(json(), [[NATIVE, NATIVE], NATIVE, STOCK])
    assert.equal(stderr, '')
  }
})

test('each copy of pg for itself', async (t) => {
  const app = createApp(t, {
    'node_modules/orm/index.js': "module.exports = require('pg')",
    'app.js': `${CJS}
      const other = require('orm')
      const main = async () => {
        const handle = accelerate(pg)
        return [await check(pg, handle), await check(other, handle), await check(other, accelerate(other))]
      }
      main().then(print)`,
  })
  app.install(['pg'])
  app.install(['pg'], 'node_modules/orm/node_modules')
  app.linkSelf()
  const { json } = await app.run(['app.js'], { env: server.env })
  assert.deepEqual(json(), [NATIVE, STOCK, NATIVE])
})

test('without a binary pg is untouched, with one warning', async (t) => {
  const app = createApp(t, {
    'app.js': `${CJS}
      const { attachListeners } = pg.Connection.prototype
      const { _attachListeners } = pg.Client.prototype
      const handle = accelerate(pg)
      accelerate(pg, { rows: false })
      const same = [attachListeners === pg.Connection.prototype.attachListeners,
        _attachListeners === pg.Client.prototype._attachListeners]
      handle.restore()
      check(pg, handle).then((result) => print({ ...state(handle), same, result, stats: handle.stats }))`,
  })
  app.install(['pg'])
  app.copySelf({ binary: false })
  for (const [setting, expected] of /** @type {[string, number][]} */ ([
    ['auto', 1],
    ['off', 0],
  ])) {
    const env = { ...server.env, PG_PROTOCOL_NATIVE: setting }
    const { json, stderr } = await app.run(['app.js'], { env })
    const { reason, ...found } = json()
    assert.deepEqual(found, {
      active: false,
      rows: false,
      same: [true, true],
      result: STOCK,
      stats: { rows: 0 },
    })
    assert.match(reason, expected ? /did not find its binary/ : /PG_PROTOCOL_NATIVE=off/)
    assert.equal(warnings(stderr), expected, stderr)
    if (expected) assert.match(stderr, /PG_PROTOCOL_NATIVE_FALLBACK.*pg is left as it is/s)
  }
})

test('what is not pg, and options that it does not have, are refused by name', () => {
  const { accelerate } = require('pg-protocol-native/pg')
  const pg = require('pg')
  const { attachListeners } = pg.Connection.prototype
  for (const [value, expected] of /** @type {[any, RegExp][]} */ ([
    [undefined, /^accelerate\(\) takes what require\('pg'\) gives, not undefined$/],
    [null, /not null$/],
    ['pg', /not "pg"$/],
    [pg.Client, /not the function Client$/],
    [new pg.Pool(), /not an object with the keys /],
    [{}, /not an object with the keys \(none\)$/],
  ])) {
    assert.throws(() => accelerate(value), { name: 'TypeError', message: expected })
  }
  for (const [options, expected] of /** @type {[any, RegExp][]} */ ([
    [null, /^the options of accelerate\(\) are an object, not null$/],
    [true, /not true$/],
    ['rows', /not "rows"$/],
    [{ row: true }, /^accelerate\(\) has no option "row", only "rows" and "encoding"$/],
    [{ rows: 'off' }, /^the option "rows" of accelerate\(\) is true or false, not "off"$/],
    [{ rows: null }, /not null$/],
    [{ rows: 0 }, /not 0$/],
  ])) {
    assert.throws(() => accelerate(pg, options), { name: 'TypeError', message: expected })
  }
  assert.equal(pg.Connection.prototype.attachListeners, attachListeners)
})

/** @type {[string, string, (text: string) => string, any, RegExp][]} */
const UNKNOWN = [
  [
    'a pg-protocol of the next major version',
    'pg-protocol/package.json',
    (text) => text.replace(/"version": "1\./, '"version": "2.'),
    STOCK,
    /^version 2\.\S+ is not known$/,
  ],
  [
    'a Connection of another shape',
    'pg/lib/connection.js',
    (text) => text.replaceAll('attachListeners', 'attach'),
    PARSER,
    /^its Connection has another shape$/,
  ],
  [
    'a pg-types of another major version',
    'pg-types/package.json',
    (text) => text.replace(/"version": "2\./, '"version": "4.'),
    PARSER,
    /^pg-types 4\.\S+ is not known$/,
  ],
]

for (const [title, file, change, expected, why] of UNKNOWN) {
  test(`left as it is, with one warning: ${title}`, async (t) => {
    const app = createApp(t, {
      'app.js': `${CJS}
        const handle = accelerate(pg)
        accelerate(pg)
        require('pg-protocol-native/register')
        check(pg, handle).then((result) => {
          const during = state(handle)
          handle.restore()
          print({ result, during, after: state(handle).active })
        })`,
    })
    app.install(['pg'])
    app.linkSelf()
    const full = path.join(app.dir, 'node_modules', file)
    const text = fs.readFileSync(full, 'utf8')
    assert.notEqual(change(text), text, 'the change does not apply any more')
    fs.writeFileSync(full, change(text))
    const { json, stderr } = await app.run(['app.js'], { env: server.env })
    const { result, during, after } = json()
    assert.deepEqual(result, expected)
    assert.equal(during.active, expected === PARSER)
    assert.equal(during.rows, false)
    assert.match(during.reason, why)
    assert.equal(after, false)
    assert.equal(warnings(stderr), 1, stderr)
    assert.match(stderr, /PG_PROTOCOL_NATIVE_UNKNOWN/)
  })
}

test('a pg that is not one on files, or not its own client: left as it is', async (t) => {
  const app = createApp(t, {
    'app.js': `${CJS}
      class Connection {}
      class Client { _attachListeners() {} }
      print([accelerate({ Client, Connection }), accelerate({ Client, Connection: pg.Connection }),
        accelerate({ Client: class extends pg.Client {}, Connection: pg.Connection })].map(state))`,
  })
  app.install(['pg'])
  app.linkSelf()
  const { json, stderr } = await app.run(['app.js'])
  assert.deepEqual(json(), [
    { active: false, rows: false, reason: 'its Connection was not loaded from a file of its own' },
    {
      active: false,
      rows: false,
      reason: 'its Client is not that of lib/client.js, which pg-native replaces',
    },
    ACTIVE,
  ])
  assert.equal(warnings(stderr), 2, stderr)
})

test('what the package exports', () => {
  assert.deepEqual(Object.keys(require('pg-protocol-native/pg')), ['accelerate', 'copyColumns'])
  const declared = fs.readFileSync(path.join(root, 'lib', 'pg.d.ts'), 'utf8')
  assert.match(declared, /^export declare function accelerate\(/m)
  assert.match(declared, /^export declare function copyColumns\(/m)
})
