// Compiled, never run. What public code does with pg-protocol's types has to go on compiling.

import { Client, DatabaseError as PgDatabaseError, Pool } from 'pg'
import { DatabaseError, parse, serialize } from 'pg-protocol'
import { BufferReader } from 'pg-protocol/dist/buffer-reader'
import { Writer } from 'pg-protocol/dist/buffer-writer'
import * as messages from 'pg-protocol/dist/messages'
import {
  BackendMessage,
  bindComplete,
  CommandCompleteMessage,
  DataRowMessage,
  MessageName,
  Mode,
  NoticeMessage,
  ParameterStatusMessage,
  ReadyForQueryMessage,
  RowDescriptionMessage,
} from 'pg-protocol/dist/messages.js'
import { MessageCallback, Packet, Parser } from 'pg-protocol/dist/parser'
import { serialize as deepSerialize } from 'pg-protocol/dist/serializer.js'

/** Fails to compile unless both are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => {}

// @types/pg re-exports the class and takes the notice from the deep path.
same<typeof PgDatabaseError, typeof DatabaseError>(true)
new Client().on('notice', (notice: NoticeMessage) => notice.message?.trim())
new Pool().query('select 1').catch((err: unknown) => {
  if (err instanceof PgDatabaseError)
    return [err.code, err.detail, err.constraint] satisfies (string | undefined)[]
  throw err
})
const made = new DatabaseError('no such thing', 42, 'error')
made.code = '42P01'
made satisfies Error
const { length }: { length: number } = made

// Upstream's shapes, as callers write them.
const callback: MessageCallback = (message: BackendMessage) => {
  if (message.name === 'dataRow') (message as DataRowMessage).fields.map((cell) => cell?.length)
  if (message.name === 'readyForQuery') (message as ReadyForQueryMessage).status.charAt(0)
  if (message.name === 'commandComplete') (message as CommandCompleteMessage).text.split(' ')
  if (message.name === 'parameterStatus') (message as ParameterStatusMessage).parameterValue.trim()
  if (message.name === 'rowDescription') {
    for (const { name, dataTypeID, format } of (message as RowDescriptionMessage).fields) {
      same<typeof format, Mode>(true)
      name.concat(String(dataTypeID))
    }
  }
}
const parser = new Parser()
parser.parse(Buffer.alloc(0), callback)
parser.parse(new Uint8Array(0), (message) => message.length.toFixed())
new Parser({ mode: 'text', highWaterMark: 1 })
const original = Parser.prototype.parse
Parser.prototype.parse = function (buffer, callback) {
  original.call(this, buffer, callback)
}
class Counting extends Parser {
  count = 0
  override parse(buffer: Buffer, callback: MessageCallback): void {
    this.count++
    super.parse(buffer, callback)
  }
}
new Counting().parse(Buffer.alloc(0), callback)
parse(process.stdin, callback).then(() => {})
const packet: Packet = { code: 90, packet: Buffer.alloc(0) }
const name: MessageName = bindComplete.name
const description: messages.RowDescriptionMessage = new messages.RowDescriptionMessage(6, 0)
new messages.Field('a', 0, 0, 25, -1, -1, 'text').dataTypeID.toFixed()
new messages.CopyResponse(7, 'copyInResponse', false, 0).columnTypes.length.toFixed()

// Serializer, reader and writer are upstream's own.
same<typeof serialize, typeof deepSerialize>(true)
serialize.query('select 1') satisfies Buffer
serialize.bind({ values: [1, null, 'a'], valueMapper: (value) => value })
serialize.cancel(1, 2)
new BufferReader(5).setBuffer(0, Buffer.alloc(0))
new Writer(64).addInt32(1).addCString('a').flush(0x51) satisfies Buffer

// The rows of this package.
const row = new DataRowMessage(10, ['a', null])
same<typeof row.fields, (string | null)[]>(true)
same<ReturnType<typeof row.text>, string | null>(true)
same<ReturnType<typeof row.cell>, Buffer | null>(true)
same<ReturnType<typeof row.isNull>, boolean>(true)
same<typeof row.bytes, Buffer | null>(true)
row.detach().offset.toFixed()
new DataRowMessage(10, Buffer.alloc(10), 0).fieldCount.toFixed()

// @ts-expect-error a cell may be null
row.fields[0].length
// @ts-expect-error there are no numbers in a row
row.fields[0] = 1
// @ts-expect-error the place in the buffer is missing
new DataRowMessage(10, Buffer.alloc(10))
// @ts-expect-error a column is given by its index
row.text('a')
// @ts-expect-error messages come as bytes
parser.parse('5a0000000549', callback)
// @ts-expect-error there is no such mode
new Parser({ mode: 'hex' })
// @ts-expect-error not a message
const wrong: MessageName = 'readyForEverything'
// @ts-expect-error what a server says is not to be changed
row.bytes = Buffer.alloc(0)
// @ts-expect-error the name is missing
new DatabaseError('no such thing', 42)

void [packet, name, description, wrong, length]
