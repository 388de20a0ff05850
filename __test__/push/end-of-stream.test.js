'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const net = require('node:net')
const wire = require('../support/wire')
const { NativeParser, stockMessages } = require('../support/compare')
const { everyWay } = require('../support/chunks')
const { createParse } = require('../../lib/stream')

// A stream that ends inside a message says so, once, after everything that was whole; pg-protocol says nothing.

const head = Buffer.concat([wire.parseComplete(), wire.dataRow(['1', 'é', null])])
const last = wire.dataRow(['a cell', 'and another one'])

/**
 * @param {Buffer[]} chunks
 * @returns {any[]} the messages, with `'done'` where the end was confirmed
 */
const drain = (chunks) => {
  const parser = new NativeParser()
  const seen = /** @type {any[]} */ ([])
  for (const chunk of chunks) parser.parse(chunk, (message) => seen.push(message))
  parser.end(
    (message) => seen.push(message),
    () => seen.push('done')
  )
  assert.equal(parser.bufferLength, 0, 'nothing is held any more')
  return seen
}

test('at every byte of a message: how many of how many bytes had come', () => {
  for (let cut = 1; cut < last.length; cut++) {
    const stream = Buffer.concat([head, last.subarray(0, cut)])
    for (const { how, chunks } of everyWay(stream, { cuts: [1, head.length, head.length + 1] })) {
      const seen = drain(chunks)
      assert.deepEqual(
        seen.map((message) => message.name ?? message),
        ['parseComplete', 'dataRow', 'error', 'done'],
        how
      )
      const error = seen[2]
      assert.ok(error instanceof stockMessages.DatabaseError)
      assert.equal(error.severity, 'FATAL')
      assert.equal(error.code, '08P01')
      const whole =
        cut < 5
          ? `${cut} of 5 bytes of the header that began at byte ${head.length} had come`
          : `${cut} of ${last.length} bytes of the DataRow message (type 0x44) that began at byte ${head.length} had come`
      assert.equal(error.message, `the stream ended inside a message: ${whole}`, how)
    }
  }
})

test('on a message boundary the end is no error', () => {
  for (const { chunks } of everyWay(Buffer.concat([head, last]), {
    cuts: [1, head.length, head.length + 3],
  })) {
    const seen = drain(chunks)
    assert.deepEqual(
      seen.map((message) => message.name ?? message),
      ['parseComplete', 'dataRow', 'dataRow', 'done']
    )
  }
  assert.deepEqual(drain([]), ['done'])
})

test('a huge message that was only announced', () => {
  const [error] = drain([wire.header('d', 0x3fffffff), Buffer.alloc(100)])
  assert.match(error.message, /: 105 of 1073741824 bytes of the CopyData message /)
})

test('a stream that was lost before has had its error', () => {
  const seen = drain([wire.header('Z', 0), Buffer.from('D\0')])
  assert.deepEqual(
    seen.map((message) => message.code ?? message),
    ['08P01', 'done']
  )
})

test('what comes after the end is ignored where the stream ended inside a message', () => {
  const parser = new NativeParser()
  const seen = /** @type {any[]} */ ([])
  const callback = (/** @type {any} */ message) => seen.push(message.name)
  parser.parse(last.subarray(0, 9), callback)
  parser.end(callback)
  parser.parse(wire.readyForQuery(), callback)
  parser.end(callback)
  assert.deepEqual(seen, ['error'])
})

test('while paused: first what is held, then the error, each at its resume()', () => {
  for (const { how, chunks } of everyWay(Buffer.concat([head, head, last.subarray(0, 20)]), {
    cuts: [7, 30],
  })) {
    const parser = new NativeParser()
    const seen = /** @type {string[]} */ ([])
    const callback = (/** @type {any} */ message) => {
      seen.push(message.name)
      parser.pause()
    }
    for (const chunk of chunks) parser.parse(chunk, callback)
    parser.end(callback, () => seen.push('done'))
    const expected = ['parseComplete', 'dataRow', 'parseComplete', 'dataRow', 'error', 'done']
    for (let i = 1; i < 5; i++) {
      assert.deepEqual(seen, expected.slice(0, i), how)
      parser.resume()
    }
    assert.deepEqual(seen, expected, how)
  }
})

test('a callback that throws on the error: the end is confirmed all the same', () => {
  const parser = new NativeParser()
  let done = 0
  parser.parse(last.subarray(0, 9), () => {})
  const callback = () => {
    throw new Error('mine')
  }
  assert.throws(() => parser.end(callback, () => done++), /mine/)
  assert.equal(done, 1)
})

test('parse(stream, callback): the error comes before the promise is fulfilled', async () => {
  const through = new PassThrough()
  const log = /** @type {string[]} */ ([])
  const done = createParse(NativeParser)(through, (message) => log.push(message.code ?? message.name)).then(
    () => log.push('end')
  )
  through.end(Buffer.concat([head, last.subarray(0, 9)]))
  await done
  assert.deepEqual(log, ['parseComplete', 'dataRow', '08P01', 'end'])
})

test('a real socket whose other end closes inside a message', async () => {
  const server = net.createServer((socket) => socket.end(Buffer.concat([head, last.subarray(0, 11)])))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  const socket = net.connect(port, '127.0.0.1')
  const seen = /** @type {any[]} */ ([])
  await createParse(NativeParser)(socket, (message) => seen.push(message))
  server.close()
  assert.deepEqual(
    seen.map(({ name }) => name),
    ['parseComplete', 'dataRow', 'error']
  )
  assert.match(seen[2].message, new RegExp(`: 11 of ${last.length} bytes of the DataRow message`))
})
