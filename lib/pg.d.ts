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
