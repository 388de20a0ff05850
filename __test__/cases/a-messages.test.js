'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const wire = require('../support/wire')
const {
  NativeParser,
  StockParser,
  stockMessages,
  assertSameAsStock,
  assertSameMessages,
  stockCollect,
  nativeCollect,
} = require('../support/compare')
const { messagesOf, everyWay, cutAt, withEmptyChunks, guarded } = require('../support/chunks')
const { NegotiateProtocolVersionMessage, FunctionCallResponseMessage } = require('../../lib/new-messages')

// Reports from the field about framing and messages: small inputs that broke some driver once. Each names the public
// thread it comes from; the bytes are our own.

const Z = wire.hex('5a 00000005 49')
const SELECT_1 = wire.hex('43 0000000d 53454c454354203100')
const native = (/** @type {Buffer} */ stream) => messagesOf(new NativeParser(), [guarded(stream)])
const names = (/** @type {any[]} */ messages) => messages.map(({ name }) => name)

// brianc/node-postgres#2218, #535, #2053
test('F01: split anywhere', () => {
  const stream = Buffer.concat([wire.rowDescription(['é😀']), wire.dataRow(['é😀漢']), SELECT_1, Z])
  assertSameAsStock(stream)
  const expected = stockCollect(stream)
  for (let first = 1; first < stream.length; first++) {
    for (let second = first; second < stream.length; second++) {
      const chunks = cutAt(stream, [first, second])
      assertSameMessages(nativeCollect(chunks), expected, `cut at ${first} and ${second}`)
    }
  }
  const messages = nativeCollect(withEmptyChunks(cutAt(stream, [3, 30, 31]))).map(({ message }) => message)
  assert.deepEqual(names(messages), ['rowDescription', 'dataRow', 'commandComplete', 'readyForQuery'])
  assert.equal(messages[0].fields[0].name, 'é😀')
  assert.deepEqual(messages[1].fields, ['é😀漢'])
})

// electric-sql/pglite#1052
test('F03: one bad message does not poison the parser', () => {
  const bad = wire.message('R', wire.hex('00000063'))
  const run = (/** @type {any} */ parser) => {
    const log = /** @type {string[]} */ ([])
    for (const chunk of [bad, Z, Z]) {
      try {
        parser.parse(Buffer.from(chunk), (/** @type {any} */ message) => log.push(message.name))
      } catch (error) {
        log.push(String(error))
      }
    }
    return log
  }
  const thrown = 'Error: Unknown authenticationOk message type 99'
  assert.deepEqual(run(new NativeParser()), [thrown, 'readyForQuery', 'readyForQuery'])
  assert.deepEqual(run(new StockParser()), [thrown, thrown, thrown])
})

// oven-sh/bun#35114, ClickHouse/ClickHouse#116998
test('F06: a C string that runs past its frame', () => {
  const unended = wire.hex('43 0000000c 53454c4543542031')
  const stream = Buffer.concat([unended, wire.parameterStatus('a', 'b'), Z])
  for (const { how, chunks } of everyWay(stream)) {
    const [error, status, ready, ...rest] = messagesOf(new NativeParser(), chunks)
    assert.ok(error instanceof stockMessages.DatabaseError, how)
    assert.match(error.message, /^malformed CommandComplete message/)
    assert.deepEqual(
      { ...status },
      { length: 8, parameterName: 'a', parameterValue: 'b', name: 'parameterStatus' }
    )
    assert.equal(ready.name, 'readyForQuery')
    assert.deepEqual(rest, [])
  }
})

// ClickHouse/ClickHouse#107485, brianc/node-postgres#3347
test('F07: lengths below 4 and above 2^31', () => {
  for (const bytes of ['5a 00000000', '5a 00000003', '5a 80000000']) {
    for (const { how, chunks } of everyWay(Buffer.concat([wire.hex(bytes), Z]))) {
      const parser = new NativeParser()
      const messages = messagesOf(parser, chunks)
      assert.deepEqual(names(messages), ['error'], `${bytes}, ${how}`)
      assert.equal(messages[0].severity, 'FATAL')
      assert.equal(messages[0].code, '08P01')
      assert.equal(/** @type {any} */ (parser).reader.buffer.byteLength, 0)
    }
  }
})

// npgsql/npgsql#6159, pgbouncer/pgbouncer#1007, jeroenrinzema/psql-wire#147, pgjdbc/pgjdbc#3592
test('F08: the types v and V', () => {
  const negotiate = wire.hex('76 00000013 00030000 00000001 5f70715f2e7800')
  const result = wire.hex('56 0000000a 00000002 6869')
  for (const { how, chunks } of everyWay(
    Buffer.concat([negotiate, Z, result, Z, wire.functionCallResponse(null), Z])
  )) {
    const messages = messagesOf(new NativeParser(), chunks)
    assert.deepEqual(
      names(messages),
      [
        'negotiateProtocolVersion',
        'readyForQuery',
        'functionCallResponse',
        'readyForQuery',
        'functionCallResponse',
        'readyForQuery',
      ],
      how
    )
    const [version, , value, , nothing] = messages
    assert.ok(version instanceof NegotiateProtocolVersionMessage)
    assert.equal(version.length, 0x13)
    assert.equal(version.protocolVersion, 0x30000)
    assert.deepEqual(version.unrecognizedOptions, ['_pq_.x'])
    assert.ok(value instanceof FunctionCallResponseMessage)
    assert.equal(value.length, 10)
    assert.deepEqual(value.value, Buffer.from('hi'))
    assert.equal(nothing.value, null)
  }
  const [none] = native(wire.negotiateProtocolVersion(0x30002, []))
  assert.deepEqual(none.unrecognizedOptions, [])
  assert.equal(none.protocolVersion, 0x30002)
  const [two] = native(wire.negotiateProtocolVersion(0x30000, ['_pq_.é', '_pq_.b']))
  assert.deepEqual(two.unrecognizedOptions, ['_pq_.é', '_pq_.b'])
  const [empty] = native(wire.functionCallResponse(Buffer.alloc(0)))
  assert.deepEqual(empty.value, Buffer.alloc(0))
})

// npgsql/npgsql#6159, jackc/pgx#2489, sunng87/pgwire#440, gravitational/teleport#68711
test('F09: cancel keys longer than 4 bytes', () => {
  const key = (/** @type {number} */ length) => wire.backendKeyData(7, Buffer.alloc(length, 0xab))
  for (const length of [5, 8, 32, 256]) {
    for (const { how, chunks } of everyWay(Buffer.concat([key(length), Z]))) {
      const [message, ready] = messagesOf(new NativeParser(), chunks)
      assert.ok(message instanceof stockMessages.BackendKeyDataMessage, how)
      assert.equal(message.processID, 7)
      assert.equal(message.secretKey, -1414812757)
      assert.deepEqual(/** @type {any} */ (message).secretKeyBytes, Buffer.alloc(length, 0xab))
      assert.equal(ready.name, 'readyForQuery')
    }
  }
  assertSameAsStock(Buffer.concat([key(4), Z]))
  const [four] = native(key(4))
  assert.equal('secretKeyBytes' in four, false)
  const [none, ready] = native(Buffer.concat([key(0), Z]))
  assert.match(none.message, /^malformed BackendKeyData message/)
  assert.equal(ready.name, 'readyForQuery')
})

test('F09: the key stays when later chunks come', () => {
  const parser = new NativeParser()
  const chunk = wire.backendKeyData(7, Buffer.from('0123456789abcdef'))
  const [first] = messagesOf(parser, cutAt(chunk, [9]))
  messagesOf(parser, cutAt(wire.backendKeyData(8, Buffer.alloc(16, 0xff)), [9]))
  assert.deepEqual(first.secretKeyBytes, Buffer.from('0123456789abcdef'))
})

// brianc/node-postgres#2579, #1091, rust-postgres/rust-postgres#1309, elixir-ecto/postgrex#97, pgdogdev/pgdog#493,
// pgjdbc/r2dbc-postgresql#709, MaterializeInc/materialize#37934
test('F10: counts are unsigned 16 bit', () => {
  const count = 40000
  const types = Array.from({ length: count }, (_, i) => (i === count - 1 ? 25 : 23))
  const nulls = Array.from({ length: count }, () => null)
  const stream = Buffer.concat([
    wire.parameterDescription(types),
    wire.dataRow([...nulls.slice(1), 'last']),
    wire.copyOutResponse(0, types),
    wire.copyInResponse(1, types),
    wire.rowDescription(types.map((dataTypeID, i) => ({ name: `c${i}`, dataTypeID }))),
    Z,
  ])
  for (const chunks of [[stream], cutAt(stream, [1, 100_000, 300_000, 300_001])]) {
    const [parameters, row, copyOut, copyIn, description, ready] = messagesOf(new NativeParser(), chunks)
    assert.equal(parameters.parameterCount, count)
    assert.deepEqual(parameters.dataTypeIDs, types)
    assert.equal(row.fieldCount, count)
    assert.equal(row.isNull(count - 2), true)
    assert.equal(row.text(count - 1), 'last')
    assert.deepEqual(row.fields, [...nulls.slice(1), 'last'])
    assert.deepEqual(copyOut.columnTypes, types)
    assert.deepEqual(copyIn.columnTypes, types)
    assert.equal(description.fieldCount, count)
    assert.equal(description.fields.length, count)
    assert.equal(description.fields[count - 1].name, `c${count - 1}`)
    assert.equal(description.fields[count - 1].dataTypeID, 25)
    assert.equal(ready.name, 'readyForQuery')
  }
  assert.throws(() => new StockParser().parse(wire.parameterDescription(types), () => {}), RangeError)
})

test('F10: the attribute number stays signed (oven-sh/bun#30037)', () => {
  const stream = wire.rowDescription([
    { name: 'ctid', columnID: -1, tableID: 16384, dataTypeID: 27, dataTypeSize: 6 },
  ])
  assertSameAsStock(stream)
  assert.equal(native(stream)[0].fields[0].columnID, -1)
})

// oven-sh/bun#35115, #35114, wireshark/wireshark#66, cockroachdb/cockroach#81794
test('F11: error and notice with an empty field, an unknown field, no terminator', () => {
  const fields = { S: 'ERROR', V: 'ERROR', C: '42P01', W: '', M: 'boom', Z: 'later field' }
  for (const type of ['E', 'N']) {
    const body = wire.errorResponse(fields).subarray(5)
    const whole = Buffer.concat([wire.message(type, body), Z])
    assertSameAsStock(whole)
    for (const content of [body, body.subarray(0, -1)]) {
      for (const { how, chunks } of everyWay(Buffer.concat([wire.message(type, content), Z]))) {
        const [message, ready, ...rest] = messagesOf(new NativeParser(), chunks)
        assert.equal(message.message, 'boom', how)
        assert.equal(message.code, '42P01')
        assert.equal(message.severity, 'ERROR')
        assert.equal(message.where, '')
        assert.equal(message.detail, undefined)
        assert.equal(ready.name, 'readyForQuery')
        assert.deepEqual(rest, [])
      }
    }
  }
  for (const body of [Buffer.alloc(0), Buffer.from([0])]) {
    for (const { how, chunks } of everyWay(Buffer.concat([wire.message('E', body), Z]))) {
      const [error, ready, ...rest] = messagesOf(new NativeParser(), chunks)
      assert.ok(error instanceof stockMessages.DatabaseError, how)
      assert.equal(error.message, '')
      assert.equal(ready.name, 'readyForQuery')
      assert.deepEqual(rest, [])
    }
  }
  assertSameAsStock(Buffer.concat([wire.message('E', wire.hex('00')), Z]))
})

// brianc/node-postgres#1982, #1735
test('F13: notices are plain messages', () => {
  const stream = Buffer.concat([
    wire.noticeResponse({
      S: 'NOTICE',
      V: 'NOTICE',
      C: '01234',
      M: 'hi',
      D: 'd',
      H: 'h',
      s: 'ss',
      t: 'tt',
      c: 'c1',
      d: 'dt',
      n: 'k',
      W: 'PL/pgSQL function inline_code_block line 1 at RAISE',
      F: 'pl_exec.c',
      L: '3923',
      R: 'exec_stmt_raise',
    }),
    Z,
  ])
  assertSameAsStock(stream)
  const [notice] = native(stream)
  assert.equal(notice.name, 'notice')
  assert.ok(!(notice instanceof Error))
  assert.ok(notice instanceof stockMessages.NoticeMessage)
  assert.equal('stack' in notice, false)
  const { message, code, detail, hint, column, constraint, dataType, table, schema, severity } = notice
  assert.deepEqual(
    { message, code, detail, hint, column, constraint, dataType, table, schema, severity },
    {
      message: 'hi',
      code: '01234',
      detail: 'd',
      hint: 'h',
      column: 'c1',
      constraint: 'k',
      dataType: 'dt',
      table: 'tt',
      schema: 'ss',
      severity: 'NOTICE',
    }
  )
})

// brianc/node-postgres#1508, supabase/supavisor#710, mastra-ai/mastra#16041
test('F14: authentication messages', () => {
  const mechanisms = wire.message(
    'R',
    wire.hex('0000000a'),
    'SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0',
    wire.hex('00')
  )
  const final = wire.message('R', wire.hex('0000000c'), 'e=other-error')
  const md5 = wire.message('R', wire.hex('00000005 ff000102'))
  const stream = Buffer.concat([mechanisms, final, md5, Z])
  assertSameAsStock(stream)
  const [sasl, end, password] = native(stream)
  assert.deepEqual(sasl.mechanisms, ['SCRAM-SHA-256-PLUS', 'SCRAM-SHA-256'])
  assert.equal(end.data, 'e=other-error')
  assert.ok(Buffer.isBuffer(password.salt))
  assert.deepEqual(password.salt, wire.hex('ff000102'))
  const gss = wire.message('R', wire.hex('00000007'))
  for (const Parser of [NativeParser, StockParser]) {
    assert.throws(() => new Parser().parse(Buffer.from(gss), () => {}), {
      message: 'Unknown authenticationOk message type 7',
    })
  }
})

test('F14: a salt is not changed by what comes later', () => {
  for (let cut = 1; cut < 13; cut++) {
    const parser = new NativeParser()
    const salts = /** @type {Buffer[]} */ ([])
    const keep = (/** @type {any} */ message) => salts.push(message.salt)
    for (let i = 0; i < 50; i++) {
      const [a, b] = cutAt(wire.authenticationMD5Password(Buffer.alloc(4, i)), [cut])
      parser.parse(a, keep)
      parser.parse(b, keep)
    }
    salts.forEach((salt, i) => assert.deepEqual(salt, Buffer.alloc(4, i), `cut at ${cut}`))
  }
})

// brianc/node-postgres#2974, #3347, #3728, sequelize/sequelize#15466
test('F15: OIDs above 2^31', () => {
  const description = wire.message('T', wire.hex('0001 6100 fffffff0 ffff ffffffff fffe ffffffff 0000'))
  const stream = Buffer.concat([
    description,
    wire.parameterDescription([0xffffffff]),
    wire.dataRow(['4294967295']),
    SELECT_1,
    Z,
  ])
  assertSameAsStock(stream)
  const [{ fields }, { dataTypeIDs }, row] = native(stream)
  const { tableID, dataTypeID, columnID, dataTypeSize, dataTypeModifier } = fields[0]
  assert.deepEqual(
    [tableID, dataTypeID, columnID, dataTypeSize, dataTypeModifier],
    [4294967280, 4294967295, -1, -2, -1]
  )
  assert.deepEqual(dataTypeIDs, [4294967295])
  assert.equal(row.text(0), '4294967295')
})

// brianc/node-postgres#1245, #1330, #3778, typelevel/skunk#1234
test('F16: command tags without a count', () => {
  const Result = require('pg/lib/result')
  /** @type {Record<string, [string, number | null, number | null]>} what pg makes of each */
  const tags = {
    SELECT: ['SELECT', null, null],
    'SELECT 5': ['SELECT', null, 5],
    'INSERT 0 3': ['INSERT', 0, 3],
    'INSERT 1234 1': ['INSERT', 1234, 1],
    'COPY 10': ['COPY', null, 10],
    'CREATE TABLE': ['CREATE', null, null],
    'UPDATE 4294967296': ['UPDATE', null, 4294967296],
    LOCK: ['LOCK', null, null],
    BEGIN: ['BEGIN', null, null],
  }
  const stream = Buffer.concat([...Object.keys(tags).map(wire.commandComplete), wire.emptyQuery(), Z])
  assertSameAsStock(stream)
  const messages = native(stream)
  Object.entries(tags).forEach(([tag, [command, oid, rowCount]], i) => {
    assert.equal(messages[i].text, tag)
    const result = new Result()
    result.addCommandComplete(messages[i])
    assert.deepEqual([result.command, result.oid, result.rowCount], [command, oid, rowCount], tag)
  })
  // For an empty query pg leaves its result as it was made.
  assert.equal(messages.at(-2), stockMessages.emptyQuery)
  const empty = new Result()
  assert.deepEqual([empty.command, empty.rowCount], [null, null])
})
