'use strict'

// Each type in binary format, beside the same values in text format and the very bytes that the server sends.

const Cursor = require('pg-cursor')
const QueryStream = require('pg-query-stream')
const { SAMPLE_TYPES } = require('../../../scripts/sample-types')
const { errorOf } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

/** @typedef {{ name: string, oid: number, known: boolean, cells: { value: any, text: any, utf8: string | null, ascii: boolean, bytes: string | null }[] }} Column */

/**
 * All cells of a type: those of the table and those at the type's edges.
 * @param {{ name: string, type: string, edges: string[] }} sample
 */
const source = ({ name, type, edges }) =>
  `(select ${name} as v, id as i from samples
    union all values ${edges.map((edge, i) => `((${edge})::${type}, ${1000 + i})`).join(', ')}) as cells`

// pg-types' parser of arrays does not come to an end on bytes that are not what the server sent, nor on booleans.
const ENDLESS = /\[\]$/

/**
 * @param {Context} context
 * @param {(client: any, text: string) => Promise<any[]>} read gives the rows of a query as arrays, in binary format
 * @returns {Promise<Column[]>}
 */
const readTypes = async ({ pg, connect, rowsAreNative }, read) => {
  const text = await connect()
  const binary = await connect({ binary: true })
  // pg-cursor has no option for it
  const { bind } = binary.connection
  binary.connection.bind = function (/** @type {any} */ config, /** @type {any[]} */ ...others) {
    return bind.call(this, { ...config, binary: true }, ...others)
  }
  const unknown = pg.types.getTypeParser(0, 'binary')
  const columns = []
  for (const sample of SAMPLE_TYPES) {
    const from = source(sample)
    const [{ oid, typsend }] = (
      await text.query('select oid::int, typsend from pg_type where oid = $1::regtype', [sample.type])
    ).rows
    const bytes = `encode(${typsend}(v), 'hex')`
    const { rows } = await text.query(`select v as text, ${bytes} as bytes from ${from} order by i`)
    let safe = 'v'
    if (!rowsAreNative && ENDLESS.test(sample.type)) {
      safe = sample.type === 'bool[]' ? 'null as v' : `case when ${bytes} !~ '^(..)*[89a-f]' then v end as v`
    }
    const values = await read(binary, `select ${safe}, i from ${from} order by i`)
    columns.push({
      name: sample.name,
      oid,
      known: pg.types.getTypeParser(oid, 'binary') !== unknown,
      cells: rows.map((/** @type {any} */ { text, bytes }, /** @type {number} */ i) => ({
        value: values[i][0],
        text,
        utf8: bytes === null ? null : Buffer.from(bytes, 'hex').toString('utf8'),
        ascii: bytes !== null && Buffer.from(bytes, 'hex').every((byte) => byte < 0x80),
        bytes,
      })),
    })
  }
  return columns
}

/** Rows with the properties v and i, as arrays. @param {any[]} rows */
const pairs = (rows) => rows.map(({ v, i }) => [v, i])

/** @type {Record<string, any>} */
const scenarios = {
  'by query': (/** @type {Context} */ context) =>
    readTypes(context, async (client, text) =>
      pairs((await client.query({ text, queryMode: 'extended' })).rows)
    ),

  'by cursor': (/** @type {Context} */ context) =>
    readTypes(context, async (client, text) => {
      const cursor = client.query(new Cursor(text))
      const rows = await cursor.read(5000)
      await cursor.close()
      return pairs(rows)
    }),

  'by stream': (/** @type {Context} */ context) =>
    readTypes(context, async (client, text) => {
      const rows = []
      for await (const row of client.query(new QueryStream(text, [], { batchSize: 50 }))) rows.push(row)
      return pairs(rows)
    }),

  // here pg hands the string itself to the parsers, most of which throw
  'as arrays': (/** @type {Context} */ context) => {
    const { connect, rowsAreNative } = context
    if (rowsAreNative) {
      return readTypes(
        context,
        async (client, text) => (await client.query({ text, rowMode: 'array', queryMode: 'extended' })).rows
      )
    }
    return connect({ binary: true }).then((/** @type {any} */ client) =>
      errorOf(client.query({ text: 'select 1::int8', rowMode: 'array', queryMode: 'extended' }))
    )
  },
}
for (const scenario of Object.values(scenarios)) scenario.differs = true

module.exports = scenarios
