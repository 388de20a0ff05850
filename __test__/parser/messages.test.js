'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const {
  assertSameAsStock,
  assertSameOnce,
  nativeCollect,
  NativeParser,
  SINGLETONS,
} = require('../support/compare')
const { messagesOf, guarded } = require('../support/chunks')

// Every message kind that pg-protocol knows, with the shapes that each can take. Each stream goes through every way of
// cutting, with a neighbour on both sides, so that a wrong end shows in the next message.

const everyField = {
  S: 'FEHLER',
  V: 'ERROR',
  C: '23505',
  M: 'Schlüssel 漢字 😀',
  D: 'detail',
  H: 'hint',
  P: '17',
  p: '3',
  q: 'select 1',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  d: 'type',
  n: 'constraint',
  F: 'file.c',
  L: '4711',
  R: 'routine',
}

/** @type {Record<string, Buffer[]>} */
const kinds = {
  authenticationOk: [wire.authenticationOk()],
  'authenticationOk with bytes after the code': [wire.authentication(0, Buffer.from('more'))],
  authenticationCleartextPassword: [wire.authenticationCleartextPassword()],
  'code 3 in a message that is longer': [wire.authentication(3, Buffer.from('x'))],
  authenticationMD5Password: [wire.authenticationMD5Password(wire.hex('ff000102'))],
  'code 5 in a message of another length': [
    wire.authentication(5, wire.hex('ff0001')),
    wire.authentication(5, wire.hex('ff00010203')),
    wire.authentication(5),
  ],
  authenticationSASL: [
    wire.authenticationSASL(['SCRAM-SHA-256-PLUS', 'SCRAM-SHA-256']),
    wire.authenticationSASL(['SCRAM-SHA-256']),
    wire.authenticationSASL([]),
  ],
  authenticationSASLContinue: [
    wire.authenticationSASLContinue('r=é,s=abc,i=4096'),
    wire.authenticationSASLContinue(''),
  ],
  authenticationSASLFinal: [
    wire.authenticationSASLFinal('v=abc=='),
    wire.authenticationSASLFinal('e=other-error'),
  ],
  parameterStatus: [
    wire.parameterStatus('client_encoding', 'UTF8'),
    wire.parameterStatus('application_name', ''),
    wire.parameterStatus('', ''),
    wire.parameterStatus('größe', '漢字 😀'),
  ],
  backendKeyData: [wire.backendKeyData(12345, 0x01020304), wire.backendKeyData(-1, 0xfffefdfc)],
  readyForQuery: ['I', 'T', 'E', 'x'].map((status) => wire.readyForQuery(status)),
  'readyForQuery with a status that is no ASCII': [wire.message('Z', wire.hex('e9'))],
  'readyForQuery with bytes after the status': [wire.message('Z', 'Ixyz')],
  parseComplete: [wire.parseComplete()],
  bindComplete: [wire.bindComplete()],
  closeComplete: [wire.closeComplete()],
  noData: [wire.noData()],
  portalSuspended: [wire.portalSuspended()],
  emptyQuery: [wire.emptyQuery()],
  copyDone: [wire.copyDone()],
  replicationStart: [wire.copyBothResponse(), wire.copyBothResponse(1, [0, 1])],
  'messages without a body that have one': ['1', '2', '3', 'n', 's', 'I', 'c'].map((type) =>
    wire.message(type, 'abc')
  ),
  parameterDescription: [
    wire.parameterDescription([]),
    wire.parameterDescription([23]),
    wire.parameterDescription([0, 25, 0x7fffffff, 0x80000000, 0xffffffff]),
  ],
  rowDescription: [
    wire.rowDescription([]),
    wire.rowDescription(['a']),
    wire.rowDescription(['', 'a', 'é', '漢字', '😀', 'x'.repeat(63)]),
    wire.rowDescription([
      {
        name: 'b',
        tableID: 16384,
        columnID: 1,
        dataTypeID: 23,
        dataTypeSize: 4,
        dataTypeModifier: -1,
        format: 1,
      },
      {
        name: 'c',
        tableID: 0xfffffff0,
        columnID: -1,
        dataTypeID: 0xffffffff,
        dataTypeSize: -2,
        dataTypeModifier: 7,
      },
      { name: 'd', columnID: 0x7fff, dataTypeSize: 0x7fff, dataTypeModifier: 0x7fffffff, format: 2 },
      { name: 'e', columnID: -0x8000, dataTypeSize: -0x8000, dataTypeModifier: -0x80000000, format: -1 },
    ]),
  ],
  dataRow: [
    wire.dataRow(['a']),
    wire.dataRow([]),
    wire.dataRow([null]),
    wire.dataRow(['', null, 'é', '漢字', '😀']),
  ],
  commandComplete: ['SELECT 1', 'INSERT 0 3', 'CREATE TABLE', '', 'UPDATE 4294967296', 'é漢😀'].map(
    wire.commandComplete
  ),
  errorResponse: [
    wire.errorResponse(everyField),
    wire.errorResponse({ S: 'ERROR', M: 'boom' }),
    wire.errorResponse({ M: '' }),
    wire.errorResponse({ Z: 'a field nobody knows', M: 'boom' }),
    wire.errorResponse({}),
  ],
  'an error field that comes twice': [wire.message('E', 'Mone\0Mtwo\0C1\0\0')],
  'bytes after the end of an error': [wire.message('E', 'Mone\0\0Mtwo\0\0')],
  noticeResponse: [
    wire.noticeResponse(everyField),
    wire.noticeResponse({ S: 'NOTICE', M: 'hi' }),
    wire.noticeResponse({}),
  ],
  notification: [
    wire.notificationResponse(4, 'hi', 'boom'),
    wire.notificationResponse(-1, 'ü', '😀'),
    wire.notificationResponse(1, 'ch', ''),
  ],
  copyInResponse: [
    wire.copyInResponse(0, []),
    wire.copyInResponse(1, [1, 1]),
    wire.copyInResponse(7, [0, 1, -1]),
  ],
  copyOutResponse: [
    wire.copyOutResponse(0, []),
    wire.copyOutResponse(1, [1, 1]),
    wire.copyOutResponse(0, [0, 0x7fff]),
  ],
  copyData: [wire.copyData('1\tx\n'), wire.copyData(''), wire.copyData(wire.hex('00ff80fe00'))],
  'a type that nobody knows': [
    wire.message('?', 'body'),
    wire.message(0),
    wire.message(255, 'x'),
    wire.message('x'),
  ],
}

for (const [kind, examples] of Object.entries(kinds)) {
  test(`${kind}: as pg-protocol, however the stream is cut`, () => {
    assertSameAsStock(Buffer.concat(examples))
    const neighbours = [
      wire.bindComplete(),
      ...examples.flatMap((bytes) => [bytes, wire.dataRow(['x'])]),
      wire.readyForQuery(),
    ]
    assertSameAsStock(Buffer.concat(neighbours))
  })
}

test('all message kinds in one stream', () => {
  const stream = Buffer.concat(Object.values(kinds).flat())
  assertSameAsStock(stream, { random: 100 })
})

test('every type byte, with a body that suits no message', () => {
  // Types with a body of their own are left to the tests of malformed bodies.
  const known = new Set([...'RKSZTtDCENAGHdvV'].map((type) => type.charCodeAt(0)))
  for (let type = 0; type < 256; type++) {
    if (known.has(type)) continue
    assertSameOnce(Buffer.concat([wire.message(type, 'abc'), wire.readyForQuery()]))
    assertSameOnce(Buffer.concat([wire.message(type), wire.readyForQuery()]))
  }
})

test('a whole answer to a prepared statement', () => {
  assertSameAsStock(
    Buffer.concat([
      wire.parseComplete(),
      wire.bindComplete(),
      wire.rowDescription(['id', 'name', 'größe']),
      wire.dataRow(['1', 'Zoë', null]),
      wire.commandComplete('SELECT 1'),
      wire.readyForQuery(),
    ])
  )
})

test('shared messages get the length of the last one, as in pg-protocol', () => {
  const parser = new NativeParser()
  for (const body of ['', 'ab', '']) {
    for (const type of ['1', '2', '3', 'n', 's', 'W', 'I', 'c']) {
      const [message] = messagesOf(parser, [wire.message(type, body)])
      assert.ok(SINGLETONS.includes(message))
      assert.equal(message.length, 4 + body.length)
    }
  }
})

test('messages arrive inside the parse() call that brings their last byte', () => {
  const stream = Buffer.concat([wire.dataRow(['abc']), wire.readyForQuery()])
  const parser = new NativeParser()
  const seen = /** @type {string[]} */ ([])
  for (let i = 0; i < stream.length; i++) {
    parser.parse(guarded(stream.subarray(i, i + 1)), (message) => seen.push(`${message.name} at ${i}`))
  }
  assert.deepEqual(seen, [
    `dataRow at ${wire.dataRow(['abc']).length - 1}`,
    `readyForQuery at ${stream.length - 1}`,
  ])
})

test('parse() returns nothing and messages come one by one in order', () => {
  const stream = Buffer.concat(Array.from({ length: 1000 }, (_, i) => wire.commandComplete(`SELECT ${i}`)))
  const parser = new NativeParser()
  const seen = /** @type {string[]} */ ([])
  assert.equal(
    parser.parse(stream, (message) => seen.push(message.text)),
    undefined
  )
  assert.deepEqual(
    seen,
    Array.from({ length: 1000 }, (_, i) => `SELECT ${i}`)
  )
})

test('two parsers do not see each other', () => {
  const a = new NativeParser()
  const b = new NativeParser()
  const one = wire.dataRow(['one', 'éins'])
  const two = wire.dataRow(['two', 'zwölf'])
  const seen = /** @type {any[]} */ ([])
  for (let i = 0; i < one.length; i++) {
    a.parse(one.subarray(i, i + 1), (message) => seen.push(['a', message]))
    b.parse(two.subarray(i, i + 1), (message) => seen.push(['b', message]))
  }
  b.parse(two.subarray(one.length), (message) => seen.push(['b', message]))
  assert.deepEqual(
    seen.map(([who, message]) => [who, ...message.fields]),
    [
      ['a', 'one', 'éins'],
      ['b', 'two', 'zwölf'],
    ]
  )
})

test('chunks without a whole message give nothing', () => {
  assert.deepEqual(nativeCollect([]), [])
  assert.deepEqual(nativeCollect([Buffer.alloc(0)]), [])
  assert.deepEqual(nativeCollect([wire.hex('44')]), [])
  assert.deepEqual(nativeCollect([wire.hex('44 00000010'), Buffer.alloc(0), wire.hex('0001')]), [])
})
