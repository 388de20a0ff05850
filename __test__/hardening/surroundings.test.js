'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { inChild } = require('../support/child')

// Where the package may find itself: other flags of Node.js, another realm, another folder, a process that loads it again
// and again, a collector that runs at the worst of times.

/**
 * Parses, and runs a query of pg, accelerated; gives what both came to.
 *
 * @param {NodeJS.Require} require
 */
const work = async (require) => {
  const wire = require('../support/wire')
  const { Parser } = require('../../index.js')
  const parser = new Parser()
  /** @type {any[]} */
  const fields = []
  const bytes = Buffer.concat(Array.from({ length: 300 }, (_, i) => wire.dataRow([String(i), 'é', null])))
  parser.parse(bytes, (/** @type {any} */ row) => fields.push(row.fields))
  const { flavours, connect } = require('../support/query')
  const { columnsOf, rowsOf } = require('../support/shapes')
  const names = ['id', 'text', 'flag', 'at', 'amount', 'big', 'json', 'list', 'bytes']
  const outcomes = []
  for (const flavour of [flavours().stock, flavours().native]) {
    const { client, backend } = await connect(flavour)
    // Enough for a builder to be compiled, if code may be.
    for (let i = 0; i < 3; i++)
      backend.replies.push({ columns: columnsOf(names), rows: rowsOf(names.length, 200) })
    const results = []
    for (let i = 0; i < 3; i++) results.push((await client.query('select')).rows)
    outcomes.push(JSON.stringify(results))
    await client.end()
  }
  return {
    native: require('../../index.js').native,
    fields: [fields.length, fields[299]],
    rows: JSON.parse(outcomes[0])[2].length,
    same: outcomes[0] === outcomes[1],
    made: flavours().native.made(),
  }
}

const EXPECTED = { native: true, fields: [300, ['299', 'é', null]], rows: 200, same: true, made: 600 }

for (const flags of [
  ['--frozen-intrinsics', '--no-warnings'],
  ['--disallow-code-generation-from-strings'],
  ['--expose-gc', '--gc-interval=100'],
  ['--stack-size=400'],
  ['--always-sparkplug'],
  ['--single-threaded'],
  ['--disable-proto=delete'],
  ['--disable-proto=throw'],
]) {
  test(`under ${flags.join(' ')}`, () => {
    const { result, stderr } = inChild(__filename, work, { flags })
    assert.deepEqual(result, EXPECTED, stderr)
  })
}

test('in a vm context: chunks, callbacks and accelerated queries of another realm', () => {
  const { result, stderr } = inChild(__filename, (require) => {
    const vm = require('node:vm')
    const { Parser } = require('../../index.js')
    const wire = require('../support/wire')
    const context = vm.createContext({ Parser, bytes: [...wire.dataRow(['abc', 'é', null])], console })
    const own = vm.runInContext(
      `
      const seen = []
      const parser = new Parser()
      // A Uint8Array of this realm, which is no instance of the other one's class.
      const chunk = Uint8Array.from(bytes)
      parser.parse(chunk.subarray(0, 5), () => {})
      parser.parse(chunk.subarray(5), (row) => seen.push(row.fields, row.text(1)))
      let refused
      try { parser.parse([1], () => {}) } catch (error) { refused = error.message }
      JSON.stringify({ seen, refused, other: chunk instanceof Uint8Array })
      `,
      context
    )
    // The whole package, loaded into a context by a loader of its own, as test runners do.
    const Module = require('node:module')
    const fs = require('node:fs')
    const path = require('node:path')
    const cache = new Map()
    const realm = vm.createContext({
      Buffer,
      process,
      console,
      Uint8Array,
      ArrayBuffer,
      SharedArrayBuffer,
      Int32Array,
      Float64Array,
    })
    const load = (/** @type {string} */ file) => {
      const found = cache.get(file)
      if (found) return found.exports
      const module = { exports: /** @type {any} */ ({}) }
      cache.set(file, module)
      const requireHere = Module.createRequire(file)
      const requireIn = (/** @type {string} */ name) => {
        const target = requireHere.resolve(name)
        return path.isAbsolute(target) && target.endsWith('.js') ? load(target) : requireHere(name)
      }
      const code = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, 'utf8')}\n})`
      vm.runInContext(code, realm, { filename: file })(
        module.exports,
        requireIn,
        module,
        file,
        path.dirname(file)
      )
      return module.exports
    }
    const inside = load(require.resolve('../../index.js'))
    const rows = /** @type {any[]} */ ([])
    new inside.Parser().parse(wire.dataRow(['abc', 'é', null]), (/** @type {any} */ row) =>
      rows.push(...row.fields)
    )
    return { own: JSON.parse(own), native: inside.native, isAnother: inside.Parser !== Parser, rows }
  })
  assert.deepEqual(
    result,
    {
      own: {
        seen: [['abc', 'é', null], 'é'],
        refused: 'parse() takes a Buffer or a Uint8Array, not an object of class Array',
        other: true,
      },
      native: true,
      isAnother: true,
      rows: ['abc', 'é', null],
    },
    stderr
  )
})

test('after process.chdir, also to a folder that is gone', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pg-protocol-native-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const folder = String(process.env.TEST_FOLDER)
      process.chdir(folder)
      // A Windows folder stays while somebody is in it.
      if (process.platform !== 'win32') require('node:fs').rmdirSync(folder)
      const { Parser } = require('../../index.js')
      const wire = require('../support/wire')
      const seen = /** @type {any[]} */ ([])
      new Parser().parse(wire.dataRow(['abc']), (/** @type {any} */ row) => seen.push(row.fields))
      require('../../lib/pg').accelerate(require('pg'))
      return seen
    },
    { env: { ...process.env, TEST_FOLDER: folder } }
  )
  assert.deepEqual(result, [['abc']], stderr)
})

test('F64: loaded twenty times in one process, binary included: rows of every generation are read by any other', () => {
  const { result, stderr } = inChild(__filename, (require) => {
    const wire = require('../support/wire')
    const bytes = Buffer.concat(
      Array.from({ length: 50 }, (_, i) => wire.dataRow([String(i), 'é', 'x'.repeat(i)]))
    )
    const rows = /** @type {any[]} */ ([])
    const parsers = /** @type {any[]} */ ([])
    for (let i = 0; i < 20; i++) {
      for (const file of Object.keys(require.cache)) {
        if (!/node_modules|support/.test(file)) delete require.cache[file]
      }
      const { Parser } = require('../../index.js')
      const parser = new Parser()
      parsers.push(parser)
      parser.parse(bytes, (/** @type {any} */ row) => rows.push(row))
      parser.parse(bytes.subarray(0, 9), () => {})
    }
    // In turn, so that a batch of one generation stands between those of another.
    const texts = new Set()
    for (let i = 0; i < 50; i++) {
      for (let k = 0; k < 20; k++) texts.add(`${i}: ${rows[k * 50 + i].fields}`)
    }
    let ended = 0
    for (const parser of parsers) parser.parse(bytes.subarray(9, 22), () => ended++)
    return {
      texts: texts.size,
      last: [...texts].at(-1),
      ended,
      classes: new Set(parsers.map((p) => p.constructor)).size,
    }
  })
  assert.deepEqual(result, { texts: 50, last: `49: 49,é,${'x'.repeat(49)}`, ended: 20, classes: 20 }, stderr)
})

test('rows, chunks and errors are good after the parser, and all it held, is gone', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const kept = /** @type {any[]} */ ([])
      /** @type {WeakRef<any>[]} */
      const refs = []
      const parse = () => {
        for (let i = 0; i < 50; i++) {
          const parser = new NativeParser()
          refs.push(new WeakRef(parser))
          const bytes = Buffer.concat([
            wire.dataRow([`row ${i}`, 'é', null]),
            wire.dataRow([`second ${i}`, '漢', 'x'.repeat(100_000)]),
            wire.copyData(`copy ${i}`),
            wire.errorResponse({ M: `error ${i}` }),
            wire.header('D', 1000),
          ])
          // An error that nobody has asked for its stack keeps what called it alive, in V8's hands.
          const keep = (/** @type {any} */ message) => {
            void message.stack
            kept.push(message)
          }
          // In two, so that the long row is a straddler with memory of Rust's.
          parser.parse(bytes.subarray(0, 1000), keep)
          parser.parse(bytes.subarray(1000), keep)
        }
      }
      parse()
      for (let i = 0; i < 20; i++) {
        globalThis.gc?.()
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      let wrong = 0
      for (let i = 0; i < 50; i++) {
        const [row, second, copy, error] = kept.slice(i * 4)
        if (row.fields[0] !== `row ${i}` || second.text(0) !== `second ${i}`) wrong++
        if (second.cell(2).length !== 100_000 || second.detach().fields[1] !== '漢') wrong++
        if (copy.chunk.toString() !== `copy ${i}` || error.message !== `error ${i}`) wrong++
      }
      return { wrong, alive: refs.filter((ref) => ref.deref() !== undefined).length }
    },
    { flags: ['--expose-gc'] }
  )
  assert.deepEqual(result, { wrong: 0, alive: 0 }, stderr)
})

test('the collector runs with every allocation or two while rows are read, lazily too', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const cells = (/** @type {number} */ i) => [
        String(i),
        'é'.repeat(i % 30),
        null,
        '漢字',
        'x'.repeat(i % 200),
      ]
      const bytes = Buffer.concat(Array.from({ length: 400 }, (_, i) => wire.dataRow(cells(i))))
      const parser = new NativeParser()
      let i = 0
      let wrong = 0
      for (let at = 0; at < bytes.length; at += 700) {
        parser.parse(Buffer.from(bytes.subarray(at, at + 700)), (row) => {
          const expected = cells(i)
          if (i % 2 === 0 && row.text(i % 5) !== expected[i % 5]) wrong++
          if (i % 7 === 0) globalThis.gc?.()
          if (String(row.fields) !== String(expected)) wrong++
          i++
        })
      }
      const { flavours, connect } = require('../support/query')
      const { columnsOf, rowsOf } = require('../support/shapes')
      const names = ['id', 'text', 'flag', 'at', 'amount', 'big', 'json', 'list', 'bytes']
      const texts = []
      for (const rowMode of [undefined, 'lazy']) {
        const { client, backend } = await connect(flavours().native)
        backend.replies.push({ columns: columnsOf(names), rows: rowsOf(names.length, 150) })
        const { rows } = await client.query({ text: 'select', rowMode })
        globalThis.gc?.()
        texts.push(
          JSON.stringify(rows.map((/** @type {any} */ row) => names.map((_, k) => Object.values(row)[k])))
        )
        await client.end()
      }
      return { i, wrong, same: texts[0] === texts[1], length: texts[0].length > 1000 }
    },
    { flags: ['--expose-gc', '--gc-interval=37'] }
  )
  assert.deepEqual(result, { i: 400, wrong: 0, same: true, length: true }, stderr)
})
