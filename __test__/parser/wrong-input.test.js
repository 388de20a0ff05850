'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const {
  NativeParser,
  StockParser,
  stockMessages,
  assertSameMessages,
  stockCollect,
} = require('../support/compare')
const { collect, messagesOf, guarded, everyWay, cutAt, inPieces } = require('../support/chunks')

// No crash, no read outside a message, no memory asked for on the word of a length, one clear error.

const { DatabaseError } = stockMessages

/** @param {any} error @param {RegExp} text @param {string} severity */
const assertProtocolError = (error, text, severity) => {
  assert.ok(error instanceof DatabaseError, `a DatabaseError, not ${error?.name}`)
  assert.equal(error.name, 'error')
  assert.equal(error.severity, severity)
  assert.equal(error.code, '08P01')
  assert.match(error.message, text)
}

test('parse() takes Buffers and Uint8Arrays and says what it got otherwise', () => {
  const parser = new NativeParser()
  const never = () => assert.fail('no message')
  /** @type {[any, RegExp][]} */
  const wrong = [
    [undefined, /undefined/],
    [null, /null/],
    ['a string', /string/],
    [42, /number/],
    [true, /boolean/],
    [10n, /bigint/],
    [Symbol('s'), /symbol/],
    [{}, /Object|object/],
    [[68, 0, 0, 0, 4], /Array|array/],
    [() => {}, /[Ff]unction/],
    [new ArrayBuffer(8), /ArrayBuffer/],
    [new Uint16Array(8), /Uint16Array/],
    [new DataView(new ArrayBuffer(8)), /DataView/],
  ]
  for (const [chunk, text] of wrong) {
    assert.throws(
      () => parser.parse(chunk, never),
      (error) => error instanceof TypeError && text.test(error.message),
      String(text)
    )
  }
  const seen = messagesOf(parser, [wire.readyForQuery()])
  assert.equal(seen[0].name, 'readyForQuery', 'the parser is as it was')
})

test('a Uint8Array is as good as a Buffer', () => {
  const stream = Buffer.concat([
    wire.dataRow(['abc', 'é', null, '漢'.repeat(20)]),
    wire.copyData('x'),
    wire.readyForQuery(),
  ])
  const expected = stockCollect(stream)
  for (const { how, chunks } of everyWay(stream)) {
    const arrays = chunks.map((chunk) => new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length))
    const seen = collect(new NativeParser(), /** @type {any} */ (arrays))
    assertSameMessages(seen, expected, how)
    assert.ok(Buffer.isBuffer(seen[0].message.bytes), how)
    assert.ok(Buffer.isBuffer(seen[0].message.cell(0)), how)
    assert.ok(Buffer.isBuffer(seen[1].message.chunk), how)
  }
})

test('modes: as in pg-protocol', () => {
  for (const Parser of [NativeParser, StockParser]) {
    assert.throws(() => new Parser({ mode: 'binary' }), { message: 'Binary mode not supported yet' })
    assert.equal(new Parser({ mode: 'text' }).mode, 'text')
    assert.equal(/** @type {any} */ (new Parser()).mode, 'text')
  }
})

/** Lengths that no message can have, with what the error may call them. @type {[number, RegExp][]} */
const impossible = [
  [0, /\b0\b/],
  [1, /\b1\b/],
  [3, /\b3\b/],
  [0x40000000, /1073741824|40000000/],
  [0x7fffffff, /2147483647|7fffffff/],
  [0x80000000, /-?2147483648|80000000/],
  [0xffffffff, /-1\b|4294967295|ffffffff/],
]

for (const [length, named] of impossible) {
  test(`a length of 0x${length.toString(16)} ends the stream with one error`, () => {
    const before = Buffer.concat([wire.bindComplete(), wire.dataRow(['abc'])])
    const stream = Buffer.concat([
      before,
      wire.header('Z', length),
      wire.readyForQuery(),
      wire.readyForQuery(),
    ])
    for (const { how, chunks } of everyWay(stream)) {
      const parser = new NativeParser()
      const seen = messagesOf(parser, chunks)
      assert.deepEqual(
        seen.map(({ name }) => name),
        ['bindComplete', 'dataRow', 'error'],
        how
      )
      assertProtocolError(seen[2], named, 'FATAL')
      assert.match(seen[2].message, new RegExp(`\\b${before.length}\\b`), 'says at which byte of the stream')
      assert.deepEqual(seen[1].fields, ['abc'])
      assert.deepEqual(
        messagesOf(parser, [wire.readyForQuery(), wire.hex('5a'), Buffer.alloc(100_000)]),
        [],
        how
      )
      assert.equal(parser.reader.buffer.byteLength, 0, how)
      assert.equal(parser.bufferLength, 0, how)
    }
  })
}

test('the error comes with the last byte of the header', () => {
  const parser = new NativeParser()
  const bytes = wire.header('Z', 3)
  assert.deepEqual(messagesOf(parser, [bytes.subarray(0, 4)]), [])
  const [error] = messagesOf(parser, [bytes.subarray(4)])
  assertProtocolError(error, /\b3\b/, 'FATAL')
})

test('the byte counts from the start of the stream', () => {
  const parser = new NativeParser()
  const rows = Buffer.concat(Array.from({ length: 1000 }, () => wire.dataRow(['0123456789'])))
  for (let i = 0; i < 10; i++) messagesOf(parser, [rows])
  const [error] = messagesOf(parser, [wire.header('D', 0)])
  assertProtocolError(error, new RegExp(`\\b${rows.length * 10}\\b`), 'FATAL')
})

test('the greatest length that a message may have is waited for', () => {
  const parser = new NativeParser()
  assert.deepEqual(messagesOf(parser, [wire.header('D', 0x3fffffff), Buffer.alloc(1000)]), [])
  assert.ok(parser.reader.buffer.byteLength >= 1000)
})

test('a dead parser takes no more memory and still refuses what is no Buffer', () => {
  const parser = new NativeParser()
  messagesOf(parser, [wire.header('D', 0)])
  for (let i = 0; i < 100; i++) assert.deepEqual(messagesOf(parser, [Buffer.alloc(100_000, 0x5a)]), [])
  assert.equal(parser.reader.buffer.byteLength, 0)
  assert.throws(() => parser.parse(/** @type {any} */ ('text'), () => {}), TypeError)
  parser.pause()
  assert.deepEqual(messagesOf(parser, [Buffer.alloc(100_000, 0x5a)]), [])
  assert.equal(parser.reader.buffer.byteLength, 0)
  parser.resume()
})

test('a callback that throws on the fatal error', () => {
  const parser = new NativeParser()
  let calls = 0
  const throwing = () => {
    calls += 1
    throw new Error('mine')
  }
  assert.throws(
    () => parser.parse(Buffer.concat([wire.header('D', 0), wire.readyForQuery()]), throwing),
    /mine/
  )
  parser.parse(wire.readyForQuery(), throwing)
  assert.equal(calls, 1)
  assert.equal(parser.reader.buffer.byteLength, 0)
})

test('a pause before the fatal error', () => {
  const parser = new NativeParser()
  const names = /** @type {string[]} */ ([])
  const callback = (/** @type {any} */ message) => {
    names.push(message.name)
    if (names.length === 1) parser.pause()
  }
  parser.parse(Buffer.concat([wire.bindComplete(), wire.header('D', 0)]), callback)
  parser.parse(wire.readyForQuery(), callback)
  assert.deepEqual(names, ['bindComplete'])
  parser.resume()
  assert.deepEqual(names, ['bindComplete', 'error'])
  assert.equal(parser.reader.buffer.byteLength, 0, 'the chunks that waited are let go')
})

/**
 * Bodies that are no message of their type.
 * @type {Record<string, Record<string, Buffer>>}
 */
const malformed = {
  ReadyForQuery: { 'no status': wire.message('Z') },
  CommandComplete: { 'no NUL': wire.message('C', 'SELECT 1'), empty: wire.message('C') },
  ParameterStatus: {
    empty: wire.message('S'),
    'name without NUL': wire.message('S', 'name'),
    'no value': wire.message('S', 'name\0'),
    'value without NUL': wire.message('S', 'name\0value'),
  },
  NotificationResponse: {
    empty: wire.message('A'),
    'short process id': wire.message('A', wire.hex('000000')),
    'no channel': wire.message('A', wire.int32(1)),
    'channel without NUL': wire.message('A', wire.int32(1), 'channel'),
    'no payload': wire.message('A', wire.int32(1), 'channel\0'),
    'payload without NUL': wire.message('A', wire.int32(1), 'channel\0payload'),
  },
  BackendKeyData: {
    empty: wire.message('K'),
    'short process id': wire.message('K', wire.hex('000001')),
    'no key': wire.message('K', wire.int32(1)),
    'short key': wire.message('K', wire.int32(1), wire.hex('abcdef')),
  },
  ParameterDescription: {
    empty: wire.message('t'),
    'half a count': wire.message('t', wire.hex('00')),
    'count past the body': wire.message('t', wire.int16(2), wire.int32(23)),
    'last type cut': wire.message('t', wire.int16(1), wire.hex('000000')),
    'count 65535 and nothing else': wire.message('t', wire.int16(0xffff)),
  },
  RowDescription: {
    empty: wire.message('T'),
    'half a count': wire.message('T', wire.hex('00')),
    'count past the body': wire.message('T', wire.int16(1)),
    'name without NUL': wire.message('T', wire.int16(1), 'name'),
    'no numbers': wire.message('T', wire.int16(1), 'name\0'),
    'numbers cut': wire.message('T', wire.int16(1), 'name\0', Buffer.alloc(17)),
    'second column missing': wire.message('T', wire.int16(2), 'name\0', Buffer.alloc(18)),
    'count 65535 and one column': wire.message('T', wire.int16(0xffff), 'name\0', Buffer.alloc(18)),
  },
  DataRow: { empty: wire.message('D'), 'half a count': wire.message('D', wire.hex('00')) },
  CopyInResponse: {
    empty: wire.message('G'),
    'no count': wire.message('G', wire.hex('00')),
    'half a count': wire.message('G', wire.hex('0000')),
    'count past the body': wire.message('G', wire.hex('00 0002 0000')),
  },
  CopyOutResponse: {
    empty: wire.message('H'),
    'count past the body': wire.message('H', wire.hex('01 ffff')),
    'last format cut': wire.message('H', wire.hex('00 0001 00')),
  },
  Authentication: {
    empty: wire.message('R'),
    'half a code': wire.message('R', wire.hex('0000')),
    'SASL without end': wire.message('R', wire.int32(10)),
    'SASL mechanism without NUL': wire.message('R', wire.int32(10), 'SCRAM-SHA-256'),
    'SASL list without end': wire.message('R', wire.int32(10), 'SCRAM-SHA-256\0'),
  },
  NegotiateProtocolVersion: {
    empty: wire.message('v'),
    'no count': wire.message('v', wire.int32(0x30000)),
    'count past the body': wire.message('v', wire.int32(0x30000), wire.int32(1)),
    'huge count': wire.message('v', wire.int32(0x30000), wire.int32(0x7fffffff), 'a\0'),
    'negative count': wire.message('v', wire.int32(0x30000), wire.int32(-1), 'a\0'),
    'option without NUL': wire.message('v', wire.int32(0x30000), wire.int32(1), '_pq_.x'),
  },
  FunctionCallResponse: {
    empty: wire.message('V'),
    'half a length': wire.message('V', wire.hex('0000')),
    'value past the body': wire.message('V', wire.int32(3), 'ab'),
    'negative length': wire.message('V', wire.int32(-2), 'ab'),
  },
}

for (const [name, examples] of Object.entries(malformed)) {
  for (const [what, bytes] of Object.entries(examples)) {
    test(`malformed ${name}, ${what}: one error in its place`, () => {
      // What follows would be read as the missing part by a parser that looks past the frame.
      const before = wire.dataRow(['before'])
      const after = [wire.parameterStatus('a', 'b'), wire.dataRow(['after', 'é']), wire.readyForQuery()]
      const stream = Buffer.concat([before, bytes, ...after])
      const expected = stockCollect(Buffer.concat([before, ...after]))
      for (const { how, chunks } of everyWay(stream)) {
        const seen = collect(new NativeParser(), chunks)
        assert.equal(seen.length, 5, how)
        const { message } = seen[1]
        assertProtocolError(message, new RegExp(`^malformed ${name}\\w* message`), 'ERROR')
        assert.equal(message.length, bytes.length - 1, how)
        assert.match(message.message, new RegExp(`\\b${bytes.length - 1}\\b`), 'says the length')
        assert.match(
          message.message,
          new RegExp(`\\b${before.length}\\b`),
          'says at which byte of the stream'
        )
        assertSameMessages([seen[0], ...seen.slice(2)], expected, how)
      }
      const alone = messagesOf(new NativeParser(), [guarded(bytes)])
      assert.equal(alone.length, 1)
      assert.match(alone[0].message, /^malformed/)
    })
  }
}

test('many malformed messages in one chunk: each error in its place, also for a callback that throws or pauses', () => {
  const parts = Object.values(malformed).flatMap((examples) => Object.values(examples))
  const stream = Buffer.concat(parts.flatMap((bytes, i) => [bytes, wire.commandComplete(String(i))]))
  // Each alone, with as many bytes before it as in the stream.
  let before = 0
  const expected = parts.flatMap((bytes, i) => {
    const parser = new NativeParser()
    if (before > 0) parser.parse(wire.copyData(Buffer.alloc(before - 5)), () => {})
    const tail = wire.commandComplete(String(i))
    before += bytes.length + tail.length
    return messagesOf(parser, [Buffer.concat([bytes, tail])]).map(
      (message) => message.text ?? message.message
    )
  })
  assert.equal(expected.length, 2 * parts.length)
  for (const size of [1, 64, stream.length]) {
    for (const habit of ['neither', 'throw', 'pause']) {
      const parser = new NativeParser()
      const seen = /** @type {string[]} */ ([])
      const callback = (/** @type {any} */ message) => {
        seen.push(message.text ?? message.message)
        if (habit === 'throw') throw new Error('mine')
        if (habit === 'pause') parser.pause()
      }
      for (const chunk of [...inPieces(stream, size), ...expected.map(() => Buffer.alloc(0))]) {
        try {
          parser.parse(chunk, callback)
        } catch (error) {
          assert.match(String(error), /mine/)
        }
      }
      while (parser.paused) parser.resume()
      assert.deepEqual(seen, expected, `${habit}, pieces of ${size}`)
    }
  }
})

test('an error of the server without an end gives the text that is there', () => {
  const cases = [
    [wire.message('E', 'SERROR\0C42P01\0Mboom'), { severity: 'ERROR', code: '42P01', message: 'boom' }],
    [wire.message('E', 'SERROR\0C42P01\0Mboom\0'), { severity: 'ERROR', code: '42P01', message: 'boom' }],
    [wire.message('E', 'SERROR\0C42P01\0M'), { severity: 'ERROR', code: '42P01', message: '' }],
    [wire.message('E', 'SERROR\0C42'), { severity: 'ERROR', code: '42', message: '' }],
    [wire.message('E'), { severity: undefined, code: undefined, message: '' }],
    [wire.message('E', '\0'), { severity: undefined, code: undefined, message: '' }],
  ]
  for (const [bytes, expected] of /** @type {[Buffer, any][]} */ (cases)) {
    for (const { how, chunks } of everyWay(Buffer.concat([bytes, wire.readyForQuery()]))) {
      const [error, ready, ...rest] = messagesOf(new NativeParser(), chunks)
      assert.ok(error instanceof DatabaseError, how)
      const { severity, code, message, name, length } = error
      assert.deepEqual({ severity, code, message }, expected, how)
      assert.deepEqual({ name, length }, { name: 'error', length: bytes.length - 1 })
      assert.equal(ready.name, 'readyForQuery', how)
      assert.deepEqual(rest, [])
    }
    const notice = Buffer.from(bytes)
    notice[0] = 'N'.charCodeAt(0)
    const [message] = messagesOf(new NativeParser(), [guarded(notice)])
    assert.equal(message.name, 'notice')
    assert.equal(message.message ?? '', expected.message)
    assert.equal(message.code, expected.code)
  }
})

test('an authentication request that nobody knows throws, and only once', () => {
  for (const code of [1, 2, 4, 6, 7, 8, 9, 13, 99, -1]) {
    const bytes = wire.authentication(code, Buffer.from('more'))
    assert.throws(() => new StockParser().parse(Buffer.from(bytes), () => {}), {
      message: `Unknown authenticationOk message type ${code}`,
    })
    for (let cut = 0; cut <= bytes.length; cut++) {
      const parser = new NativeParser()
      const seen = /** @type {any[]} */ ([])
      const errors = /** @type {string[]} */ ([])
      const stream = Buffer.concat([wire.dataRow(['a']), bytes, wire.dataRow(['b']), wire.readyForQuery()])
      for (const chunk of [
        ...cutAt(stream, [cut + wire.dataRow(['a']).length]),
        Buffer.alloc(0),
        Buffer.alloc(0),
      ]) {
        try {
          parser.parse(chunk, (message) => seen.push(message))
        } catch (error) {
          errors.push(String(error))
        }
      }
      assert.deepEqual(errors, [`Error: Unknown authenticationOk message type ${code}`])
      assert.deepEqual(
        seen.map(({ name }) => name),
        ['dataRow', 'dataRow', 'readyForQuery'],
        `cut at ${cut}`
      )
      assert.deepEqual(seen[1].fields, ['b'])
    }
  }
})

/** @param {() => any} step */
const outcome = (step) => {
  try {
    return step()
  } catch (error) {
    assert.match(String(error), /malformed DataRow/)
    return 'thrown'
  }
}

/** Rows whose cells are not where they say. @type {Record<string, Buffer>} */
const wrongRows = {
  'a length past the row': Buffer.concat([wire.int16(1), wire.int32(4), Buffer.from('abc')]),
  'a length of 2 GiB': Buffer.concat([wire.int16(1), wire.int32(0x7fffffff), Buffer.from('abc')]),
  'a length of -2': Buffer.concat([wire.int16(1), wire.int32(-2), Buffer.from('abc')]),
  'a length of -2147483648': Buffer.concat([wire.int16(1), wire.int32(0x80000000), Buffer.from('abc')]),
  'a count past the row': Buffer.concat([wire.int16(2), wire.int32(3), Buffer.from('abc')]),
  'a count of 65535': Buffer.concat([wire.int16(0xffff), wire.int32(3), Buffer.from('abc')]),
  'a count and nothing else': wire.int16(1),
  'half a length': Buffer.concat([wire.int16(1), wire.hex('0000')]),
  'a second length cut': Buffer.concat([wire.int16(2), wire.int32(1), Buffer.from('a'), wire.hex('000000')]),
  'the last of many cells too long': Buffer.concat([
    wire.dataRowBody(['a', null, 'é']).fill(4, 1, 2),
    wire.int32(2),
    Buffer.from('x'),
  ]),
}

for (const [what, body] of Object.entries(wrongRows)) {
  test(`a row with ${what} is delivered and throws when it is read`, () => {
    const bytes = wire.message('D', body)
    const stream = Buffer.concat([
      wire.dataRow(['before', 'é']),
      bytes,
      wire.dataRow(['after', '漢']),
      wire.readyForQuery(),
    ])
    for (const { how, chunks } of everyWay(stream)) {
      for (const readFirst of [true, false]) {
        const [before, row, after, ready] = messagesOf(new NativeParser(), chunks)
        if (readFirst) assert.deepEqual(before.fields, ['before', 'é'], how)
        assert.equal(row.name, 'dataRow', how)
        assert.equal(row.length, bytes.length - 1)
        assert.equal(row.fieldCount, body.readUInt16BE(0))
        for (let twice = 0; twice < 2; twice++) {
          assert.throws(() => row.fields, { code: '08P01', message: /^malformed DataRow/ }, how)
        }
        assert.deepEqual(after.fields, ['after', '漢'], how)
        assert.deepEqual(before.fields, ['before', 'é'], how)
        assert.equal(ready.name, 'readyForQuery')
      }
    }
    const [row] = messagesOf(new NativeParser(), [guarded(bytes)])
    const last = row.fieldCount - 1
    assert.throws(() => row.text(last), { code: '08P01', message: /^malformed DataRow/ })
    assert.throws(() => row.cell(last), { code: '08P01', message: /^malformed DataRow/ })
    assert.notEqual(
      outcome(() => row.isNull(last)),
      true,
      'what is not there is not NULL either'
    )
  })
}

test('a wrong row in the middle of a run of rows that are read one after the other', () => {
  const good = Array.from({ length: 500 }, (_, i) => [`${i}`, 'é'.repeat(i % 30), null])
  for (const body of Object.values(wrongRows)) {
    for (const at of [0, 1, 2, 250, 499]) {
      const parts = good.map((cells) => wire.dataRow(cells))
      parts.splice(at, 0, wire.message('D', body))
      const parser = new NativeParser()
      let i = 0
      let thrown = 0
      parser.parse(guarded(Buffer.concat(parts)), (row) => {
        if (i === at) {
          assert.throws(() => row.fields, { code: '08P01', message: /^malformed DataRow/ })
          thrown += 1
        } else {
          assert.deepEqual(row.fields, good[i < at ? i : i - 1], `row ${i}, wrong row at ${at}`)
        }
        i += 1
      })
      assert.deepEqual([i, thrown], [501, 1])
    }
  }
})

test('cells before the wrong one can be read', () => {
  const body = Buffer.concat([
    wire.int16(3),
    wire.int32(3),
    Buffer.from('abc'),
    wire.int32(-1),
    wire.int32(100),
    Buffer.from('x'),
  ])
  const [row] = messagesOf(new NativeParser(), [guarded(wire.message('D', body))])
  assert.equal(row.text(0), 'abc')
  assert.deepEqual(row.cell(0), Buffer.from('abc'))
  assert.equal(row.isNull(1), true)
  assert.throws(() => row.text(2), { code: '08P01' })
})

test('memory that other threads can write is copied: what was checked stays', () => {
  const bytes = wire.dataRow(['abc'])
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  /** @type {any[]} */
  const messages = []
  new NativeParser().parse(shared, (/** @type {any} */ message) => messages.push(message))
  shared.fill(0xff)
  assert.deepEqual(messages[0].fields, ['abc'])
})
