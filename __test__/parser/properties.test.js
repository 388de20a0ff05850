'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const wire = require('../support/wire')
const { NativeParser, StockParser, assertSameMessages, stockCollect } = require('../support/compare')
const { cutAt, messagesOf } = require('../support/chunks')

// What holds for every stream, sought at random. PG_PROTOCOL_NATIVE_TEST_CASES=100000 in place of 2000 tries 50 times as many.

const TIMES = Math.max(1, Math.round(Number(process.env.PG_PROTOCOL_NATIVE_TEST_CASES ?? 2000) / 2000))

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('é', 'ÿ', 'a', ' '), maxLength: 40 }),
  fc.constantFrom('', '\ufeff', '漢字', '😀')
)
/** Text without the NUL that ends a C string. */
const line = text.map((value) => value.replaceAll('\0', ''))
const cell = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.nat(9000).map((length) => 'long '.repeat(length / 5)) }
)
const uint32 = fc.nat(0xffffffff)
const letter = fc.constantFrom(...'SVCMDHPpqWstcdnFLRZxé')

const message = fc.oneof(
  { weight: 12, arbitrary: fc.array(cell, { maxLength: 8 }).map(wire.dataRow) },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.record({
          name: line,
          tableID: uint32,
          columnID: uint32,
          dataTypeID: uint32,
          dataTypeSize: uint32,
          format: uint32,
        }),
        { maxLength: 5 }
      )
      .map(wire.rowDescription),
  },
  fc.array(uint32, { maxLength: 6 }).map(wire.parameterDescription),
  line.map(wire.commandComplete),
  fc.tuple(line, line).map(([name, value]) => wire.parameterStatus(name, value)),
  fc
    .tuple(uint32, line, line)
    .map(([id, channel, payload]) => wire.notificationResponse(id, channel, payload)),
  fc.tuple(uint32, uint32).map(([id, key]) => wire.backendKeyData(id, key)),
  fc
    .array(fc.tuple(letter, line), { maxLength: 8 })
    .map((fields) => wire.errorResponse(Object.fromEntries(fields))),
  fc
    .array(fc.tuple(letter, line), { maxLength: 8 })
    .map((fields) => wire.noticeResponse(Object.fromEntries(fields))),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => wire.copyData(Buffer.from(bytes))),
  fc
    .tuple(fc.nat(255), fc.array(uint32, { maxLength: 4 }))
    .map(([format, columns]) => wire.copyInResponse(format, columns)),
  fc
    .tuple(fc.nat(255), fc.array(uint32, { maxLength: 4 }))
    .map(([format, columns]) => wire.copyOutResponse(format, columns)),
  fc
    .tuple(fc.constantFrom(...'123nsWIc'), fc.uint8Array({ maxLength: 3 }))
    .map(([type, bytes]) => wire.message(type, Buffer.from(bytes))),
  fc
    .tuple(fc.constantFrom(...'?!xyzBFQ'), fc.uint8Array({ maxLength: 9 }))
    .map(([type, bytes]) => wire.message(type, Buffer.from(bytes))),
  fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => wire.message('Z', Buffer.from(bytes))),
  fc.constantFrom(wire.authenticationOk(), wire.authenticationCleartextPassword()),
  fc.uint8Array({ maxLength: 6 }).map((bytes) => wire.authenticationMD5Password(Buffer.from(bytes))),
  fc
    .array(
      line.filter((name) => name !== ''),
      { maxLength: 3 }
    )
    .map(wire.authenticationSASL),
  line.map(wire.authenticationSASLContinue),
  line.map(wire.authenticationSASLFinal)
)

test('any valid stream, cut anywhere, read at once or late: the messages of pg-protocol', () => {
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 25 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 15 }),
      fc.array(fc.constantFrom('fields', 'text', 'cell', 'nothing', 'detach', 'earlier'), {
        minLength: 1,
        maxLength: 7,
      }),
      (parts, places, habits) => {
        const stream = Buffer.concat(parts)
        const expected = stockCollect(stream)
        const chunks = cutAt(
          stream,
          places.map((place) => Math.floor(place * stream.length))
        )
        const parser = new NativeParser()
        const seen = /** @type {{message: any, length: number}[]} */ ([])
        for (const chunk of chunks) {
          parser.parse(chunk, (delivered) => {
            const at = seen.push({ message: delivered, length: delivered.length }) - 1
            if (delivered.name !== 'dataRow') return
            const { fields } = expected[at].message
            const column = at % Math.max(1, fields.length)
            const habit = habits[at % habits.length]
            if (habit === 'fields') assert.deepEqual(delivered.fields, fields)
            if (habit === 'detach') assert.equal(delivered.detach(), delivered)
            if (habit === 'text' && fields.length > 0) assert.equal(delivered.text(column), fields[column])
            if (habit === 'cell' && fields.length > 0)
              assert.equal(delivered.cell(column)?.toString() ?? null, fields[column])
            const earlier = seen[Math.floor(at / 2)].message
            if (habit === 'earlier' && earlier.name === 'dataRow') void earlier.fields
          })
        }
        assertSameMessages(seen, expected, `cut at ${places}`)
        assert.equal(/** @type {any} */ (parser).reader.buffer.byteLength, 0)
      }
    ),
    { numRuns: 600 * TIMES }
  )
})

/** What a parser made of bytes, as text that can be compared. @param {any} parser @param {Buffer[]} chunks */
const outcomeOf = (parser, chunks) => {
  const outcome = /** @type {unknown[]} */ ([])
  const show = (/** @type {any} */ delivered) => {
    if (delivered instanceof Error) return { text: delivered.message, ...delivered }
    if (delivered.name !== 'dataRow') return { ...delivered }
    try {
      return { ...delivered, fields: [...delivered.fields] }
    } catch (error) {
      return { ...delivered, thrown: String(error) }
    }
  }
  for (const chunk of [...chunks, Buffer.alloc(0), Buffer.alloc(0)]) {
    try {
      parser.parse(chunk, (/** @type {any} */ delivered) => outcome.push(show(delivered)))
    } catch (error) {
      outcome.push({ thrown: String(error) })
    }
  }
  return outcome
}

const noise = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // Mostly zeros and small numbers: lengths and counts that are nearly right.
  fc
    .array(
      fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(12) }, fc.nat(255)),
      { maxLength: 200 }
    )
    .map((bytes) => Uint8Array.from(bytes))
)

test('any bytes at all: messages or an error, the same however they are cut', () => {
  fc.assert(
    fc.property(noise, fc.array(fc.nat(300), { maxLength: 8 }), (random, places) => {
      const bytes = Buffer.from(random)
      const whole = outcomeOf(new NativeParser(), cutAt(bytes, []))
      const cut = outcomeOf(
        new NativeParser(),
        cutAt(
          bytes,
          places.map((place) => Math.min(place, bytes.length))
        )
      )
      assert.deepEqual(cut, whole)
    }),
    { numRuns: 2000 * TIMES }
  )
})

const types = [...'RKSZTtDCENAGHdvV123nsWIc?'].map((type) => type.charCodeAt(0))
const frame = fc
  .tuple(fc.constantFrom(...types), noise)
  .map(([type, body]) => wire.message(type, Buffer.from(body)))

test('what is around a message is never read', () => {
  const around = fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }))
  fc.assert(
    fc.property(frame, around, (bytes, [before, after]) => {
      const alone = outcomeOf(new NativeParser(), [Buffer.from(bytes)])
      // In memory, as any chunk is: bytes before and after that are not of this chunk.
      const memory = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
      const view = memory.subarray(before.length, before.length + bytes.length)
      assert.deepEqual(outcomeOf(new NativeParser(), [view]), alone)
      // In the stream: the next message.
      const next = wire.copyData(Buffer.from(after))
      const followed = outcomeOf(new NativeParser(), [Buffer.concat([bytes, next])])
      assert.deepEqual(followed.slice(0, alone.length), alone)
      assert.deepEqual(followed.slice(alone.length), [
        { length: 4 + after.length, chunk: Buffer.from(after), name: 'copyData' },
      ])
    }),
    { numRuns: 3000 * TIMES }
  )
})

test('a frame with any body: as pg-protocol, or an error where pg-protocol reads past its end', () => {
  fc.assert(
    fc.property(frame, (bytes) => {
      const type = String.fromCharCode(bytes[0])
      if (type === 'v' || type === 'V') return
      const [ours] = /** @type {any[]} */ (outcomeOf(new NativeParser(), [bytes]))
      // Different bytes behind the frame show whether stock looks at them. Both end in zeros, or it might never end.
      const zeros = Buffer.concat([bytes, Buffer.alloc(64)])
      const others = Buffer.concat([bytes, Buffer.alloc(64, 0x41), Buffer.alloc(64)])
      const [one] = /** @type {any[]} */ (outcomeOf(new StockParser(), [zeros]))
      const [two] = /** @type {any[]} */ (outcomeOf(new StockParser(), [others]))
      const text = ours.text ?? ours.thrown ?? ''
      if (text.startsWith('malformed')) {
        assert.ok(
          isDifferent(one, two) || one.thrown !== undefined,
          `stock reads ${JSON.stringify(one)} without looking further`
        )
      } else if (type === 'D') {
        const expected = fieldsOf(bytes.subarray(5))
        if (expected === null) assert.match(ours.thrown, /malformed DataRow/)
        else assert.deepEqual(ours.fields, expected)
      } else if (type === 'K') {
        const { secretKeyBytes, ...rest } = ours
        assert.deepEqual(rest, one)
        const key = bytes.subarray(9)
        assert.deepEqual(secretKeyBytes, key.length === 4 ? undefined : key)
      } else {
        // Where an error of the server has no end, ours ends with the frame: as if a zero followed.
        assert.deepEqual(ours, one)
      }
    }),
    { numRuns: 5000 * TIMES }
  )
})

/** @param {unknown} a @param {unknown} b */
function isDifferent(a, b) {
  try {
    assert.deepEqual(a, b)
    return false
  } catch {
    return true
  }
}

/**
 * The rule for a row, as slow and plain as it can be written. `null` where a cell is not inside the row.
 * @param {Buffer} body
 */
function fieldsOf(body) {
  const fields = /** @type {(string | null)[]} */ ([])
  let at = 2
  for (let left = body.readUInt16BE(0); left > 0; left--) {
    if (at + 4 > body.length) return null
    const length = body.readInt32BE(at)
    at += 4
    if (length < -1 || at + length > body.length) return null
    fields.push(length === -1 ? null : body.toString('utf8', at, at + length))
    at += Math.max(0, length)
  }
  return fields
}

test('rows of any shape one after the other, read in any order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { maxLength: 6 }), { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(1000), { maxLength: 60 }),
      (rows, order) => {
        const kept = messagesOf(new NativeParser(), [Buffer.concat(rows.map(wire.dataRow))])
        const expected = rows.map((cells) =>
          cells.map((value) => (value === null ? null : Buffer.from(value).toString('utf8')))
        )
        for (const place of order) {
          const i = place % rows.length
          if (place % 3 === 0 && rows[i].length > 0)
            assert.equal(kept[i].text(place % rows[i].length), expected[i][place % rows[i].length])
          else assert.deepEqual(kept[i].fields, expected[i])
        }
        assert.deepEqual(
          kept.map((row) => row.fields),
          expected
        )
      }
    ),
    { numRuns: 300 * TIMES }
  )
})
