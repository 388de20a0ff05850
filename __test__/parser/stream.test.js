'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const { parse: stockParse } = require('pg-protocol')
const wire = require('../support/wire')
const { stockMessages, assertSameMessages } = require('../support/compare')
const { inPieces, everyWay } = require('../support/chunks')
const { createParser } = require('../../lib/parser')
const { createParse } = require('../../lib/stream')

// parse(stream, callback): the parser driven by a stream, which waits and ends with it.

/** A socket that notes what is done to it. */
class Socket extends EventEmitter {
  destroyed = false
  /** @type {string[]} */
  log = []
  pause() {
    this.log.push('pause')
    return this
  }
  resume() {
    this.log.push('resume')
    return this
  }
  /** @param {Error} [error] */
  destroy(error) {
    this.destroyed = true
    this.log.push(`destroy ${error?.message}`)
    return this
  }
}

/** A parser class of its own for each test, so that what one does to it stays there; and the parser that `parse` made. */
const setUp = () => {
  const made = /** @type {any[]} */ ([])
  class Parser extends createParser(stockMessages) {
    /** @param {any} [options] */
    constructor(options) {
      super(options)
      made.push(this)
    }
  }
  return { Parser, parse: createParse(Parser), parser: () => made[0], made }
}

const stream = Buffer.concat([
  wire.rowDescription(['a']),
  wire.dataRow(['é']),
  wire.dataRow(['漢']),
  wire.commandComplete('SELECT 2'),
  wire.readyForQuery(),
])

test('the messages of a stream, and the promise when it ends', async () => {
  for (const { how, chunks } of everyWay(stream)) {
    const lists = []
    for (const run of [setUp().parse, stockParse]) {
      const seen = /** @type {{message: any, length: number}[]} */ ([])
      const through = new PassThrough()
      const done = run(through, (message) => seen.push({ message, length: message.length }))
      for (const chunk of chunks) through.write(chunk)
      through.end()
      assert.equal(await done, undefined)
      lists.push(seen)
    }
    assertSameMessages(lists[0], lists[1], how)
  }
})

test('messages come inside the data event', () => {
  const socket = new Socket()
  const names = /** @type {string[]} */ ([])
  void setUp().parse(/** @type {any} */ (socket), (message) => names.push(message.name))
  for (const chunk of inPieces(stream, 9)) {
    const before = names.length
    socket.emit('data', chunk)
    assert.ok(names.length >= before)
  }
  assert.deepEqual(names, ['rowDescription', 'dataRow', 'dataRow', 'commandComplete', 'readyForQuery'])
})

test('one parser for each stream', () => {
  const { parse, made } = setUp()
  for (let i = 0; i < 3; i++) void parse(/** @type {any} */ (new Socket()), () => {})
  assert.equal(made.length, 3)
})

test('Parser.prototype.parse is called for each chunk, also when it was replaced', () => {
  const { Parser, parse } = setUp()
  const original = Parser.prototype.parse
  const calls = /** @type {number[]} */ ([])
  const descriptor = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Parser.prototype), 'parse')
  assert.equal(descriptor?.writable, true)
  assert.equal(typeof descriptor?.value, 'function')
  const socket = new Socket()
  const names = /** @type {string[]} */ ([])
  void parse(/** @type {any} */ (socket), (message) => names.push(message.name))
  // After parse() was called: what people patch later counts too.
  Parser.prototype.parse = function (chunk, callback) {
    calls.push(chunk.length)
    try {
      return original.call(this, chunk, callback)
    } catch (error) {
      names.push(String(error))
    }
  }
  socket.emit('data', wire.bindComplete())
  socket.emit('data', wire.authentication(13))
  socket.emit('data', wire.noData())
  assert.deepEqual(calls, [5, 9, 5])
  assert.deepEqual(names, ['bindComplete', 'Error: Unknown authenticationOk message type 13', 'noData'])
})

test('parse is looked up on the instance', () => {
  const { parse, parser } = setUp()
  const socket = new Socket()
  const names = /** @type {string[]} */ ([])
  void parse(/** @type {any} */ (socket), (message) => names.push(message.name))
  const original = parser().parse
  parser().parse = function (/** @type {Buffer} */ chunk, /** @type {any} */ callback) {
    names.push(`${chunk.length} bytes`)
    return original.call(this, chunk, callback)
  }
  socket.emit('data', wire.noData())
  assert.deepEqual(names, ['5 bytes', 'noData'])
})

test('a frame that is lost destroys the stream with the error that was delivered', () => {
  const socket = new Socket()
  const seen = /** @type {any[]} */ ([])
  const destroyedWith = /** @type {any[]} */ ([])
  socket.destroy = function (error) {
    this.destroyed = true
    destroyedWith.push(error)
    return this
  }
  void setUp().parse(/** @type {any} */ (socket), (message) => seen.push(message))
  socket.emit('data', Buffer.concat([wire.bindComplete(), wire.header('Z', 2), wire.readyForQuery()]))
  assert.deepEqual(
    seen.map(({ name }) => name),
    ['bindComplete', 'error']
  )
  assert.equal(seen[1].severity, 'FATAL')
  assert.equal(seen[1].code, '08P01')
  assert.deepEqual(destroyedWith, [seen[1]])
  assert.equal(destroyedWith[0], seen[1])
  socket.emit('data', wire.readyForQuery())
  assert.equal(seen.length, 2)
  assert.equal(destroyedWith.length, 1)
})

test('a real stream is destroyed and says why', async () => {
  const through = new PassThrough()
  const errors = /** @type {any[]} */ ([])
  through.on('error', (error) => errors.push(error))
  const names = /** @type {string[]} */ ([])
  void setUp().parse(through, (message) => names.push(message.name))
  through.write(wire.header('Z', 0))
  await turn()
  await turn()
  assert.deepEqual(names, ['error'])
  assert.equal(through.destroyed, true)
  assert.equal(errors.length, 1)
  assert.equal(errors[0].code, '08P01')
})

test('a malformed message does not destroy the stream', () => {
  const socket = new Socket()
  const names = /** @type {string[]} */ ([])
  void setUp().parse(/** @type {any} */ (socket), (message) => names.push(message.name))
  socket.emit('data', Buffer.concat([wire.message('C', 'no end'), wire.readyForQuery()]))
  assert.deepEqual(names, ['error', 'readyForQuery'])
  assert.deepEqual(socket.log, [])
})

test('pause() pauses the stream, resume() delivers and then resumes it', () => {
  const socket = new Socket()
  const { parse, parser } = setUp()
  const names = /** @type {string[]} */ ([])
  void parse(/** @type {any} */ (socket), (message) => {
    names.push(message.name)
    socket.log.push(message.name)
    if (names.length === 2) parser().pause()
  })
  socket.emit('data', stream)
  assert.deepEqual(socket.log, ['rowDescription', 'dataRow', 'pause'])
  parser().resume()
  assert.deepEqual(socket.log, [
    'rowDescription',
    'dataRow',
    'pause',
    'dataRow',
    'commandComplete',
    'readyForQuery',
    'resume',
  ])
})

test('pause() and resume() twice reach the stream once', () => {
  const socket = new Socket()
  const { parse, parser } = setUp()
  void parse(/** @type {any} */ (socket), () => {})
  parser().resume()
  parser().pause()
  parser().pause()
  assert.deepEqual(socket.log, ['pause'])
  parser().resume()
  parser().resume()
  assert.deepEqual(socket.log, ['pause', 'resume'])
})

test('pause() again while resume() delivers: the stream stays paused', () => {
  const socket = new Socket()
  const { parse, parser } = setUp()
  let count = 0
  void parse(/** @type {any} */ (socket), () => {
    count += 1
    parser().pause()
  })
  socket.emit('data', stream)
  for (let i = 1; i < 5; i++) {
    assert.equal(count, i)
    assert.equal(socket.log.includes('resume'), false)
    parser().resume()
  }
  assert.equal(count, 5)
  parser().resume()
  assert.equal(socket.log.at(-1), 'resume')
})

test('pause and resume of a real stream: memory stays bounded', async () => {
  const through = new PassThrough({ highWaterMark: 16 * 1024 })
  const { parse, parser } = setUp()
  let rows = 0
  let done = false
  const end = parse(through, () => {
    rows += 1
    if (rows % 1000 === 0) {
      parser().pause()
      setTimeout(() => parser().resume(), 1)
    }
  }).then(() => {
    done = true
  })
  const row = wire.dataRow(['x'.repeat(100)])
  const chunk = Buffer.concat(Array.from({ length: 100 }, () => row))
  let refused = 0
  for (let i = 0; i < 200; i++) {
    if (!through.write(chunk)) {
      refused += 1
      await new Promise((resolve) => through.once('drain', resolve))
    }
    assert.ok(parser().reader.buffer.byteLength <= row.length)
  }
  through.end()
  await end
  assert.equal(done, true)
  assert.equal(rows, 20_000)
  assert.ok(refused > 10, `the writer was told to wait ${refused} times`)
})

test('the end comes after the messages that a pause held back', async () => {
  const socket = new Socket()
  const { parse, parser } = setUp()
  const log = /** @type {string[]} */ ([])
  const done = parse(/** @type {any} */ (socket), (message) => {
    log.push(message.name)
    if (log.length === 1) parser().pause()
  }).then(() => log.push('end'))
  socket.emit('data', stream)
  socket.emit('end')
  await turn()
  assert.deepEqual(log, ['rowDescription'])
  parser().resume()
  await done
  assert.deepEqual(log, ['rowDescription', 'dataRow', 'dataRow', 'commandComplete', 'readyForQuery', 'end'])
})

test('a callback that throws: the exception leaves the event, the rest comes by itself', async () => {
  const socket = new Socket()
  const names = /** @type {string[]} */ ([])
  void setUp().parse(/** @type {any} */ (socket), (message) => {
    names.push(message.name)
    if (names.length === 2) throw new Error('mine')
  })
  assert.throws(() => socket.emit('data', stream), { message: 'mine' })
  assert.deepEqual(names, ['rowDescription', 'dataRow'])
  await turn()
  assert.deepEqual(names, ['rowDescription', 'dataRow', 'dataRow', 'commandComplete', 'readyForQuery'])
})

test('a callback that throws and a chunk that comes before the next tick', async () => {
  const socket = new Socket()
  const names = /** @type {string[]} */ ([])
  void setUp().parse(/** @type {any} */ (socket), (message) => {
    names.push(message.name)
    if (names.length === 1) throw new Error('mine')
  })
  assert.throws(() => socket.emit('data', stream), { message: 'mine' })
  socket.emit('data', wire.noData())
  await turn()
  assert.deepEqual(names, [
    'rowDescription',
    'dataRow',
    'dataRow',
    'commandComplete',
    'readyForQuery',
    'noData',
  ])
})

test('a callback that destroys the stream and throws gets nothing more', async () => {
  const socket = new Socket()
  let count = 0
  void setUp().parse(/** @type {any} */ (socket), () => {
    count += 1
    socket.destroy(new Error('over'))
    throw new Error('mine')
  })
  assert.throws(() => socket.emit('data', stream), { message: 'mine' })
  await turn()
  assert.equal(count, 1)
})

test('a callback may destroy the stream', async () => {
  const through = new PassThrough()
  let count = 0
  void setUp().parse(through, () => {
    count += 1
    if (count === 2) through.destroy()
  })
  through.write(stream)
  await turn()
  await turn()
  assert.ok(count >= 2)
  assert.equal(through.destroyed, true)
})

test('a stream that can do no more than emit is enough, as in pg-protocol', async () => {
  const emitter = new EventEmitter()
  const { parse, parser } = setUp()
  const names = /** @type {string[]} */ ([])
  const done = parse(/** @type {any} */ (emitter), (message) => {
    names.push(message.name)
    if (message.name === 'commandComplete') parser().pause()
  })
  emitter.emit('data', stream)
  parser().resume()
  emitter.emit('data', wire.header('Z', 0))
  emitter.emit('end')
  await done
  assert.deepEqual(names, [
    'rowDescription',
    'dataRow',
    'dataRow',
    'commandComplete',
    'readyForQuery',
    'error',
  ])
})

test('listeners may be taken off and put back, as pg-copy-streams does', () => {
  const socket = new Socket()
  const names = /** @type {string[]} */ ([])
  void setUp().parse(/** @type {any} */ (socket), (message) => names.push(message.name))
  const listeners = socket.listeners('data')
  assert.equal(listeners.length, 1)
  socket.removeAllListeners('data')
  socket.emit('data', wire.copyData('raw'))
  for (const listener of listeners) socket.on('data', /** @type {any} */ (listener))
  socket.emit('data', wire.readyForQuery())
  assert.deepEqual(names, ['readyForQuery'])
})

test('Parser.forStream gives a parser made inside it that stream', () => {
  const { Parser } = setUp()
  const socket = new Socket()
  const parser = /** @type {any} */ (Parser).forStream(socket, () => new Parser())
  const outside = new Parser()
  outside.parse(stream, () => outside.pause())
  assert.deepEqual(socket.log, [])
  const names = /** @type {string[]} */ ([])
  parser.parse(stream, (/** @type {any} */ message) => {
    names.push(message.name)
    if (names.length === 1) parser.pause()
  })
  assert.deepEqual(socket.log, ['pause'])
  parser.resume()
  assert.deepEqual(socket.log, ['pause', 'resume'])
  assert.equal(names.length, 5)
  parser.parse(wire.header('Z', 0), () => {})
  assert.equal(socket.destroyed, true)
})

test('Parser.forStream does not outlive its function', () => {
  const { Parser } = setUp()
  const socket = new Socket()
  assert.throws(
    () =>
      /** @type {any} */ (Parser).forStream(socket, () => {
        throw new Error('mine')
      }),
    { message: 'mine' }
  )
  const parser = new Parser()
  parser.pause()
  assert.deepEqual(socket.log, [])
  const inner = new Socket()
  const parsers = /** @type {any} */ (Parser).forStream(socket, () => [
    /** @type {any} */ (Parser).forStream(inner, () => new Parser()),
    new Parser(),
  ])
  for (const each of parsers) each.pause()
  assert.deepEqual([inner.log, socket.log], [['pause'], ['pause']])
})
