/**
 * `pg-protocol-native/register` puts the native parser under every copy of `pg` in this process, those already
 * loaded and those to come. The app does not change:
 *
 * ```
 * node -r pg-protocol-native/register app.js
 * node --import pg-protocol-native/register app.mjs
 * ```
 *
 * or, anywhere in the app, `require('pg-protocol-native/register')`. Loading it a second time, from this copy of the
 * package or another, changes nothing. Connections that were open before keep the parser they have.
 *
 * It finds what Node's CommonJS loader loads. A `pg` that is inlined in a bundle, that lives in the module registry of
 * Jest, or whose source is handed to Node by a customization hook (`module.register`) is out of its reach; there, the
 * override serves.
 *
 * It throws only when `PG_PROTOCOL_NATIVE=require` and the binary does not load, or when that variable has a value
 * it does not know. Where there is no binary, `pg` is left as it is and one warning with the code
 * `PG_PROTOCOL_NATIVE_FALLBACK` is emitted; a copy of `pg` or `pg-protocol` of an unknown shape is left as it is with
 * one warning of the code `PG_PROTOCOL_NATIVE_UNKNOWN`.
 */
declare const registration: {
  /** Whether the copies of `pg` that are loaded get the native parser. */
  readonly active: boolean
  /** Why it is not active, as one sentence; `null` when it is. */
  readonly reason: string | null
  /** The files that have been patched until now, as absolute paths: none if no `pg` was found yet. */
  readonly files: readonly string[]
  /**
   * Puts everything back. Connections opened from now on use the parser that `pg` came with, those that are open keep
   * theirs. May be called more than once.
   */
  restore(): void
}

export = registration
