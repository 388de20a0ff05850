/**
 * The messages that a PostgreSQL server sends, as objects.
 *
 * The layouts are those of the section "Message Formats" (54.7) of the PostgreSQL documentation; the name in
 * brackets in each comment is the message's name there. In every message, `length` is the number that stands in the
 * message's header: its size in bytes without the type byte, the four bytes of the length itself included.
 *
 * Parsers make these objects; apps compare with the classes (`instanceof`) and read the fields.
 */

/** The format in which a column is sent. */
export type Mode = 'text' | 'binary'

/** The `name` of a message. The last two are not known to pg-protocol. */
export type MessageName =
  | 'parseComplete'
  | 'bindComplete'
  | 'closeComplete'
  | 'noData'
  | 'portalSuspended'
  | 'replicationStart'
  | 'emptyQuery'
  | 'copyDone'
  | 'copyData'
  | 'rowDescription'
  | 'parameterDescription'
  | 'parameterStatus'
  | 'backendKeyData'
  | 'notification'
  | 'readyForQuery'
  | 'commandComplete'
  | 'dataRow'
  | 'copyInResponse'
  | 'copyOutResponse'
  | 'authenticationOk'
  | 'authenticationMD5Password'
  | 'authenticationCleartextPassword'
  | 'authenticationSASL'
  | 'authenticationSASLContinue'
  | 'authenticationSASLFinal'
  | 'error'
  | 'notice'
  | 'negotiateProtocolVersion'
  | 'functionCallResponse'

/** What all messages have. Look at `name`, then cast to the class that goes with it. */
export interface BackendMessage {
  name: MessageName
  /** Bytes, without the type byte. */
  length: number
}

/** A statement was parsed (ParseComplete). One object for all of them. */
export declare const parseComplete: BackendMessage
/** Parameters were bound (BindComplete). One object for all of them. */
export declare const bindComplete: BackendMessage
/** A statement or portal was closed (CloseComplete). One object for all of them. */
export declare const closeComplete: BackendMessage
/** The statement gives no rows (NoData). One object for all of them. */
export declare const noData: BackendMessage
/** The row limit of Execute was reached, more rows may follow (PortalSuspended). One object for all of them. */
export declare const portalSuspended: BackendMessage
/** Streaming replication begins (CopyBothResponse). One object for all of them; its body is not parsed. */
export declare const replicationStart: BackendMessage
/** The query string was empty (EmptyQueryResponse). One object for all of them. */
export declare const emptyQuery: BackendMessage
/** The server has sent all COPY data (CopyDone). One object for all of them. */
export declare const copyDone: BackendMessage

/**
 * The fields of an error or a notice: section "Error and Notice Message Fields" (54.8). A field that the server did
 * not send is `undefined`, one that it sent empty is `''`.
 */
interface NoticeOrError {
  /** Field M: the primary message. */
  message: string | undefined
  /** Field S: ERROR, FATAL, PANIC, WARNING, NOTICE ..., possibly in the language of the server. */
  severity: string | undefined
  /** Field C: the five characters of the SQLSTATE. */
  code: string | undefined
  /** Field D. */
  detail: string | undefined
  /** Field H. */
  hint: string | undefined
  /** Field P: position in the query string, in characters from 1, as decimal digits. */
  position: string | undefined
  /** Field p: as `position`, in `internalQuery`. */
  internalPosition: string | undefined
  /** Field q: the text of a command that the server itself made. */
  internalQuery: string | undefined
  /** Field W: the call stack, a line per call, the latest first. */
  where: string | undefined
  /** Field s. */
  schema: string | undefined
  /** Field t. */
  table: string | undefined
  /** Field c. */
  column: string | undefined
  /** Field d. */
  dataType: string | undefined
  /** Field n. */
  constraint: string | undefined
  /** Field F: the source file of the server. */
  file: string | undefined
  /** Field L: the line in that file, as decimal digits. */
  line: string | undefined
  /** Field R: the function in that file. */
  routine: string | undefined
}

/**
 * An error (ErrorResponse). It is pg-protocol's own class, the one that `pg` exports.
 *
 * The parser makes one, too, in place of a message that it cannot read. `code` is then `08P01` (protocol violation)
 * and `message` starts with `malformed`; `severity` is `ERROR` when the next message is read as usual and `FATAL`
 * when the stream cannot be followed any further. For a type byte that it does not know, `message` is `received
 * invalid response: ` and the byte in hexadecimal, and the other fields are undefined.
 */
export declare class DatabaseError extends Error implements NoticeOrError {
  /** Bytes, without the type byte. */
  readonly length: number
  readonly name: MessageName
  severity: string | undefined
  code: string | undefined
  detail: string | undefined
  hint: string | undefined
  position: string | undefined
  internalPosition: string | undefined
  internalQuery: string | undefined
  where: string | undefined
  schema: string | undefined
  table: string | undefined
  column: string | undefined
  dataType: string | undefined
  constraint: string | undefined
  file: string | undefined
  line: string | undefined
  routine: string | undefined
  /**
   * @param message the primary message
   * @param length bytes, without the type byte
   * @param name `'error'`
   */
  constructor(message: string, length: number, name: MessageName)
}

/** A warning or other notice (NoticeResponse). Not an `Error`. */
export declare class NoticeMessage implements BackendMessage, NoticeOrError {
  /** Bytes, without the type byte. */
  readonly length: number
  readonly message: string | undefined
  constructor(length: number, message: string | undefined)
  readonly name = 'notice'
  severity: string | undefined
  code: string | undefined
  detail: string | undefined
  hint: string | undefined
  position: string | undefined
  internalPosition: string | undefined
  internalQuery: string | undefined
  where: string | undefined
  schema: string | undefined
  table: string | undefined
  column: string | undefined
  dataType: string | undefined
  constraint: string | undefined
  file: string | undefined
  line: string | undefined
  routine: string | undefined
}

/** A piece of COPY or replication data (CopyData). */
export declare class CopyDataMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  /**
   * The data: a view of the bytes that the parser was given, not a copy. They are not rewritten by the parser, so a
   * chunk may be kept; it keeps the read that it came with in memory.
   */
  readonly chunk: Buffer
  readonly name = 'copyData'
  constructor(length: number, chunk: Buffer)
}

/** COPY begins, in one direction or the other (CopyInResponse, CopyOutResponse). */
export declare class CopyResponse {
  /** Bytes, without the type byte. */
  readonly length: number
  /** `'copyInResponse'` or `'copyOutResponse'`. */
  readonly name: MessageName
  /** Whether the whole COPY is in the binary format. */
  readonly binary: boolean
  /** The format of each column: 0 text, 1 binary. */
  readonly columnTypes: number[]
  constructor(length: number, name: MessageName, binary: boolean, columnCount: number)
}

/** One column in a {@link RowDescriptionMessage}. */
export declare class Field {
  readonly name: string
  /** OID of the table that the column comes from, 0 if it comes from none. */
  readonly tableID: number
  /** The column's attribute number in that table, 0 if it comes from none; negative for system columns. */
  readonly columnID: number
  /** OID of the data type. */
  readonly dataTypeID: number
  /** Size of the data type in bytes, negative for types of variable width. */
  readonly dataTypeSize: number
  /** What stands in brackets after the type's name (`varchar(10)`), encoded as the type likes it; -1 if nothing. */
  readonly dataTypeModifier: number
  readonly format: Mode
  constructor(
    name: string,
    tableID: number,
    columnID: number,
    dataTypeID: number,
    dataTypeSize: number,
    dataTypeModifier: number,
    format: Mode
  )
}

/** The columns of the rows to come (RowDescription). */
export declare class RowDescriptionMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  readonly fieldCount: number
  readonly name: MessageName
  readonly fields: Field[]
  constructor(length: number, fieldCount: number)
}

/** The types of a prepared statement's parameters (ParameterDescription). */
export declare class ParameterDescriptionMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  readonly parameterCount: number
  readonly name: MessageName
  /** OIDs. */
  readonly dataTypeIDs: number[]
  constructor(length: number, parameterCount: number)
}

/** The value of a server setting, at the start and whenever it changes (ParameterStatus). */
export declare class ParameterStatusMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  readonly parameterName: string
  readonly parameterValue: string
  readonly name: MessageName
  constructor(length: number, parameterName: string, parameterValue: string)
}

/** The server wants an MD5 password (AuthenticationMD5Password). */
export declare class AuthenticationMD5Password implements BackendMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  /** 4 bytes. */
  readonly salt: Buffer
  readonly name: MessageName
  constructor(length: number, salt: Buffer)
}

/** What is needed to cancel a query of this connection (BackendKeyData). */
export declare class BackendKeyDataMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  readonly processID: number
  /** The key, or the first 4 bytes of a longer one, as a signed 32-bit number. */
  readonly secretKey: number
  /**
   * The whole key, when it is not 4 bytes long: protocol 3.2 (PostgreSQL 18) allows up to 256 bytes. Only the native
   * parser sets it; pg-protocol cuts such keys.
   */
  readonly secretKeyBytes?: Buffer
  readonly name: MessageName
  constructor(length: number, processID: number, secretKey: number)
}

/** Somebody has called NOTIFY on a channel that this connection listens to (NotificationResponse). */
export declare class NotificationResponseMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  /** The process that has called NOTIFY. */
  readonly processId: number
  readonly channel: string
  /** `''` if there is none. */
  readonly payload: string
  readonly name: MessageName
  constructor(length: number, processId: number, channel: string, payload: string)
}

/** The server waits for the next query (ReadyForQuery). */
export declare class ReadyForQueryMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  /** `'I'` idle, `'T'` in a transaction, `'E'` in a failed transaction. */
  readonly status: string
  readonly name: MessageName
  constructor(length: number, status: string)
}

/** A command is done (CommandComplete). */
export declare class CommandCompleteMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  /** The command tag, such as `SELECT 5` or `INSERT 0 1`. */
  readonly text: string
  readonly name: MessageName
  constructor(length: number, text: string)
}

/**
 * A row (DataRow).
 *
 * A row of the native parser holds bytes and makes strings when it is asked for them. What is documented here beyond
 * `length`, `fields`, `fieldCount` and `name` is there only then, that is when `native` of this package is true.
 *
 * `console.log`, `JSON.stringify` and `structuredClone` show `fields` as with pg-protocol.
 */
export declare class DataRowMessage {
  /** Bytes, without the type byte. */
  length: number
  readonly fieldCount: number
  readonly name: MessageName
  /**
   * The cells as text, NULL as null; the same array each time. Made on first access.
   *
   * Bytes that are not UTF-8 become U+FFFD as in `buffer.toString('utf8')`, so a column in the binary format should
   * be read with {@link cell}.
   *
   * @throws {Error} `malformed DataRow ...`, `code` `08P01`, when a cell runs past the end of the message
   */
  fields: (string | null)[]
  /**
   * What holds the row: the chunk that it came with or, where a message came in several chunks, a buffer of its own.
   * Never rewritten by the parser. To keep a row for long without that chunk, see {@link detach}. Null for a row that
   * was made of fields.
   */
  readonly bytes: Buffer | null
  /** Where the row begins in {@link bytes}: the position of the Int16 that counts the cells, in bytes. */
  readonly offset: number
  /** @param fields the cells */
  constructor(length: number, fields: (string | null)[])
  /**
   * @param length bytes, without the type byte
   * @param bytes a buffer that holds the row, which is not copied
   * @param offset position of the Int16 that counts the cells, in bytes
   * @throws {RangeError} when such a row does not lie in the buffer
   */
  constructor(length: number, bytes: Buffer, offset: number)
  /**
   * Whether a cell is NULL.
   *
   * @param index of the column, from 0
   * @throws {RangeError} when there is no such column
   * @throws {Error} `malformed DataRow ...`, `code` `08P01`, when the cell runs past the end of the message
   */
  isNull(index: number): boolean
  /**
   * One cell as text, without decoding the others; null for NULL.
   *
   * @param index of the column, from 0
   * @throws {RangeError} when there is no such column
   * @throws {Error} `malformed DataRow ...`, `code` `08P01`, when the cell runs past the end of the message
   */
  text(index: number): string | null
  /**
   * The bytes of one cell, as a view that shares memory with {@link bytes}; null for NULL.
   *
   * @param index of the column, from 0
   * @throws {RangeError} when there is no such column
   * @throws {Error} `malformed DataRow ...`, `code` `08P01`, when the cell runs past the end of the message
   */
  cell(index: number): Buffer | null
  /** Copies the row into a buffer of its own, so that keeping it no longer keeps the chunk that it came with. */
  detach(): this
  /** A plain object with `length`, `fields`, `name` and `fieldCount`. */
  toJSON(): { length: number; fields: (string | null)[]; name: MessageName; fieldCount: number }
}

/**
 * The server does not speak the minor version of the protocol that was asked for, or does not know some of its
 * options (NegotiateProtocolVersion). Made by the native parser only: pg-protocol gives a {@link DatabaseError} with
 * the message `received invalid response: 76`.
 */
export declare class NegotiateProtocolVersionMessage implements BackendMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  /** The newest version that the server speaks, major version in the upper 16 bits: 196610 is 3.2. */
  readonly protocolVersion: number
  /** Names of the options that the server does not know. */
  readonly unrecognizedOptions: string[]
  readonly name: 'negotiateProtocolVersion'
  constructor(length: number, protocolVersion: number, unrecognizedOptions: string[])
}

/**
 * The result of a function called by OID (FunctionCallResponse). Made by the native parser only: pg-protocol gives a
 * {@link DatabaseError} with the message `received invalid response: 56`.
 */
export declare class FunctionCallResponseMessage implements BackendMessage {
  /** Bytes, without the type byte. */
  readonly length: number
  /** The value in the format that was asked for, null for NULL. A view, as `chunk` of {@link CopyDataMessage}. */
  readonly value: Buffer | null
  readonly name: 'functionCallResponse'
  constructor(length: number, value: Buffer | null)
}

export {}
