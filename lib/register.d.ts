/**
 * `pg-protocol-native/register` accelerates every copy of `pg` in this process, those already loaded and those to come:
 * their parser becomes the native one, and the rows of queries, cursors and streams are built natively. The app does
 * not change:
 *
 * ```
 * node -r pg-protocol-native/register app.js
 * node --import pg-protocol-native/register app.mjs
 * ```
 *
 * or, anywhere in the app, `require('pg-protocol-native/register')`. Loading it a second time, from this copy of the
 * package or another, changes nothing. Connections that were open before stay as they are.
 *
 * It finds what Node's CommonJS loader loads. A `pg` that is inlined in a bundle, that lives in the module registry of
 * Jest, or whose source is handed to Node by a customization hook (`module.register`) is out of its reach; there, the
 * override serves, or `accelerate` of `pg-protocol-native/pg`.
 *
 * With `PG_PROTOCOL_NATIVE_ROWS=off` in the environment only the parser is native, and `pg` builds the rows.
 *
 * It throws only when `PG_PROTOCOL_NATIVE=require` and the binary does not load, or when one of these variables has a
 * value it does not know. Where there is no binary, `pg` is left as it is and one warning with the code
 * `PG_PROTOCOL_NATIVE_FALLBACK` is emitted; a copy of `pg` or `pg-protocol` of an unknown shape is left as it is with
 * one warning of the code `PG_PROTOCOL_NATIVE_UNKNOWN`. If it is only the rows of a `pg` that are not known, its parser
 * becomes native all the same.
 */
declare const registration: {
  /** Whether the copies of `pg` that are loaded are accelerated. */
  readonly active: boolean
  /** Why it is not active, as one sentence; `null` when it is. */
  readonly reason: string | null
  /** The files that have been patched until now, as absolute paths: none if no `pg` was found yet. */
  readonly files: readonly string[]
  readonly stats: {
    /** How many rows have been built natively until now, of all copies of `pg`. */
    readonly rows: number
  }
  /**
   * Puts everything back. Connections opened from now on are those of stock `pg`, those that are open keep their parser,
   * while `pg` builds their rows. May be called more than once.
   */
  restore(): void
}

export = registration
