'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const { NativeParser, stockMessages } = require('../support/compare')
const { everyWay, guarded, inPieces } = require('../support/chunks')
const { flavours, connect } = require('../support/query')
const { inChild } = require('../support/child')

// What a hostile or broken peer may send: for each, a clear error; the connection is closed where nobody can tell where
// the next message begins, and lives on where only one message or one value is bad.

const { int16, int32, cstring, header, message } = wire
const cell = (/** @type {number} */ length, /** @type {string | Buffer} */ bytes) =>
  Buffer.concat([int32(length), Buffer.from(bytes)])
const row = (/** @type {number} */ count, /** @type {Buffer[]} */ ...cells) =>
  message('D', int16(count), ...cells)

/**
 * `lost`: the stream cannot be followed. `message`: an error in place of the message, the next one is read. `value`: the
 * row is delivered, and to read it throws. `fine`: strange, but it says what it means.
 *
 * @typedef {'lost' | 'message' | 'value' | 'fine'} Fate
 * @type {[what: string, bytes: Buffer, fate: Fate, error?: RegExp][]}
 */
const CASES = [
  // lengths that no message can have
  ['length 0', header('Z', 0), 'lost', /length 0 .*0x5a at byte 4/],
  ['length 3', header('D', 3), 'lost', /length 3 /],
  ['a negative length', header('D', -1), 'lost', /length 4294967295 /],
  ['the most negative length', header('T', 0x80000000), 'lost', /length 2147483648 /],
  ['one byte more than 1 GiB', header('D', 0x40000000), 'lost', /length 1073741824 /],
  // somebody else answers
  ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'), 'lost', /an answer in HTTP/],
  ['a TLS alert', wire.hex('15 0303 0002 0246'), 'lost', /a TLS record \(type 0x15\)/],
  ['a TLS handshake', wire.hex('16 0301 007a 0200 0076 0303'), 'lost', /a TLS record \(type 0x16\)/],
  ['SSH', Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'), 'lost', /length 1397239090 /],
  ['Redis', Buffer.from('-ERR unknown command\r\n'), 'lost', /length 1163022880 /],
  ['zeros', Buffer.alloc(64), 'lost', /length 0 behind type byte 0x00/],
  ['0xff', Buffer.alloc(64, 0xff), 'lost', /length 4294967295 /],
  // bodies that end too early
  ['a ReadyForQuery without a status', message('Z'), 'message', /ReadyForQuery/],
  ['a CommandComplete without a terminator', message('C', 'SELECT 1'), 'message', /CommandComplete/],
  ['a ParameterStatus without a value', message('S', cstring('a')), 'message', /ParameterStatus/],
  ['a ParameterStatus without terminators', message('S', 'abc'), 'message', /ParameterStatus/],
  ['a notification without a channel', message('A', int32(1)), 'message', /NotificationResponse/],
  ['a notification of two bytes', message('A', int16(1)), 'message', /NotificationResponse/],
  ['BackendKeyData of two bytes', message('K', int16(1)), 'message', /BackendKeyData/],
  ['BackendKeyData without a key', message('K', int32(1)), 'message', /BackendKeyData/],
  ['an authentication request of no bytes', message('R'), 'message', /Authentication/],
  ['a RowDescription of one byte', message('T', Buffer.alloc(1)), 'message', /RowDescription/],
  [
    'a RowDescription that lacks columns',
    message('T', int16(2), cstring('a'), Buffer.alloc(18)),
    'message',
    /RowDescr/,
  ],
  [
    'a RowDescription that counts 65535',
    message('T', int16(-1), cstring('a'), Buffer.alloc(18)),
    'message',
    /RowDescr/,
  ],
  ['a column name without a terminator', message('T', int16(1), 'name'), 'message', /RowDescription/],
  [
    'a ParameterDescription that counts 65535',
    message('t', int16(-1), int32(23)),
    'message',
    /ParameterDescription/,
  ],
  [
    'a CopyOutResponse that lacks formats',
    message('H', Buffer.alloc(1), int16(9), int16(0)),
    'message',
    /CopyOut/,
  ],
  ['a CopyInResponse of no bytes', message('G'), 'message', /CopyIn/],
  [
    'NegotiateProtocolVersion that counts 2^32',
    message('v', int32(3), int32(-1), cstring('a')),
    'message',
    /Negotiate/,
  ],
  ['a FunctionCallResponse past its end', message('V', int32(9), 'abc'), 'message', /FunctionCall/],
  ['a FunctionCallResponse of length -2', message('V', int32(-2)), 'message', /FunctionCall/],
  ['a DataRow without a count', message('D'), 'message', /DataRow/],
  ['a DataRow of one byte', message('D', Buffer.alloc(1)), 'message', /DataRow/],
  // values
  ['a row that counts a cell too many', row(2, cell(1, 'x')), 'value', /cell 1 of 2 is missing/],
  ['a row of no bytes that counts 65535', row(-1), 'value', /cell 0 of 65535 is missing/],
  ['a cell one byte longer than its row', row(1, cell(2, 'x')), 'value', /cell 0 has 2 bytes, 1 are left/],
  ['a cell of 2 GiB', row(1, cell(0x7fffffff, 'x')), 'value', /cell 0 has 2147483647 bytes, 1 are left/],
  ['a cell of length -2', row(1, cell(-2, '')), 'value', /cell 0 has the length -2/],
  ['a cell of the most negative length', row(1, cell(0x80000000, '')), 'value', /the length -2147483648/],
  ['half the length of a cell', row(1, int16(0)), 'value', /cell 0 of 1 is missing, 2 bytes are left/],
  // strange, but clear
  ['text that is not UTF-8', row(1, cell(5, wire.hex('61 ff c3 28 62'))), 'fine'],
  ['an error without a terminator', message('E', 'SERROR'), 'fine'],
  ['an error of no bytes', message('E'), 'fine'],
  ['a message of an unknown type', message('?', 'abc'), 'fine'],
  ['a message of type 0', message(0, 'abc'), 'fine'],
  ['a message type beyond ASCII', message(0xfe, 'abc'), 'fine'],
  ['bytes behind the last cell', row(1, cell(1, 'x'), Buffer.from('more')), 'fine'],
]

/** @param {any} delivered */
const read = (delivered) => {
  if (delivered.name !== 'dataRow') return delivered
  try {
    void delivered.fields
    return delivered
  } catch (error) {
    return error
  }
}

for (const [what, bytes, fate, text] of CASES) {
  test(`${what}, however it is cut, between messages and neighbours`, () => {
    const first = wire.parseComplete()
    const stream = Buffer.concat([first, bytes, wire.readyForQuery(), wire.dataRow(['neighbour'])])
    for (const { how, chunks } of everyWay(stream)) {
      const seen = /** @type {any[]} */ ([])
      const parser = new NativeParser()
      for (const chunk of chunks) parser.parse(chunk, (delivered) => seen.push(delivered))
      assert.equal(seen[0].name, 'parseComplete', how)
      const found = read(seen[1])
      if (fate === 'fine') {
        assert.notEqual(found.code, '08P01', how)
      } else {
        assert.equal(found.code, '08P01', how)
        if (!text?.source.includes('at byte')) assert.match(found.message, /** @type {RegExp} */ (text), how)
        assert.ok(!/neighbour/.test(JSON.stringify(found)), how)
      }
      if (fate === 'message' || fate === 'lost') {
        assert.ok(found instanceof stockMessages.DatabaseError)
        assert.equal(found.severity, fate === 'lost' ? 'FATAL' : 'ERROR')
        assert.match(found.message, new RegExp(`at byte ${first.length} of the stream`))
      }
      if (fate === 'lost') {
        assert.equal(seen.length, 2, how)
        assert.equal(parser.bufferLength, 0)
      } else {
        assert.deepEqual(
          seen.slice(2).map(({ name }) => name),
          ['readyForQuery', 'dataRow'],
          how
        )
        assert.deepEqual(seen[3].fields, ['neighbour'], how)
      }
    }
  })
}

test('none of them, cut off at every byte, is read beyond its end', () => {
  for (const [what, bytes] of CASES) {
    for (let end = 0; end <= bytes.length; end++) {
      const parser = new NativeParser()
      const seen = /** @type {any[]} */ ([])
      parser.parse(guarded(bytes.subarray(0, end)), (delivered) => seen.push(delivered))
      for (const delivered of seen) {
        const found = read(delivered)
        const shown = JSON.stringify([found.message, found.fields ?? null, { ...found }])
        // The canary around the chunk, as text or as a number.
        assert.ok(!/\uFFFD{3}|eeee|4008636142/.test(shown), `${what}, ${end} bytes: ${shown}`)
      }
    }
  }
})

/** What pg is sent in place of rows, in the middle of a result. @param {Buffer} bytes */
const inAResult = async (bytes) => {
  const context = await connect(flavours().native)
  const { client, backend } = context
  const log = /** @type {string[]} */ ([])
  client.on('error', (/** @type {any} */ error) => log.push(`client: ${error.message}`))
  backend.replies.push({ columns: ['a'], rows: [['1'], bytes, ['2']] }, { columns: ['b'], rows: [['next']] })
  const settle = (/** @type {Promise<any>} */ query) =>
    query.then(
      ({ rows }) => ({ rows }),
      (error) => ({ error })
    )
  const first = await settle(client.query('select'))
  const second = await settle(client.query('select'))
  const closed = backend.destroyed
  client.end()
  return { first, second, closed, log }
}

for (const [what, bytes, fate, text] of CASES) {
  if (fate === 'fine' || fate === 'message') continue
  test(`pg, accelerated, in a result: ${what}`, async () => {
    const { first, second, closed, log } = await inAResult(bytes)
    assert.equal(first.error?.code, '08P01')
    if (!text?.source.includes('at byte')) assert.match(first.error.message, /** @type {RegExp} */ (text))
    assert.equal(closed, fate === 'lost', 'the connection is closed if, and only if, the frame is lost')
    if (fate === 'lost') {
      assert.ok(second.error instanceof Error)
      assert.match(log[0], /client: .*the connection must be closed/)
    } else {
      assert.deepEqual(second.rows, [{ b: 'next' }])
      assert.deepEqual(log, [])
    }
  })
}

test('pg, accelerated: a malformed message in a result rejects its query, and the connection lives on', async () => {
  for (const bytes of [message('S', 'abc'), message('C', 'SELECT 1'), message('T', int16(9)), message('D')]) {
    const { first, closed } = await inAResult(bytes)
    assert.equal(first.error?.code, '08P01')
    assert.equal(closed, false)
  }
})

test('megabytes of zeros, of 0xff and of noise take neither memory nor long', () => {
  const { result, stderr } = inChild(
    __filename,
    (require) => {
      const { NativeParser } = require('../support/compare')
      const MIB = 1024 * 1024
      const noise = Buffer.alloc(MIB)
      let state = 1
      for (let i = 0; i < MIB; i++) noise[i] = state = (state * 48271) % 2147483647
      const results = []
      for (const chunk of [Buffer.alloc(MIB), Buffer.alloc(MIB, 0xff), noise]) {
        globalThis.gc?.()
        const before = process.memoryUsage()
        const parser = new NativeParser()
        let errors = 0
        for (let i = 0; i < 64; i++) {
          for (let at = 0; at < MIB; at += 65536) {
            parser.parse(chunk.subarray(at, at + 65536), (/** @type {any} */ { name }) => {
              if (name === 'error') errors++
            })
          }
        }
        const after = process.memoryUsage()
        results.push({
          errors,
          held: parser.bufferLength,
          grown: after.arrayBuffers + after.external - before.arrayBuffers - before.external,
        })
      }
      return results
    },
    { flags: ['--expose-gc'] }
  )
  assert.ok(result, stderr)
  for (const { errors, held, grown } of result) {
    assert.equal(errors, 1)
    assert.equal(held, 0)
    assert.ok(grown < 1024 * 1024, `${grown}`)
  }
})

test('1 GiB that is only claimed, by every message and in every cell, takes a few MiB for all of them', () => {
  const { result, stderr } = inChild(
    __filename,
    (require) => {
      const wire = require('../support/wire')
      const { NativeParser } = require('../support/compare')
      const GIB = 1024 * 1024 * 1024 - 1
      // Warms up what is allocated once.
      new NativeParser().parse(
        Buffer.concat([wire.dataRow(['x']), wire.header('D', 100), Buffer.alloc(9)]),
        () => {}
      )
      globalThis.gc?.()
      const before = process.memoryUsage()
      const parsers = []
      for (const type of 'RKSZTtDCENAGHWdvV?') {
        const parser = new NativeParser()
        parser.parse(Buffer.concat([wire.header(type, GIB), Buffer.alloc(100, 1)]), () => {})
        parser.parse(Buffer.alloc(100, 1), () => {})
        parsers.push(parser)
      }
      const rows = []
      const parser = new NativeParser()
      for (let i = 0; i < 1000; i++) {
        parser.parse(wire.message('D', wire.int16(1), wire.int32(GIB), 'x'), (/** @type {any} */ row) =>
          rows.push(row)
        )
      }
      let thrown = 0
      for (const row of rows) {
        for (const read of [() => row.fields, () => row.text(0), () => row.cell(0), () => row.isNull(0)]) {
          try {
            read()
          } catch (/** @type {any} */ error) {
            if (error.code === '08P01') thrown++
          }
        }
      }
      const after = process.memoryUsage()
      return { rss: after.rss - before.rss, parsers: parsers.length, thrown }
    },
    { flags: ['--expose-gc'] }
  )
  assert.ok(result, stderr)
  assert.equal(result.thrown, 4000)
  // A claim is believed up to 1 MiB.
  assert.ok(result.rss < (result.parsers + 24) * 1024 * 1024, `${result.rss} bytes`)
})

test('an unknown type that claims much is waited for without memory for what has not come', () => {
  const parser = new NativeParser()
  for (const chunk of inPieces(Buffer.concat([header('?', 900_000_000), Buffer.alloc(5000)]), 100)) {
    parser.parse(chunk, () => assert.fail('no message yet'))
  }
  assert.equal(parser.bufferLength, 5005)
})
