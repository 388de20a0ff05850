/**
 * pg-protocol-native: what node-postgres' pg-protocol does, with a parser written in Rust.
 *
 * The protocol is that of the chapter "Frontend/Backend Protocol" (54) of the PostgreSQL documentation. The messages
 * are described in `dist/messages`, the parser in `dist/parser`.
 *
 * With `PG_PROTOCOL_NATIVE=require` in the environment, loading the package throws when its binary cannot be loaded;
 * with `=off` the binary is not tried. In this and any other case without a binary, `Parser`, `parse` and the
 * messages are those of pg-protocol itself, and unless switched off one warning with the code
 * `PG_PROTOCOL_NATIVE_FALLBACK` says so.
 */

import type { MessageCallback } from './dist/parser.js'
import * as messages from './dist/messages.js'

/** Whether the native parser is in use. */
export declare const native: boolean

/**
 * Parses all that a stream gives, from its next chunk to its end. The callback is called inside the stream's `data`
 * event.
 *
 * `parse` of the parser is called through the instance with each chunk. When the parser is paused, the stream is
 * paused with it; when the stream cannot be followed any further (an `error` message of the severity `FATAL` and
 * with the code `08P01`, made by the parser), it is destroyed with that error.
 *
 * A stream that ends inside a message yields such an `error` message, too, in place of the message that is not whole.
 *
 * An exception from the callback leaves the stream's `data` event; the messages behind it are delivered on the next
 * tick, unless the stream has been destroyed.
 *
 * @returns a promise that is fulfilled when the stream has ended; it is never rejected
 */
export declare function parse(stream: NodeJS.ReadableStream, callback: MessageCallback): Promise<void>

export { serialize } from './dist/serializer.js'
export { Parser } from './dist/parser.js'
export type { MessageCallback, Packet, ParserOptions } from './dist/parser.js'

export {
  DatabaseError,
  DataRowMessage,
  FunctionCallResponseMessage,
  NegotiateProtocolVersionMessage,
} from './dist/messages.js'

/** All message classes and constants: what `dist/messages` exports. */
export { messages }

// The other classes are values of `messages`; here they are types.
export type {
  AuthenticationMD5Password,
  BackendKeyDataMessage,
  BackendMessage,
  CommandCompleteMessage,
  CopyDataMessage,
  CopyResponse,
  Field,
  MessageName,
  Mode,
  NoticeMessage,
  NotificationResponseMessage,
  ParameterDescriptionMessage,
  ParameterStatusMessage,
  ReadyForQueryMessage,
  RowDescriptionMessage,
} from './dist/messages.js'
