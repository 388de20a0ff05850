'use strict'

// F64: test runners load a package again and again, into contexts of their own, and apps can have two copies of it.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const { test } = require('node:test')
const vm = require('node:vm')
const { createApp, root, runNode } = require('./support/app')

// A row of one cell 'hi', an error, ReadyForQuery.
const STREAM = Buffer.from(
  '440000000c0001000000026869' + '450000000d4d6e6f74206f6b0000' + '5a0000000549',
  'hex'
)
STREAM.writeInt32BE(STREAM.length - 6 - 13 - 1, 14)

/**
 * @param {any} protocol
 * @param {Uint8Array[]} chunks
 */
function read(protocol, chunks) {
  /** @type {any[]} */
  const messages = []
  const parser = new protocol.Parser()
  for (const chunk of chunks) parser.parse(chunk, (/** @type {any} */ message) => messages.push(message))
  return messages
}

/**
 * @param {any} protocol
 * @param {any[]} messages
 */
function check(protocol, messages) {
  assert.deepEqual(
    messages.map(({ name }) => name),
    ['dataRow', 'error', 'readyForQuery']
  )
  const [row, error] = messages
  assert.ok(row instanceof protocol.DataRowMessage)
  assert.deepEqual([...row.fields], ['hi'])
  assert.equal(row.text(0), 'hi')
  assert.ok(error instanceof protocol.DatabaseError)
  assert.equal(error.message, 'not ok')
}

const bytewise = Array.from(STREAM, (_, i) => STREAM.subarray(i, i + 1))

test('F64: loaded again after its cache entries were deleted, both generations work', () => {
  const load = () => {
    for (const file of Object.keys(require.cache)) {
      if (!file.endsWith('.node') && /[\\/](lib|dist|pg-protocol-js)[\\/]|[\\/]index\.js$/.test(file))
        delete require.cache[file]
    }
    return require('pg-protocol-native')
  }
  const generations = [load(), load(), load()]
  assert.notEqual(generations[0], generations[1])
  const parsers = generations.map((protocol) => ({
    protocol,
    parser: new protocol.Parser(),
    messages: /** @type {any[]} */ ([]),
  }))
  // Interleaved, so that state which they share by mistake would show.
  for (const chunk of bytewise) {
    for (const { parser, messages } of parsers)
      parser.parse(chunk, (/** @type {any} */ message) => messages.push(message))
  }
  for (const { protocol, messages } of parsers) check(protocol, messages)
})

test('F64: loaded again together with the binary', () => {
  for (const file of Object.keys(require.cache)) delete require.cache[file]
  const first = require('pg-protocol-native')
  for (const file of Object.keys(require.cache)) delete require.cache[file]
  const second = require('pg-protocol-native')
  assert.ok(first.native && second.native)
  for (const protocol of [first, second]) {
    check(protocol, read(protocol, [STREAM]))
    check(protocol, read(protocol, bytewise))
  }
})

test('F64: two copies of the package under different paths', (t) => {
  const app = createApp(t)
  const copies = ['first', 'second'].map((to) => require(app.copySelf({ to })))
  assert.notEqual(copies[0].Parser, copies[1].Parser)
  for (const protocol of copies) {
    assert.ok(protocol.native)
    check(protocol, read(protocol, [STREAM]))
    check(protocol, read(protocol, bytewise))
  }
})

/**
 * What Jest does, in a few lines: each file runs in a context of its own, with that context's Object, Error and
 * Uint8Array; built-in modules and addons are those of the main context.
 *
 * @param {Record<string, unknown>} globals
 * @returns {any} the package
 */
function loadInContext(globals) {
  const context = vm.createContext({ Buffer, process, console, ...globals })
  /** @type {Map<string, { exports: any }>} */
  const modules = new Map()
  /** @type {(filename: string) => any} */
  const load = (filename) => {
    const loaded = modules.get(filename)
    if (loaded) return loaded.exports
    const module = { exports: {} }
    modules.set(filename, module)
    if (filename.endsWith('.json')) module.exports = JSON.parse(fs.readFileSync(filename, 'utf8'))
    if (!filename.endsWith('.js')) return module.exports
    const real = createRequire(filename)
    /** @type {(request: string) => any} */
    const own = (request) => {
      const target = real.resolve(request)
      return path.isAbsolute(target) && !target.endsWith('.node') ? load(target) : real(request)
    }
    vm.compileFunction(
      fs.readFileSync(filename, 'utf8'),
      ['module', 'exports', 'require', '__filename', '__dirname'],
      { filename, parsingContext: context }
    )(module, module.exports, own, filename, path.dirname(filename))
    return module.exports
  }
  return load(path.join(root, 'index.js'))
}

for (const [title, globals] of /** @type {[string, Record<string, unknown>][]} */ ([
  ['with the Uint8Array of the main context, as Jest has it', { Uint8Array, ArrayBuffer, Int32Array }],
  ['with everything of its own', {}],
])) {
  test(`F64: in a vm context ${title}`, () => {
    const here = require('pg-protocol-native')
    const there = loadInContext(globals)
    assert.ok(there.native)
    assert.notEqual(there.Parser, here.Parser)
    for (const protocol of [there, here, loadInContext(globals)]) {
      check(protocol, read(protocol, [STREAM]))
      check(protocol, read(protocol, bytewise))
      check(protocol, read(protocol, [new Uint8Array(STREAM)]))
    }
  })
}

test('F64: workers that come and go', async () => {
  const { Worker } = require('node:worker_threads')
  const code = `
    const { Parser, native } = require(${JSON.stringify(root)})
    const names = []
    for (let i = 0; i < 100; i++) new Parser().parse(Buffer.from(${JSON.stringify([...STREAM])}), ({ name }) => names.push(name))
    require('worker_threads').parentPort.postMessage({ native, count: names.length })`
  for (let i = 0; i < 4; i++) {
    const results = await Promise.all(
      [1, 2].map(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker(code, { eval: true })
            let answer
            worker.on('message', (message) => (answer = message))
            worker.on('error', reject)
            worker.on('exit', () => resolve(answer))
          })
      )
    )
    assert.deepEqual(results, Array(2).fill({ native: true, count: 300 }))
  }
})

test('F61: large messages are freed when nobody holds them', async () => {
  // Their Buffers may lie over memory of the addon, which then has to be told when they are gone.
  const code = `
    const { Parser } = require(${JSON.stringify(root)})
    const size = 8 << 20
    const chunk = Buffer.alloc(5 + size, 'a')
    chunk.write('d')
    chunk.writeInt32BE(4 + size, 1)
    const parser = new Parser()
    let bytes = 0
    let last
    const round = () => {
      for (const part of [chunk.subarray(0, 100), chunk.subarray(100)]) {
        parser.parse(part, (message) => {
          bytes += message.chunk.length
          last = message.chunk
        })
      }
    }
    const settle = async () => {
      for (let i = 0; i < 3; i++) {
        gc()
        await new Promise((resolve) => setImmediate(resolve))
      }
      return process.memoryUsage()
    }
    async function main() {
      round()
      const before = await settle()
      for (let i = 0; i < 100; i++) {
        round()
        if (i % 10 === 0) await settle()
      }
      const after = await settle()
      const kept = last.every((byte) => byte === 97)
      console.log(JSON.stringify({ bytes, kept, rss: after.rss - before.rss, external: after.external - before.external }))
    }
    main()`
  const { json } = await runNode(['--expose-gc', '-e', code], { cwd: root })
  const { bytes, kept, rss, external } = json()
  assert.equal(bytes, 101 * (8 << 20))
  assert.ok(kept)
  // Of 800 MiB that went through; the allocator may keep a few messages' worth.
  assert.ok(rss < 200 << 20, `rss grew by ${rss >> 20} MiB`)
  assert.ok(external < 32 << 20, `external memory grew by ${external >> 20} MiB`)
})
