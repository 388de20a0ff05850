'use strict'

// Text in other encodings than UTF-8, as an application reads it that has asked for one. Stock reads it as UTF-8.

/** @type {Record<string, any>} */
const scenarios = {
  async 'F17: latin1'(/** @type {any} */ { connect }) {
    const client = await connect()
    const heard = /** @type {any[]} */ ([])
    client.on('notice', (/** @type {any} */ notice) => heard.push(notice.message))
    client.on('notification', (/** @type {any} */ { payload }) => heard.push(payload))
    await client.query('set client_encoding to latin1')
    const { rows, fields } = await client.query(
      `select U&'caf\\00e9' as cell, repeat(U&'\\00e9', 40) as long, 1 as U&"n\\00e9", null as null`
    )
    const array = await client.query({ text: `select U&'\\00e9' as a`, rowMode: 'array' })
    await client.query(`listen c`)
    await client.query(`select pg_notify('c', U&'pay\\00e9')`)
    await client.query(`do $$ begin raise notice '%', U&'not\\00e9'; end $$`)
    const error = await client
      .query(`do $$ begin raise exception '%', U&'\\00e9chec'; end $$`)
      .catch((/** @type {any} */ e) => e.message)
    await client.query('reset client_encoding')
    const utf8 = await client.query(`select U&'caf\\00e9 \\6f22' as cell`)
    return {
      rows,
      names: fields.map((/** @type {any} */ { name }) => name),
      array: array.rows,
      heard,
      error,
      utf8: utf8.rows,
    }
  },
}

for (const scenario of Object.values(scenarios)) scenario.differs = true

module.exports = scenarios
