'use strict'

const { recordMessages } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

const settle = (/** @type {Promise<any>[]} */ queries) => Promise.allSettled(queries)

module.exports = {
  async 'pipelined queries of all kinds'(/** @type {Context} */ { connect }) {
    const client = await connect({ pipeline: true })
    const messages = recordMessages(client)
    const results = await settle([
      client.query('select 1 as simple'),
      client.query('select $1::text as extended', ['é'.repeat(100)]),
      ...Array.from({ length: 20 }, (_, i) =>
        client.query({
          name: 'named',
          text: 'select $1::int as i, $2::text as t',
          values: [i, 'x'.repeat(i)],
        })
      ),
      client.query('select 1 / $1::int', [0]),
      client.query(`select 1 as a; select 2 as b`),
      client.query(''),
      client.query('select * frm nothing'),
      client.query({ text: 'select * from people order by id', rowMode: 'array' }),
      client.query('select * from samples order by id'),
      client.query({ name: 'named', text: 'select $1::int as i, $2::text as t', values: ['no number', ''] }),
      client.query('select 4 as last'),
    ])
    return { results, messages }
  },

  async 'hundreds of answers in few pieces'(/** @type {Context} */ { connect }) {
    const client = await connect({ pipeline: true })
    const results = await Promise.all(
      Array.from({ length: 500 }, (_, i) => client.query('select $1::int as i, $2::text as t', [i, `ü${i}`]))
    )
    return results.map(({ rows }) => rows)
  },

  async 'a pipelined transaction that fails in the middle'(/** @type {Context} */ { connect }) {
    const client = await connect({ pipeline: true })
    const results = await settle([
      client.query('begin'),
      client.query('select 1 / 0'),
      client.query('select 1'),
      client.query('rollback'),
      client.query('select 2 as two'),
    ])
    return { results, status: client.getTransactionStatus() }
  },

  async 'queries that a pipeline refuses'(/** @type {Context} */ { connect }) {
    const client = await connect({ pipeline: true })
    return settle([client.query({ text: 'select 1', rows: 1 }), client.query('select 2 as two')])
  },
}
