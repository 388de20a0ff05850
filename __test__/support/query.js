'use strict'

const assert = require('node:assert/strict')
const { FakeBackend, whole } = require('./fake-backend')
const { loadBoth } = require('./flavours')
const { assertSame } = require('./same-value')
const { cutAt, inPieces } = require('./chunks')

/**
 * Differential tests of rows: real clients of pg, one stock and one accelerated, are sent the same bytes, and whatever
 * they give is compared. No server takes part.
 *
 * A comparison would also pass if the accelerator never got to work. Therefore each one says how many rows the
 * accelerator must have made: all, unless the test knows why not.
 */

/**
 * @typedef {import('./flavours').Flavour} Flavour
 * @typedef {import('./fake-backend').Reply} Reply
 * @typedef {Flavour & { client: any, backend: FakeBackend, log: any[], connect: (options?: any) => Promise<any> }} Context
 */

/** @type {{ stock: Flavour, native: Flavour } | undefined} */
let shared

/** The two flavours that tests share which change nothing in them. */
const flavours = () => (shared ??= loadBoth())

/**
 * @param {Flavour} flavour
 * @param {{ client?: any, cut?: (bytes: Buffer) => Buffer[] }} [options]
 * @returns {Promise<Context>}
 */
const connect = async (flavour, { client: clientOptions, cut } = {}) => {
  const backend = new FakeBackend(cut)
  const client = new flavour.pg.Client({
    user: 'u',
    database: 'd',
    password: 'p',
    stream: () => backend,
    ...clientOptions,
  })
  await client.connect()
  return { ...flavour, client, backend, log: [], connect: (options) => connect(flavour, options) }
}

/**
 * A client of each flavour, for many comparisons one after the other.
 * @param {{ flavours?: { stock: Flavour, native: Flavour }, client?: any, cut?: (bytes: Buffer) => Buffer[] }} [options]
 * @returns {Promise<{ stock: Context, native: Context }>}
 */
const openPair = async (options = {}) => {
  const { stock, native } = options.flavours ?? flavours()
  return { stock: await connect(stock, options), native: await connect(native, options) }
}

/** @param {{ stock: Context, native: Context }} pair */
const closePair = async ({ stock, native }) => {
  await Promise.all([stock.client.end(), native.client.end()])
}

/**
 * @typedef {object} Comparison
 * @property {(Reply | Reply[])[] | ((context: Context) => (Reply | Reply[])[])} replies
 * @property {(context: Context) => any} [run] what is done with the client; its outcome is compared
 * @property {any} [query] in place of `run`: the query to make
 * @property {'all' | 'some' | 'none' | 'any' | number} [made] how many rows the accelerator has to make
 * @property {(bytes: Buffer) => Buffer[]} [cut]
 * @property {any} [client] options
 * @property {{ stock: Context, native: Context }} [on] clients that are open already
 * @property {{ stock: Flavour, native: Flavour }} [flavours]
 * @property {(context: Context) => void} [prepare]
 * @property {string} [at] names the comparison when it fails
 */

/**
 * Does the same with both flavours and compares what came of it: the outcome, or the error, and whatever was put into
 * `log` on the way.
 * @param {Comparison} comparison
 * @returns {Promise<{ stock: any, native: any }>} the outcomes
 */
const same = async (comparison) => {
  const pair = comparison.on ?? (await openPair(comparison))
  const expected = await observe(pair.stock, comparison)
  const actual = await observe(pair.native, comparison)
  const options = { actual: pair.native, expected: pair.stock }
  const at = comparison.at ?? 'outcome'
  assertSame(actual.log, expected.log, { ...options, at: `${at}, log` })
  assertSame(actual.error, expected.error, { ...options, at: `${at}, error` })
  assertSame(actual.outcome, expected.outcome, { ...options, at })
  assertMade(actual, comparison.made ?? 'all', at)
  if (!comparison.on) await closePair(pair)
  return { stock: expected.outcome, native: actual.outcome }
}

/**
 * @param {Context} context
 * @param {Comparison} comparison
 */
const observe = async (context, { replies, run, query, cut, prepare }) => {
  const { backend } = context
  const list = typeof replies === 'function' ? replies(context) : replies
  backend.replies.push(...list)
  backend.cut = cut ?? backend.cut
  context.log.length = 0
  prepare?.(context)
  const before = context.made()
  let outcome
  let error
  try {
    outcome = await (run ? run(context) : context.client.query(query ?? 'select'))
  } catch (thrown) {
    error = { thrown }
  }
  // In rows without columns there is nothing to be made faster: they may be left to stock.
  const count = (/** @type {Reply[]} */ replies) =>
    replies.reduce((sum, { rows }) => sum + (rows?.length ?? 0), 0)
  const rows = count(list.flat().filter(({ columns }) => columns?.length !== 0))
  const made = Math.min(context.made() - before, rows)
  return { outcome, error, log: [...context.log], made, rows }
}

/**
 * @param {{ made: number, rows: number }} actual
 * @param {'all' | 'some' | 'none' | 'any' | number} wanted
 * @param {string} at
 */
const assertMade = ({ made, rows }, wanted, at) => {
  if (wanted === 'any') return
  if (wanted === 'some') return assert.ok(made > 0, `${at}: the accelerator made no row of ${rows}`)
  const expected = wanted === 'all' ? rows : wanted === 'none' ? 0 : wanted
  assert.equal(made, expected, `${at}: rows that the accelerator made, of ${rows}`)
}

/** @param {number} size */
const pieces = (size) => (/** @type {Buffer} */ bytes) => inPieces(bytes, size)

/** @param {...number} offsets */
const cuts =
  (...offsets) =>
  (/** @type {Buffer} */ bytes) =>
    cutAt(
      bytes,
      offsets.filter((offset) => offset < bytes.length)
    )

module.exports = {
  flavours,
  connect,
  openPair,
  closePair,
  same,
  whole,
  pieces,
  cuts,
  assertSame,
  /** For tests that would skip without the accelerator: it is there. */
  accelerated: true,
}
