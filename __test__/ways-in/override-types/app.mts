// Compiled, never run: the same from an ES module.

import pg from 'pg'
import protocol, { DatabaseError, parse, serialize } from 'pg-protocol'
import messages, { NoticeMessage } from 'pg-protocol/dist/messages.js'
import { Parser, type MessageCallback } from 'pg-protocol/dist/parser.js'

const client = new pg.Client()
client.on('notice', (notice: NoticeMessage) => notice.severity?.trim())
client.query('select 1').catch((err: unknown) => {
  if (
    err instanceof pg.DatabaseError ||
    err instanceof DatabaseError ||
    err instanceof protocol.DatabaseError
  ) {
    return err.code satisfies string | undefined
  }
  throw err
})

const callback: MessageCallback = (message) => {
  if (message instanceof messages.ReadyForQueryMessage) message.status.charAt(0)
  if (message instanceof DatabaseError) message.severity?.trim()
}
new Parser().parse(serialize.sync(), callback)
parse(process.stdin, callback).then(() => {})
new protocol.Parser() satisfies Parser

// @ts-expect-error not exported by the entry, only by dist/messages
new protocol.NoticeMessage(4, 'a')
