'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const path = require('node:path')
const { Worker } = require('node:worker_threads')
const { setTimeout: wait } = require('node:timers/promises')

// Many threads at once, each with its own parsers; and threads that are terminated while they parse.

const ROOT = path.join(__dirname, '..', '..')

/** What a worker does: `rounds` times a stream in pieces, every cell checked. */
const source = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { root, seed, rounds } = workerData
  const wire = require(root + '/__test__/support/wire')
  const { Parser } = require(root)
  const cells = (i) => [String(i * seed), 'é' + i, null, 'thread ' + seed + ' row ' + i + ' ' + 'x'.repeat(i % 90), '漢']
  const bytes = Buffer.concat(Array.from({ length: 2000 }, (_, i) => wire.dataRow(cells(i))))
  let checked = 0
  parentPort.postMessage('begins')
  for (let round = 0; round < rounds; round++) {
    const parser = new Parser()
    let i = 0
    for (let at = 0, size = 1000 + 37 * seed; at < bytes.length; at += size) {
      parser.parse(bytes.subarray(at, at + size), (row) => {
        const expected = cells(i)
        const found = i % 3 === 0 ? expected.map((_, k) => row.text(k)) : row.fields
        for (let k = 0; k < 5; k++) if (found[k] !== expected[k]) throw new Error('row ' + i + ': ' + found[k])
        i++
        checked++
      })
    }
  }
  parentPort.postMessage(checked)
`

/** @param {number} seed @param {number} rounds */
const start = (seed, rounds) => new Worker(source, { eval: true, workerData: { root: ROOT, seed, rounds } })

test('eight threads at once', async () => {
  const answers = await Promise.all(
    Array.from(
      { length: 8 },
      (_, i) =>
        new Promise((resolve, reject) => {
          const worker = start(i + 1, 3)
          worker.on('message', (answer) => answer !== 'begins' && resolve(answer))
          worker.on('error', reject)
        })
    )
  )
  assert.deepEqual(answers, Array(8).fill(6000))
})

test('threads that are terminated while they parse; the others, and those that follow, do not notice', async () => {
  const steady = start(99, 20)
  const answer = new Promise((resolve, reject) => {
    steady.on('message', (message) => message !== 'begins' && resolve(message))
    steady.on('error', reject)
  })
  for (let i = 0; i < 12; i++) {
    const worker = start(i + 1, 1e9)
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    await wait(i % 5)
    assert.equal(await worker.terminate(), 1)
  }
  assert.equal(await answer, 40_000)
  const after = await new Promise((resolve, reject) => {
    const worker = start(1, 1)
    worker.on('message', (message) => message !== 'begins' && resolve(message))
    worker.on('error', reject)
  })
  assert.equal(after, 2000)
})

test('a thread that is terminated while messages are held, half of one has come, and a batch is decoded', async () => {
  for (let i = 0; i < 4; i++) {
    const worker = new Worker(
      `
      const { parentPort, workerData } = require('node:worker_threads')
      const wire = require(workerData + '/__test__/support/wire')
      const { Parser } = require(workerData)
      const kept = []
      for (let i = 0; i < 50; i++) {
        const parser = new Parser()
        const bytes = Buffer.concat([wire.dataRow(['a', 'é']), wire.dataRow(['b', 'x'.repeat(100)]), wire.header('D', 1e8), Buffer.alloc(1e5)])
        parser.parse(bytes, (row) => {
          kept.push(row.fields, row)
          parser.pause()
        })
        kept.push(parser)
      }
      parentPort.postMessage(kept.length)
      setInterval(() => kept[1].text(0), 1)
      `,
      { eval: true, workerData: ROOT }
    )
    assert.equal(
      await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject)),
      150
    )
    await worker.terminate()
  }
})
