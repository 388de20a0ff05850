'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const fc = require('fast-check')
const wire = require('../support/wire')
const { NativeParser } = require('../support/compare')
const { cutAt } = require('../support/chunks')
const { createParse } = require('../../lib/stream')

// Exactly once, whatever the callback does: a model of what a reader may rely on, and random sequences of actions on
// the parser compared with it. The model is a list of numbered messages and three flags.

const COUNT = 12

/** Message number `i`; a few kinds, so that rows, singletons and errors stand beside each other. @param {number} i */
const message = (i) => {
  switch (i % 5) {
    case 0:
    case 1:
      return wire.dataRow([String(i), 'é', null])
    case 2:
      return wire.commandComplete(String(i))
    case 3:
      return wire.errorResponse({ M: String(i) })
    default:
      return wire.copyData(String(i))
  }
}

/** @param {any} delivered */
const numberOf = (delivered) => {
  switch (delivered.name) {
    case 'dataRow':
      return Number(delivered.fields[0])
    case 'commandComplete':
      return Number(delivered.text)
    case 'error':
      return delivered.code === '08P01' ? 'unfinished' : Number(delivered.message)
    default:
      return Number(delivered.chunk.toString())
  }
}

const upTo = (/** @type {number} */ end) => Array.from({ length: end }, (_, i) => i)
const stream = Buffer.concat(upTo(COUNT).map(message))

const actions = /** @type {const} */ ([
  'nothing',
  'pause',
  'resume',
  'pause, resume',
  'resume, pause',
  'parse',
  'throw',
  'pause, throw',
  'resume, throw',
  'pause, resume, throw',
  'parse, throw',
  'pause, parse',
  'parse, pause, throw',
])
const action = fc.oneof({ weight: 3, arbitrary: fc.constant('nothing') }, fc.constantFrom(...actions))

/** Between two chunks: what the reader does from outside. */
const outside = fc.oneof(
  { weight: 3, arbitrary: fc.constant('nothing') },
  fc.constantFrom('pause', 'resume', 'empty chunk', 'pause, resume')
)

test('a parser that is fed by hand, with every combination of actions', () => {
  fc.assert(
    fc.property(
      fc.array(action, { minLength: 1, maxLength: 16 }),
      fc.array(outside, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat({ max: stream.length }), { maxLength: 8 }),
      fc.nat(3),
      (inside, between, offsets, unfinished) => {
        const parser = new NativeParser()
        const seen = /** @type {any[]} */ ([])
        const extra = /** @type {number[]} */ ([])
        const model = { paused: false, inside: false, last: false }
        const pause = () => {
          parser.pause()
          model.paused = true
        }
        const resume = () => {
          model.paused = false
          parser.resume()
        }
        const callback = (/** @type {any} */ delivered) => {
          assert.equal(model.inside, false, 'callbacks do not nest')
          assert.equal(model.paused, false, 'nothing is delivered while paused')
          model.inside = true
          seen.push(numberOf(delivered))
          try {
            for (const step of inside[(seen.length - 1) % inside.length].split(', ')) {
              if (step === 'pause') pause()
              if (step === 'resume') resume()
              // Only behind the last chunk: before, it would stand in the middle of a message.
              if (step === 'parse' && model.last && extra.length < 4) {
                extra.push(100 + extra.length * 5)
                parser.parse(message(/** @type {number} */ (extra.at(-1))), callback)
              }
              if (step === 'throw') throw new Error('mine')
              assert.equal(parser.paused, model.paused)
            }
          } finally {
            model.inside = false
          }
        }
        const guarded = (/** @type {() => void} */ step) => {
          try {
            step()
          } catch (error) {
            assert.match(String(error), /^Error: mine$/)
          }
          assert.equal(parser.paused, model.paused)
        }
        const chunks = cutAt(stream, offsets)
        chunks.forEach((chunk, i) => {
          for (const step of between[i % between.length].split(', ')) {
            if (step === 'pause') guarded(pause)
            if (step === 'resume') guarded(resume)
            if (step === 'empty chunk') guarded(() => parser.parse(Buffer.alloc(0), callback))
          }
          model.last = i === chunks.length - 1
          guarded(() => parser.parse(chunk, callback))
        })
        const cut = wire.dataRow(['x']).subarray(0, unfinished)
        let done = 0
        for (let i = 0; i < 4 * COUNT; i++) {
          guarded(resume)
          guarded(() => parser.parse(Buffer.alloc(0), callback))
        }
        model.last = false
        guarded(() => parser.parse(cut, callback))
        guarded(() => parser.end(callback, () => done++))
        for (let i = 0; i < 4; i++) guarded(resume)
        assert.deepEqual(seen, [...upTo(COUNT), ...extra, ...(unfinished > 0 ? ['unfinished'] : [])])
        assert.equal(done, 1, 'the end is confirmed once')
        assert.equal(parser.bufferLength, 0)
        assert.equal(parser.buffer.length, 0)
      }
    ),
    { numRuns: 1500 }
  )
})

/** As a socket it gives chunk by chunk while it flows, whatever becomes of the ones before. */
class Source extends Readable {
  /** @param {Buffer[]} chunks @param {boolean} autoDestroy */
  constructor(chunks, autoDestroy) {
    super({ autoDestroy })
    this.chunks = chunks.filter(({ length }) => length > 0)
    setImmediate(() => this.give())
  }

  give() {
    if (this.destroyed) return
    if (this.isPaused()) return void setImmediate(() => this.give())
    const chunk = this.chunks.shift() ?? null
    if (chunk !== null) setImmediate(() => this.give())
    this.push(chunk)
  }

  /** @override */
  _read() {}
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('parse(stream, callback) with actions, now and later', async () => {
  const later = fc.constantFrom('pause, resume later', 'pause, resume later, throw', 'pause, resume soon')
  // What leaves the 'data' event is uncaught; that the rest follows all the same is what is tested.
  let thrown = 0
  const onUncaught = (/** @type {Error} */ error) => {
    assert.match(String(error), /^Error: mine$/)
    thrown++
  }
  // In place of the test runner, which takes such an exception for the end of the test.
  process.setUncaughtExceptionCaptureCallback(onUncaught)
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(action, later), { minLength: 1, maxLength: 16 }),
        fc.array(fc.nat({ max: stream.length }), { maxLength: 8 }),
        fc.boolean(),
        fc.nat(3),
        async (inside, offsets, autoDestroy, unfinished) => {
          const cut = wire.dataRow(['x']).subarray(0, unfinished)
          const source = new Source([...cutAt(stream, offsets), cut], autoDestroy)
          const seen = /** @type {any[]} */ ([])
          let parser = /** @type {any} */ (null)
          class Watched extends NativeParser {
            constructor() {
              super()
              parser = this
            }
          }
          let expected = 0
          const before = thrown
          let over = false
          const done = createParse(Watched)(source, (delivered) => {
            assert.equal(parser.paused, false)
            seen.push(numberOf(delivered))
            const todo = inside[(seen.length - 1) % inside.length].split(', ')
            // A reader that only ever pauses would never come to its end.
            if (todo.findLast((step) => /^(pause|resume)/.test(step)) === 'pause')
              setImmediate(() => parser.resume())
            for (const step of todo) {
              if (step === 'pause') parser.pause()
              if (step === 'resume') parser.resume()
              if (step === 'resume later') setImmediate(() => parser.resume())
              if (step === 'resume soon') process.nextTick(() => parser.resume())
              if (step === 'throw') {
                expected++
                throw new Error('mine')
              }
            }
          }).then(() => (over = true))
          for (let i = 0; i < 500 && !over; i++) await turn()
          assert.equal(over, true, `the stream ends; seen ${seen}, paused ${parser.paused}`)
          await done
          assert.deepEqual(seen, [...upTo(COUNT), ...(unfinished > 0 ? ['unfinished'] : [])])
          assert.equal(thrown - before, expected, 'each exception has reached the process once')
        }
      ),
      { numRuns: 300, includeErrorInReport: true }
    )
  } finally {
    process.setUncaughtExceptionCaptureCallback(null)
  }
})

test('a reader that takes itself off, or destroys the stream, at every message', async () => {
  for (const way of ['off', 'destroy', 'destroy, pause', 'pause, destroy', 'off, pause, resume']) {
    for (let at = 0; at < COUNT; at++) {
      const chunks = cutAt(stream, [Math.floor(stream.length / 3), Math.floor(stream.length / 2)])
      const source = new Source([...chunks], true)
      const fed = /** @type {Buffer[]} */ ([])
      source.on('data', (chunk) => fed.push(chunk))
      const seen = /** @type {any[]} */ ([])
      let parser = /** @type {any} */ (null)
      class Watched extends NativeParser {
        constructor() {
          super()
          parser = this
        }
      }
      let last = -1
      void createParse(Watched)(source, (delivered) => {
        seen.push(numberOf(delivered))
        if (seen.length - 1 !== at) return
        last = fed.length
        for (const step of way.split(', ')) {
          if (step === 'off') source.removeListener('data', source.listeners('data')[1])
          if (step === 'destroy') source.destroy()
          if (step === 'pause') parser.pause()
          if (step === 'resume') parser.resume()
        }
      })
      for (let i = 0; i < 10; i++) await turn()
      parser.resume()
      for (let i = 0; i < 3; i++) await turn()
      // The chunk that was being read is read to its end, as in pg-protocol, and so is what a stream gives out although
      // it was destroyed; but a reader that was taken off reads no other one.
      let whole = 0
      const read = way.startsWith('off') ? fed.slice(0, last) : fed
      const bytes = read.reduce((sum, { length }) => sum + length, 0)
      for (let size = 0; size + message(whole).length <= bytes && whole < COUNT; whole++)
        size += message(whole).length
      assert.deepEqual(seen, upTo(whole), `${way} at ${at}`)
    }
  }
})
