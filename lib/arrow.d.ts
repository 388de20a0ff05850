/**
 * `pg-protocol-native/arrow`: results of columns as tables of Apache Arrow. Needs the package `apache-arrow`.
 *
 * ```
 * const { toArrow } = require('pg-protocol-native/arrow')
 * const { tableToIPC } = require('apache-arrow')
 * const result = await pool.query({ text: 'select * from trades', rowMode: 'columns-micros' })
 * fs.writeFileSync('trades.arrow', tableToIPC(toArrow(result), 'file'))
 * ```
 */

import type { Table } from 'apache-arrow'
import type { Column } from './pg.js'

/**
 * The columns as a `Table` with one record batch. All fields are nullable.
 *
 * | type                               | in Arrow                                                           | memory  |
 * | ---------------------------------- | ------------------------------------------------------------------ | ------- |
 * | `int2`, `int4`                     | `Int32`                                                            | shared  |
 * | `int8`                             | `Int64`                                                            | shared  |
 * | `oid`                              | `Uint32`                                                           | shared  |
 * | `float4`, `float8`                 | `Float64`                                                          | shared  |
 * | `bool`                             | `Bool`                                                             | copied  |
 * | `timestamptz`, `columns-micros`    | `Timestamp(us, UTC)`                                               | shared  |
 * | `timestamp`, `columns-micros`      | `Timestamp(us)`                                                    | shared  |
 * | `timestamptz`, `columns`           | `Timestamp(ms, UTC)`                                               | copied  |
 * | `timestamp`, `columns`             | `Timestamp(ms)`: what the server's clock shows                     | copied  |
 * | `date`                             | `Date(day)`                                                        | copied  |
 * | `bytea`, others in binary format   | `Binary`                                                           | shared  |
 * | `numeric`                          | `Utf8`, with all its digits; in binary format `Float64`            | shared  |
 * | all else                           | `Utf8`: the server's text                                          | shared  |
 * | with a parser of the application   | by its values: `Utf8`, `Float64`, `Bool`, `Int64`, `Timestamp(ms, UTC)` | copied |
 *
 * Infinite dates and timestamps become the extremes of their integers, as the server has them.
 *
 * @throws TypeError if the result has no columns, or one of them has values that Arrow has no type for
 * @throws RangeError if a time is beyond what a `Date` can hold; microseconds have room for it
 */
export declare function toArrow(result: { readonly columnList: readonly Column[] }): Table
