#!/usr/bin/env node
'use strict'

// What the ways to make a lazy row cost: `node benchmark/lazy-rows.js`, half a minute. NOTES.md has the figures and what
// was made of them. Each way runs in a process of its own; a figure is the lowest CPU time of several rounds, in ns.

const { spawnSync } = require('node:child_process')
const { formatTable, short } = require('./lib/table')

const COLUMNS = 40
const names = Array.from({ length: COLUMNS }, (_, i) => `column_${i}`)
const all = names.map((name) => JSON.stringify(name))

/** Kept from being optimised away. */
let last = /** @type {any} */ (null)

/** @param {number} count @param {() => void} work done `count` times; its CPU time in ns per time */
const measure = (count, work) => {
  let lowest = Infinity
  for (let round = 0; round < 12; round++) {
    const before = process.cpuUsage()
    for (let i = 0; i < count; i++) work()
    const { user, system } = process.cpuUsage(before)
    lowest = Math.min(lowest, ((user + system) * 1000) / count)
  }
  return lowest
}

// A row of the ways has 40 short numbers as text; what is decoded is one character of a string.

const text = '0123456789'.repeat(COLUMNS / 10)
const UNREAD = {}
const slots = new Map(names.map((name, i) => [name, i]))
const plainOf = new Function('text', `return {${all.map((n, i) => `${n}: text.charCodeAt(${i})`).join()}}`)

class Getters {
  /** @type {any} */
  values = null
}
for (const [i, name] of names.entries()) {
  Object.defineProperty(Getters.prototype, name, {
    get() {
      const values = (this.values ??= new Array(COLUMNS).fill(UNREAD))
      return values[i] === UNREAD ? (values[i] = text.charCodeAt(i)) : values[i]
    },
    enumerable: true,
    configurable: true,
  })
}
const accessors = Object.fromEntries(
  names.map((name) => [name, /** @type {any} */ (Object.getOwnPropertyDescriptor(Getters.prototype, name))])
)

class Hidden {
  /** @type {any} */
  values = null
  /** @type {any} */
  plain = null
}
/** @param {Hidden} row @param {any} key */
const readHidden = (row, key) => {
  const slot = slots.get(key)
  if (slot === undefined) return /** @type {any} */ (row)[key]
  const values = (row.values ??= new Array(COLUMNS).fill(UNREAD))
  return values[slot] === UNREAD ? (values[slot] = text.charCodeAt(slot)) : values[slot]
}
/** @type {ProxyHandler<any>} */
const cellByCell = {
  get: readHidden,
  has: (_, key) => slots.has(/** @type {any} */ (key)),
  ownKeys: () => names,
  getOwnPropertyDescriptor: (row, key) => ({
    value: readHidden(row, key),
    writable: true,
    enumerable: true,
    configurable: true,
  }),
}
const fillHidden = (/** @type {any} */ row) => {
  if ('column_0' in row) return
  for (const [i, name] of names.entries()) row[name] = text.charCodeAt(i)
}
/** @type {ProxyHandler<any>} */
const filled = {
  get: readHidden,
  ownKeys: (row) => (fillHidden(row), names),
  getOwnPropertyDescriptor: (row, key) => (fillHidden(row), Reflect.getOwnPropertyDescriptor(row, key)),
}

/** The rows of this package, of one batch of one row. */
const packaged = () => {
  const { Shape } = require('../lib/row-builder')
  const { shapeFor } = require('../lib/lazy-shape')
  const wire = require('../__test__/support/wire')
  const column = { kind: 0, how: /** @type {'text'} */ ('text'), convert: null, read: null }
  const shape = shapeFor(
    new Shape(
      names,
      names.map(() => column),
      false
    ),
    { _rowMode: 'lazy' }
  )
  const bytes = wire.dataRow([...text])
  const table = new Int32Array(2 + 2 + 2 * COLUMNS)
  table[2] = 5
  for (let i = 0; i < COLUMNS; i++) table.set([5 + 2 + 4 + 5 * i, -2], 4 + 2 * i)
  const batch = { table, doubles: new Float64Array(table.buffer), pools: ['', '', '', ''], bytes }
  return () => {
    void shape.plan
    return shape.build(batch, 2, [])
  }
}

/** @type {Record<string, () => () => any>} */
const WAYS = {
  'plain row, compiled literal': () => () => plainOf(text),
  'getters on a prototype (no own keys)': () => () => new Getters(),
  '40 accessors of its own': () => () => Object.defineProperties({ values: null }, accessors),
  'Proxy, each key asked': () => () => new Proxy(new Hidden(), cellByCell),
  'Proxy, target filled by the first enumeration': () => () => new Proxy(new Hidden(), filled),
  'lazy row of this package': packaged,
}

/** @param {string} way */
const measureWay = (way) => {
  const make = WAYS[way]()
  const many = way.startsWith('40') ? 300 : 30_000
  const some = way.startsWith('40') ? 300 : 3_000
  const create = measure(many, () => void (last = make()))
  const first = measure(many, () => {
    last = make()
    last = [last.column_5, last.column_21]
  })
  const row = make()
  const again = measure(300_000, () => void (last = row.column_21))
  const spread = measure(some, () => void (last = { ...make() }))
  const object = row.toObject ? measure(some, () => void (last = make().toObject())) : null
  const json = measure(some, () => void (last = JSON.stringify(make())))
  return [create, (first - create) / 2, again, spread, object, json]
}

const BYTES = 700
const chunk = /** @type {any} */ (Buffer.alloc(1 << 16, 'abcdefghijklmnopqrstuvwxyz'))

/** What keeps the bytes of one row of 700. @type {Record<string, () => number>} */
const COPIES = {
  'string of one byte per character, per row': () =>
    measure(30_000, () => void (last = chunk.latin1Slice(700, 700 + BYTES))),
  'the same, per run of 6 rows': () =>
    measure(5_000, () => void (last = chunk.latin1Slice(700, 700 + 6 * BYTES))) / 6,
  'the same, per chunk': () => measure(500, () => void (last = chunk.latin1Slice())) / (chunk.length / BYTES),
  'Buffer from the pool': () =>
    measure(30_000, () => void (last = Buffer.from(chunk.subarray(700, 700 + BYTES)))),
  'Buffer of its own': () =>
    measure(10_000, () => {
      last = Buffer.allocUnsafeSlow(BYTES)
      chunk.copy(last, 0, 700, 700 + BYTES)
    }),
  'Buffer per run of 6 rows': () =>
    measure(5_000, () => {
      last = Buffer.allocUnsafeSlow(6 * BYTES)
      chunk.copy(last, 0, 700, 700 + 6 * BYTES)
    }) / 6,
}

/** Whole queries of the wide stream: two of 40 columns read of each row. @type {string[]} */
const QUERIES = ['stock', 'lazy, cells decoded when read', 'lazy, cells decoded with the batch']

/** @param {string} way */
const measureQuery = async (way) => {
  const { buildStream } = require('./rows/streams')
  const { openClient } = require('./rows/receivers')
  const pg = require('pg')
  if (way !== 'stock') require('../lib/pg').accelerate(pg)
  if (way.includes('when read')) {
    const { Shape } = require('../lib/row-builder')
    const { shapeFor } = require('../lib/lazy-shape')
    const { constructor } = shapeFor(new Shape([], [], false), { _rowMode: 'lazy' })
    constructor.prototype.review = function () {
      this.isDue = false
    }
  }
  const { chunks, config, rows } = buildStream('lazy', 0.1)
  const receiver = await openClient(pg)
  const run = (/** @type {((row: any) => void) | null} */ listener) => {
    receiver.ask(config, listener)
    for (const bytes of chunks) receiver.receive(bytes)
    return receiver.result()
  }
  const keys = Object.keys(run(null).rows[0])
  const read = (/** @type {any} */ row) => void (last = [row[keys[5]], row[keys[21]]])
  const dropped = measure(3, () => void run(read)) / rows
  const kept = measure(3, () => run(null).rows.forEach(read)) / rows
  return [dropped, kept]
}

const GROUPS = /** @type {Record<string, { head: string[], ways: string[], run: (way: string) => any }>} */ ({
  rows: {
    head: [
      'a row of 40 columns, ns',
      'create',
      'first read',
      'read again',
      'create, spread',
      'create, toObject',
      'create, JSON',
    ],
    ways: Object.keys(WAYS),
    run: measureWay,
  },
  copies: {
    head: ['700 bytes for a row, ns', 'copy'],
    ways: Object.keys(COPIES),
    run: (way) => [COPIES[way]()],
  },
  queries: {
    head: ['whole query, 2 of 40 columns read, ns per row', 'dropped', 'kept'],
    ways: QUERIES,
    run: measureQuery,
  },
})

const [group, way] = process.argv.slice(2)
if (way !== undefined) {
  Promise.resolve(GROUPS[group].run(way)).then((figures) => console.log(JSON.stringify(figures)))
} else {
  console.log(`Node ${process.version}\n`)
  for (const [name, { head, ways }] of Object.entries(GROUPS)) {
    if (group !== undefined && group !== name) continue
    const rows = ways.map((each) => {
      const { stdout, stderr, status } = spawnSync(process.execPath, [__filename, name, each], {
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(stderr)
      const figures = /** @type {(number | null)[]} */ (JSON.parse(stdout))
      return [each, ...figures.map((figure) => (figure === null ? '-' : short(figure)))]
    })
    console.log(`${formatTable(head, rows)}\n`)
  }
}
