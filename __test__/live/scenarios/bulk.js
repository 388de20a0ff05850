'use strict'

const { rollingDigest } = require('../support/snapshot')
const { nextEvent } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

module.exports = {
  async '50 000 narrow rows'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const { rows } = await client.query(
      `select i, 'row ' || i as t, i % 2 = 0 as even, nullif(i % 3, 0) as n from generate_series(1, 50000) i`
    )
    const digest = rollingDigest()
    for (const row of rows) digest.add(row)
    return digest.value()
  },

  async '3 000 rows of all types, one by one'(/** @type {Context} */ { pg, connect }) {
    const client = await connect()
    const digest = rollingDigest()
    const query = client.query(
      new pg.Query('select a.* from samples a, generate_series(1, 15) n order by n, a.id')
    )
    query.on('row', (/** @type {any} */ row) => digest.add(row))
    await nextEvent(query, 'end')
    return digest.value()
  },

  async 'non-ASCII text of every length'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const { rows } = await client.query(
      `select repeat('a', n) as a, repeat('é', n) as b, repeat('漢', n) as c, repeat('😀', n) as d, repeat('aé漢😀', n) as e
        from generate_series(0, 600) n`
    )
    const digest = rollingDigest()
    for (const row of rows) digest.add(row)
    return digest.value()
  },

  async 'cells of many megabytes'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return [
      await client.query(`select 1 as before, repeat('x', 20000000) as ascii, 2 as after`),
      await client.query(`select repeat('ü', 4000000) as accents, repeat('😀', 2000000) as emoji`),
      await client.query(`select decode(repeat('00ff80', 2000000), 'hex') as bytes`),
    ]
  },

  async '1 600 columns'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const columns = Array.from({ length: 1600 }, (_, i) => (i % 7 ? `i * ${i} as c${i}` : `null as c${i}`))
    return client.query(`select ${columns.join(', ')} from generate_series(1, 20) i`)
  },

  async 'several connections at once'(/** @type {Context} */ { connect }) {
    const clients = await Promise.all(Array.from({ length: 6 }, () => connect()))
    const digests = await Promise.all(
      clients.map(async (client, n) => {
        const digest = rollingDigest()
        for (let round = 0; round < 5; round++) {
          const { rows } = await client.query(
            `select i, $1::int as n, repeat('é', i % 50) as t
            from generate_series(1, 1000) i`,
            [n]
          )
          for (const row of rows) digest.add(row)
        }
        return digest.value()
      })
    )
    return digests
  },
}
