// Compiled, never run: the package under its own name.

import * as net from 'node:net'
import * as pg from 'pg'
import {
  type BackendKeyDataMessage,
  type BackendMessage,
  DataRowMessage,
  DatabaseError,
  FunctionCallResponseMessage,
  messages,
  native,
  NegotiateProtocolVersionMessage,
  parse,
  Parser,
  type ParserOptions,
  serialize,
} from 'pg-protocol-native'
import { NoticeMessage } from 'pg-protocol-native/dist/messages'
import { Parser as DeepParser } from 'pg-protocol-native/dist/parser.js'
import { toArrow } from 'pg-protocol-native/arrow'
import {
  accelerate,
  copyColumns,
  type Acceleration,
  type AccelerateOptions,
  type ColumnBatch,
  type ColumnsResult,
} from 'pg-protocol-native/pg'
import registration = require('pg-protocol-native/register')

/** Fails to compile unless both are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => {}

same<typeof native, boolean>(true)
same<typeof Parser, typeof DeepParser>(true)
same<typeof messages.NoticeMessage, typeof NoticeMessage>(true)
same<typeof messages.DataRowMessage, typeof DataRowMessage>(true)

const options: ParserOptions = {}
const parser = new Parser(options)
parser.parse(Buffer.alloc(0), (message: BackendMessage) => {
  if (message instanceof DataRowMessage) {
    for (let i = 0; i < message.fieldCount; i++) if (!message.isNull(i)) message.text(i)?.trim()
    message.cell(0)?.readInt32BE()
  } else if (message instanceof DatabaseError) {
    message.code?.startsWith('08')
  } else if (message instanceof NegotiateProtocolVersionMessage) {
    message.unrecognizedOptions.join()
    same<typeof message.protocolVersion, number>(true)
  } else if (message instanceof FunctionCallResponseMessage) {
    same<typeof message.value, Buffer | null>(true)
  } else if (message.name === 'backendKeyData') {
    same<BackendKeyDataMessage['secretKeyBytes'], Buffer | undefined>(true)
  }
})
parser.pause()
same<typeof parser.paused, boolean>(true)
parser.resume()
parser.reader.buffer.byteLength.toFixed()
same<typeof parser.buffer, Buffer>(true)

const socket = net.connect(5432)
parse(socket, (message) => message.name.length.toFixed()) satisfies Promise<void>
same<ReturnType<typeof makeParser>, Parser>(true)
function makeParser() {
  return Parser.forStream(socket, () => new Parser())
}
socket.write(serialize.flush())

same<typeof registration.active, boolean>(true)
same<typeof registration.reason, string | null>(true)
same<typeof registration.stats.rows, number>(true)
registration.restore()

const rowOptions: AccelerateOptions = { rows: false }
const acceleration = accelerate(pg, rowOptions)
same<typeof acceleration, Acceleration>(true)
same<typeof acceleration.reason, string | null>(true)
same<typeof acceleration.active | typeof acceleration.rows, boolean>(true)
same<typeof acceleration.stats.rows, number>(true)
acceleration.restore()

const client = new pg.Client()
const copied = copyColumns(client, 'copy t to stdout (format binary)', { micros: true })
copied.then((result) => {
  same<typeof result.rowCount, number | null>(true)
  const { price } = result.columns
  if (price.values instanceof Float64Array) price.values.fill(0)
  if (!price.isNull(0)) for (const value of price) price.get(0) === value
  toArrow(result).numRows
})
declare const batch: ColumnBatch
for (const { columnList, length } of batch) columnList[0].nulls?.at(length >> 3)
declare const result: ColumnsResult
same<typeof result.rows, []>(true)

// @ts-expect-error whether it is native cannot be chosen here
registration.active = true
// @ts-expect-error paused and resumed by methods
parser.paused = true
// @ts-expect-error it needs a callback
parser.parse(Buffer.alloc(0))
// @ts-expect-error there is no such option
accelerate(pg, { columns: true })
// @ts-expect-error on or off
accelerate(pg, { rows: 'off' })
// @ts-expect-error not a pg
accelerate({})
// @ts-expect-error counted, not set
acceleration.stats.rows = 0
