/**
 * `pg-protocol-native/pg` accelerates a copy of `pg`: its parser becomes the native one, and the rows of its queries,
 * cursors and streams are built natively, with the same results.
 *
 * ```
 * const pg = require('pg')
 * const { accelerate } = require('pg-protocol-native/pg')
 * const acceleration = accelerate(pg)
 * ```
 *
 * `pg-protocol-native/register` does this with every copy of `pg` in the process, without a change in the app.
 */

/** What `require('pg')` gives, or `import pg from 'pg'`. */
export interface PgModule {
  Client: unknown
  Connection: unknown
}

export interface AccelerateOptions {
  /**
   * Whether rows are built natively. With `false` only the parser is native, and `pg` builds the rows.
   *
   * @default true
   */
  rows?: boolean
  /**
   * In which encoding text is read: `'auto'` follows the server's `client_encoding`; `'utf8'` reads UTF-8 whatever the
   * server says, as stock `pg` does; and the name of any other encoding of PostgreSQL's.
   *
   * @default 'auto', or what `PG_PROTOCOL_NATIVE_ENCODING` says
   */
  encoding?: string
}

/**
 * What an accelerated `pg.Query` has besides: a query whose `row` events come too fast stops its connection, so that the
 * server waits and memory stays bounded.
 *
 * ```
 * const query = client.query(new pg.Query('select * from large'))
 * query.on('row', (row) => {
 *   query.pause()
 *   work(row).then(() => query.resume())
 * })
 * ```
 *
 * TypeScript: `(query as typeof query & PausableQuery).pause()`.
 */
export interface PausableQuery {
  /**
   * No row comes until `resume()`, and the socket is not read. Before it is the query's turn, this stops it at its first
   * row. Whatever ends the query ends it all the same, after the rows that had come: an error, `client.end()`, the end of
   * the connection.
   */
  pause(): this
  /** Goes on, with the rows that had come first. */
  resume(): this
}

export interface Acceleration {
  /** Whether connections that are opened from now on get the native parser. */
  readonly active: boolean
  /** Whether their rows are built natively. */
  readonly rows: boolean
  /** Why it is not active, or why rows are left to `pg` although they were asked for; otherwise `null`. */
  readonly reason: string | null
  readonly stats: {
    /**
     * How many rows of this copy of `pg` have been built natively. A row that something else in the app looks at, for
     * instance by listening to `message` on the connection, is built by `pg` itself.
     */
    readonly rows: number
  }
  /**
   * Puts back what was there. Connections opened from now on are those of stock `pg`, those that are open keep the
   * native parser while `pg` builds their rows. What others have asked for, `register` or a second `accelerate`, stays.
   * May be called more than once.
   */
  restore(): void
}

/**
 * Accelerates a copy of `pg`. Connections that were open before stay as they are.
 *
 * Where there is no binary, `pg` is left as it is and one warning with the code `PG_PROTOCOL_NATIVE_FALLBACK` is
 * emitted. So is a `pg` of an unknown shape, with a warning of the code `PG_PROTOCOL_NATIVE_UNKNOWN`; if it is only the
 * rows that are not known, the parser becomes native all the same.
 *
 * @throws TypeError if `pg` or `options` are not what they should be
 */
export declare function accelerate(pg: PgModule, options?: AccelerateOptions): Acceleration

/**
 * A column of a result that was asked for with `rowMode: 'columns'`: packed values, and `get(i)` for the value that a row of
 * `pg`'s would have there.
 */
export interface Column extends Iterable<any> {
  readonly name: string
  /** OID of the column's type. */
  readonly dataTypeID: number
  /** How many rows there are. */
  readonly length: number
  /**
   * The values as the wire had them:
   *
   * | type                                     | values                                                                |
   * | ---------------------------------------- | --------------------------------------------------------------------- |
   * | `int2`, `int4`                           | `Int32Array`                                                          |
   * | `int8`                                   | `BigInt64Array`                                                       |
   * | `oid`                                    | `Uint32Array`                                                         |
   * | `float4`, `float8`                       | `Float64Array`                                                        |
   * | `bool`                                   | `Uint8Array` of 0 and 1                                               |
   * | `timestamptz`, `timestamp`, `date`       | `Float64Array`: milliseconds since 1970, infinite for `infinity`      |
   * | the first two with `'columns-micros'`    | `BigInt64Array`: microseconds since 1970; the extremes for `infinity`. `timestamp` is that of a clock in UTC |
   * | `text`, `numeric`, `uuid`, `json`, `bytea` and all else | {@link PackedBytes}                                     |
   * | any type with a parser of the application, arrays of dates | a plain array of the values                         |
   *
   * A column becomes a plain array as well when a cell is no value of its type, which no healthy server sends.
   */
  readonly values:
    Int32Array | Uint32Array | BigInt64Array | Float64Array | Uint8Array | PackedBytes | readonly any[]
  /**
   * A bit for each row, the lowest of a byte first, as in Arrow: 0 where the column is NULL, and `values` holds nothing of
   * use. `null` where no row is NULL, and for plain arrays, which have `null` in place.
   */
  readonly nulls: Uint8Array | null
  /** Whether the column is NULL in row `i`. */
  isNull(i: number): boolean
  /**
   * The value that `pg` gives in row `i`: a `Date` for timestamps, a string for `int8`, the parsed JSON, `null` for NULL;
   * `undefined` where there is no such row. Made when it is asked for, and not kept: a Buffer of a `bytea` column is a view of
   * the column.
   */
  get(i: number): any
}

/** Texts or bytes behind each other: value `i` is `data.subarray(offsets[i], offsets[i + 1])`. */
export interface PackedBytes {
  readonly offsets: Int32Array
  readonly data: Uint8Array
}

/** What a query with `rowMode: 'columns'` has besides `command`, `rowCount`, `oid` and `fields`. */
export interface ColumnsResult {
  /** Always empty. */
  readonly rows: []
  /** By name; of several columns of one name the last one. */
  readonly columns: Record<string, Column>
  /** In the order of the fields. */
  readonly columnList: Column[]
}

/**
 * What `read` of a cursor with `rowMode: 'columns'` gives, and a `pg-query-stream` as its `data`: some rows as columns. As an
 * iterable it has one element, itself, if it has rows.
 */
export interface ColumnBatch extends Iterable<ColumnBatch> {
  /** How many rows there are. */
  readonly length: number
  readonly columns: Record<string, Column>
  readonly columnList: Column[]
}

export interface CopyColumnsOptions {
  /**
   * The columns that are copied. Without them the server is asked to describe the query or table in the statement.
   */
  columns?: { name: string; dataTypeID: number }[]
  /** Timestamps in microseconds, as with `rowMode: 'columns-micros'`. */
  micros?: boolean
}

/**
 * Runs a `COPY ... TO STDOUT (FORMAT binary)` and gives its rows as columns: those of the same query with `rowMode: 'columns'`,
 * except that a `float4` is the exact number and not the shortest that is close to it, and that no parser of the application
 * is asked.
 *
 * Boolean, numbers, texts, `json`, `jsonb`, `uuid`, `bytea`, dates and timestamps can be read; other types are a TypeError
 * that names the column: cast them to text.
 *
 * @param client a connected client of `pg`, or one that `pool.connect()` gave
 */
export declare function copyColumns(
  client: { query: unknown },
  text: string,
  options?: CopyColumnsOptions
): Promise<
  ColumnsResult & {
    command: string
    rowCount: number | null
    fields: { name: string; dataTypeID: number }[]
  }
>
