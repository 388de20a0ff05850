'use strict'

/**
 * What scripts/memcheck.js has watched by valgrind: the addon's every way of reading and giving memory, for SECONDS.
 *
 *   node --expose-gc scripts/memcheck-soak.js ADDON SECONDS
 *
 * ADDON is the addon to load in place of the one in lib/, built with the names of its functions. Chunks are pieces of
 * memory of their own size with nothing behind them, so that a byte too far is one that valgrind knows of.
 */

const assert = require('node:assert/strict')
const path = require('node:path')
const { Worker, isMainThread, workerData } = require('node:worker_threads')
const { platformName } = require('../lib/platform')

const [file, seconds] = isMainThread ? process.argv.slice(2) : [workerData.file, '0']

/** Before anything else asks for it. */
const useAddon = () => {
  const place = path.join(__dirname, '..', 'lib', `pg-protocol-native.${platformName()}.node`)
  const module = /** @type {any} */ ({
    exports: {},
    id: place,
    filename: place,
    loaded: true,
    children: [],
    paths: [],
  })
  process.dlopen(module, file)
  require.cache[place] = module
}
useAddon()

const native = require('..')
const { slowCopy } = require('../benchmark/lib/chunk-writer')
const { createRandom, between } = require('../benchmark/lib/random')
const { readFixtures } = require('../__test__/support/fixtures')
const wire = require('../__test__/support/wire')

assert.equal(native.native, true)

const random = createRandom(1)

/** @param {Buffer} stream */
const pieces = (stream) => {
  const made = []
  // not more than some hundred
  const most = Math.max([1, 7, 64, 1000, 70_000][between(random, 0, 4)], stream.length >> 7)
  for (let at = 0; at < stream.length;) {
    const end = at + between(random, 1, most)
    made.push(slowCopy(stream.subarray(at, end)))
    at = end
  }
  return made
}

/** @type {any[]} */
let kept = []

/** Reads a message in one of the ways that there are, and keeps some for later. @param {any} message */
const read = (message) => {
  if (message.name !== 'dataRow') return
  const column = message.fieldCount - 1
  const way = between(random, 0, 5)
  try {
    if (way === 0) void message.fields
    if (way === 1 && column >= 0) message.text(column)
    if (way === 2 && column >= 0) message.cell(column)
    if (way === 3 && column >= 0) message.isNull(column)
    if (way === 4) message.detach()
  } catch (error) {
    assert.match(String(error), /malformed|cell/)
  }
  if (random() < 0.1) kept.push(message)
}

/** @param {Buffer} stream */
const parse = (stream) => {
  const parser = new native.Parser()
  for (const piece of pieces(stream)) parser.parse(piece, read)
}

const HOSTILE = [
  Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
  Buffer.alloc(100_000),
  Buffer.concat([wire.readyForQuery(), wire.header('D', 0x3fffffff), Buffer.alloc(50_000, 'x')]),
  Buffer.concat([wire.message('C', 'SELECT 1'), wire.message('T', '\0\x02a\0'), wire.message('Z')]),
  Buffer.concat([wire.message('D', wire.int16(2), wire.int32(5), 'abc'), wire.dataRow(['a'])]),
  wire.message('D', wire.int16(0xffff), wire.int32(-1)),
  wire.message('D', wire.int16(1), wire.int32(0x7fffffff)),
]

/** Straddlers that are copied, and such whose memory is given away. */
const LARGE = [1000, 60_000, 66_000, 1_200_000].map((length) =>
  Buffer.concat([wire.dataRow(['zoë', 'x'.repeat(length), null]), wire.readyForQuery()])
)

/** The tests' clients are not checked for types, unlike what is in this folder. */
const support = path.join(__dirname, '..', '__test__', 'support')

const { textValues, readBinaryCorpus } = require(path.join(support, 'values'))
const types = [
  ...textValues().map((/** @type {any} */ type) => ({ ...type, format: 0 })),
  ...readBinaryCorpus().map((/** @type {any} */ type) => ({ ...type, format: 1 })),
]

/** Rows by pg, natively: hard values of one type, many of which are errors. What is right is for the tests to say. */
const rows = async () => {
  const { connect, flavours } = require(path.join(support, 'query'))
  const { oid, format, values: all, wrong = [] } = types[between(random, 0, types.length - 1)]
  const values = all.filter(() => random() < 40 / all.length)
  const columns = [
    { name: 'id', dataTypeID: 23 },
    { name: 'v', dataTypeID: oid, format },
  ]
  const context = await connect(flavours().native, { cut: pieces })
  for (const rowMode of [undefined, 'array', 'lazy']) {
    // wrong ones by themselves: they end their query
    for (const some of [
      values,
      values.slice(0, 5),
      ...wrong.slice(0, 3).map((/** @type {Buffer} */ one) => [one]),
    ]) {
      const cells = some.map((/** @type {Buffer} */ value, /** @type {number} */ i) => [
        String(i),
        random() < 0.1 ? null : value,
      ])
      context.backend.replies.push({ columns, rows: cells })
      await context.client.query({ text: 'select', rowMode }).then(
        (/** @type {any} */ result) => kept.push(...result.rows.slice(0, 3)),
        (/** @type {unknown} */ error) => assert.ok(error instanceof Error)
      )
    }
  }
  await context.client.end()
}

/** A thread that is ended while it parses, with its states and buffers. */
const thread = async () => {
  const worker = new Worker(__filename, { workerData: { file } })
  await new Promise((resolve) => worker.once('message', resolve))
  await worker.terminate()
}

/** A cell that is wrong is an error when it is read. @param {any} row */
const readLater = (row) => {
  try {
    JSON.stringify(row)
  } catch (error) {
    assert.ok(error instanceof Error)
  }
}

const main = async () => {
  const fixtures = readFixtures().filter(({ stream }) => stream.length < 100_000)
  const end = Date.now() + Number(seconds) * 1000
  let rounds = 0
  await thread()
  do {
    parse(fixtures[rounds % fixtures.length].stream)
    parse(HOSTILE[rounds % HOSTILE.length])
    parse(LARGE[rounds % LARGE.length])
    await rows()
    // what was kept is still what it was
    for (const row of kept) readLater(row)
    kept = []
    globalThis.gc?.()
    rounds++
  } while (Date.now() < end)
  await thread()
  globalThis.gc?.()
  console.log(`${rounds} rounds, ${native.Parser.name} of ${path.basename(file)}`)
}

if (isMainThread) {
  main().catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
} else {
  const { parentPort } = require('node:worker_threads')
  parse(LARGE[2])
  parentPort?.postMessage('parsing')
  for (;;) parse(LARGE[1])
}
