import type { TransformOptions } from 'node:stream'
import type { BackendMessage, DataRowMessage, Mode } from './messages.js'

/** A message before it is parsed. Kept because pg-protocol exports the type; nothing here makes one. */
export type Packet = {
  code: number
  packet: Buffer
}

export type ParserOptions = Omit<TransformOptions, 'encoding'> & {
  /** `'text'`, which is the default. */
  mode?: Mode
  /**
   * In which encoding text is read: `'auto'`, which is the default, follows the server's `client_encoding`; `'utf8'` reads
   * UTF-8 whatever the server says, as pg-protocol does; and the name of any other encoding of PostgreSQL's.
   */
  encoding?: string
}

/** Called with each message, in order. */
export type MessageCallback = (msg: BackendMessage) => void

/**
 * Turns the bytes that a server sends into messages. A parser belongs to one connection and begins with its first
 * byte (after the one-byte answer to an SSL request).
 *
 * Between two calls it holds the bytes of the one message that has not arrived in full, and nothing else.
 *
 * With the JavaScript fallback (`native` is false) this is pg-protocol's own class: it has no `pause`,
 * `resume`, `paused` and `end`, and takes only Buffers.
 */
export declare class Parser {
  /** The class of the rows that this parser makes: the `DataRowMessage` that `dist/messages` exports. */
  static readonly DataRowMessage: typeof DataRowMessage

  /**
   * Calls `make` and gives what it returns. The parsers that are made meanwhile belong to the stream: they pause and
   * resume it with themselves, and destroy it when it cannot be followed any further. `parse(stream, callback)` does
   * this; it is for those who feed a parser on their own.
   */
  static forStream<T>(stream: NodeJS.ReadableStream, make: () => T): T

  /**
   * @throws {TypeError} when `encoding` is no encoding of PostgreSQL's
   * @throws {Error} `Binary mode not supported yet` for `mode: 'binary'`, as in pg-protocol. This is not about columns
   * in the binary format, which need no option.
   */
  constructor(opts?: ParserOptions)

  /**
   * Parses what has arrived and calls back with each message that is complete, before it returns. Chunks may be cut
   * anywhere and may be empty. The memory of a chunk must not be written to afterwards: rows, COPY data and salts are
   * views of it.
   *
   * A message that cannot be read arrives as a {@link DatabaseError} in its place, with the code `08P01`. After one
   * of the severity `FATAL` (impossible length in a header) the parser ignores whatever it is given.
   *
   * An exception from the callback leaves `parse` at once; the messages behind it are delivered by the next call. A
   * callback may call `parse`, `pause` and `resume` of its parser.
   *
   * It is an ordinary method of the prototype and may be wrapped there.
   *
   * @throws {TypeError} when the chunk is not a Buffer or Uint8Array, or the callback not a function
   * @throws {Error} `Unknown authenticationOk message type ...`, as in pg-protocol; that message is skipped
   */
  parse(buffer: Buffer | Uint8Array, callback: MessageCallback): void

  /**
   * Says that no more bytes will come. Where the last message is not whole, calls back with a {@link DatabaseError} of
   * the severity `FATAL` and the code `08P01`, which says how many of how many bytes had come; then calls `done`. While
   * messages are held, both wait for them. `parse(stream, callback)` does this when the stream ends.
   */
  end(callback: MessageCallback, done?: () => void): void

  /** Stops before the next message, also from inside the callback. What `parse` is given from now on is held. */
  pause(): void

  /**
   * Goes on: delivers what is held, in order and before it returns. From inside the callback it only ends the pause,
   * and delivery goes on when the callback returns.
   */
  resume(): void

  /** Whether it is paused. */
  readonly paused: boolean

  readonly mode: Mode
  /** The unfinished message as far as it has arrived; empty between messages. To look at, not to write to. */
  readonly buffer: Buffer
  /** Bytes that are held. */
  readonly bufferLength: number
  /** Where they begin in {@link buffer}, in bytes. */
  readonly bufferOffset: number
  /** For code that asks `parser.reader.buffer.byteLength` how many bytes are held. */
  readonly reader: { readonly buffer: { readonly byteLength: number } }
}

export {}
