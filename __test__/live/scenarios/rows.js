'use strict'

// Rows of a real server, of every kind and on every way: with `register` they are built natively.

const Cursor = require('pg-cursor')
const QueryStream = require('pg-query-stream')
const { edgeQuery } = require('../../../scripts/sample-types')
const { rollingDigest } = require('../support/snapshot')
const { errorOf, nextEvent } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

const ALL = 'select * from samples order by id'

const ZONES = ['UTC', 'America/New_York', 'Europe/Amsterdam', 'Asia/Kolkata', 'Pacific/Apia']

/** @param {Context} context @param {(pool: any) => Promise<any>} body */
const withPool = async ({ pg, config }, body) => {
  const pool = new pg.Pool({ ...config(), max: 2 })
  try {
    return await body(pool)
  } finally {
    await pool.end()
  }
}

/**
 * Does something once in each time zone of the process.
 * @param {(zone: string) => Promise<any>} body
 */
const inZones = async (body) => {
  const { TZ } = process.env
  const results = /** @type {Record<string, any>} */ ({})
  try {
    for (const zone of ZONES) {
      process.env.TZ = zone
      results[zone] = await body(zone)
    }
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
  return results
}

/** @param {any} cursor @param {number} size */
const readAll = async (cursor, size) => {
  const rows = []
  for (let some = await cursor.read(size); some.length > 0; some = await cursor.read(size)) rows.push(some)
  await cursor.close()
  return rows
}

/** @param {AsyncIterable<any>} stream */
const collect = async (stream) => {
  const rows = []
  for await (const row of stream) rows.push(row)
  return rows
}

/** Values of a type, each in a row of its own. @param {string} type @param {string[]} values */
const valuesOf = (type, values) =>
  `select v from (values ${values.map((value, i) => `(${i}, ${value}::${type})`).join(', ')}) as t (i, v) order by i`

module.exports = {
  async 'every type by pool.query'(/** @type {Context} */ context) {
    return withPool(context, (pool) =>
      Promise.all([
        pool.query(ALL),
        pool.query({ text: ALL, rowMode: 'array' }),
        pool.query('select * from samples where id > $1 order by id', [3]),
        pool.query({ name: 'all', text: ALL }),
        pool.query({ name: 'all', text: ALL }),
        pool.query(edgeQuery()),
        pool.query({ text: edgeQuery(), rowMode: 'array' }),
      ])
    )
  },

  async 'every type by cursor and by stream, objects and arrays'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const results = []
    for (const text of [ALL, edgeQuery()]) {
      for (const rowMode of [undefined, 'array']) {
        for (const size of [1, 7, 1000]) {
          results.push(await readAll(client.query(new Cursor(text, undefined, { rowMode })), size))
        }
        for (const batchSize of [3, 100]) {
          results.push(await collect(client.query(new QueryStream(text, [], { rowMode, batchSize }))))
        }
      }
    }
    return results
  },

  async 'every type, one by one, kept and dropped'(/** @type {Context} */ { pg, connect }) {
    const client = await connect()
    const text = 'select a.* from samples a, generate_series(1, 10) n order by n, a.id'
    const digest = rollingDigest()
    const query = client.query(new pg.Query(text))
    query.on('row', (/** @type {any} */ row) => digest.add(row))
    const end = await nextEvent(query, 'end')
    const kept = await new Promise((resolve, reject) => {
      const seen = /** @type {any[]} */ ([])
      const both = new pg.Query(text, (/** @type {any} */ error, /** @type {any} */ result) => {
        if (error) reject(error)
        else
          resolve({
            same: result.rows.every((/** @type {any} */ row, /** @type {number} */ i) => row === seen[i]),
            result,
          })
      })
      both.on('row', (/** @type {any} */ row) => seen.push(row))
      client.query(both)
    })
    return { digest: digest.value(), end, kept }
  },

  // stock knows no such mode, and gives objects
  async "rowMode: 'lazy': keys, spread and JSON are those of plain rows"(/** @type {Context} */ { connect }) {
    const client = await connect()
    const rowMode = 'lazy'
    const results = []
    for (const text of [ALL, edgeQuery()]) {
      for (const rows of [
        (await client.query({ text, rowMode })).rows,
        (await client.query({ text: `${text} limit $1`, values: [90], rowMode })).rows,
        (await readAll(client.query(new Cursor(text, undefined, { rowMode })), 64)).flat(),
        await collect(client.query(new QueryStream(text, [], { rowMode, batchSize: 50 }))),
      ]) {
        results.push(
          rows.map((/** @type {any} */ row) => [Object.keys(row), { ...row }, JSON.stringify(row)])
        )
      }
    }
    return results
  },

  async 'rows that are read long after, and changed'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const first = (await client.query(ALL)).rows
    for (const row of first) row.added = row.c_text?.length ?? -1
    first[0].c_int4_array?.push('mine')
    const second = (await client.query(ALL)).rows
    await client.query(`select repeat('x', 100000) from generate_series(1, 20)`)
    return { first, second }
  },

  async 'parsers of the user, on pg.types, the client and the query'(/** @type {Context} */ { pg, connect }) {
    const calls = /** @type {any[]} */ ([])
    const parser = (/** @type {string} */ name) =>
      /** @this {any} */
      function (/** @type {any[]} */ ...args) {
        calls.push([name, args.length, args[0]])
        return `${name}: ${args[0]}`
      }
    const stock = pg.types.getTypeParser(1184)
    const client = await connect()
    const text =
      'select id, c_int8, c_timestamptz, c_text, c_numeric, c_int4_array from samples order by id limit 30'
    try {
      pg.types.setTypeParser(1184, parser('types'))
      client.setTypeParser(20, parser('client'))
      const asked = /** @type {any[]} */ ([])
      const types = {
        getTypeParser: (/** @type {number} */ oid, /** @type {string} */ format) => {
          asked.push([oid, format])
          return oid === 1700 ? parser('query') : pg.types.getTypeParser(oid, format)
        },
      }
      return {
        set: await client.query(text),
        query: await client.query({ text, types }),
        cursor: await readAll(client.query(new Cursor(text, undefined, { types })), 8),
        stream: await collect(client.query(new QueryStream(text, [], { types }))),
        other: await (await connect()).query(text),
        asked,
        calls,
      }
    } finally {
      pg.types.setTypeParser(1184, stock)
    }
  },

  async 'F27: a parser that throws at a later row, on every way'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const text = 'select i, i::int2 as small from generate_series(1, 500) i'
    const mine = new RangeError('no 300 wanted')
    let calls = 0
    client.setTypeParser(21, (/** @type {string} */ value) => {
      calls++
      if (value === '300') throw mine
      return Number(value)
    })
    const after = async () => (await client.query('select 1::int2 as a, 2 as b')).rows
    const errors = [
      await errorOf(client.query(text)),
      await errorOf(client.query({ text, rowMode: 'array' })),
      await errorOf(client.query(`${text} where i > $1`, [0])),
    ]
    return { same: errors.every((error) => error === mine), calls, after: await after() }
  },

  async 'F32: infinity and out of range, in every zone'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const queries = [
      valuesOf('timestamptz', [
        "'infinity'",
        "'-infinity'",
        "'294276-12-31 23:59:59.999999+00'",
        "'275760-09-13 00:00:00+00'",
        "'275760-09-13 00:00:00.001+00'",
        "'0001-01-01 00:00:00+00'",
        "'0044-03-15 12:00:00+00 BC'",
      ]),
      valuesOf('timestamp', [
        "'infinity'",
        "'-infinity'",
        "'294276-12-31 23:59:59.999999'",
        "'2024-03-10 02:30:00'",
        "'2024-11-03 01:30:00'",
        "'2011-12-30 12:00:00'",
        "'1883-11-18 12:03:58'",
        "'0099-12-31 23:59:59'",
      ]),
      valuesOf('date', [
        "'infinity'",
        "'-infinity'",
        "'5874897-12-31'",
        "'0001-01-01'",
        "'4713-01-01 BC'",
        "'2024-02-29'",
      ]),
      `select array['infinity'::timestamptz, null, '-infinity', '2024-02-29 12:00+00'] as z,
        array['infinity'::timestamp, null, '2024-02-29 12:00'] as l, array['-infinity'::date, null, '2024-02-29'] as d`,
    ]
    return inZones(async (zone) => {
      await client.query(`set timezone = '${zone}'`)
      const results = []
      for (const text of queries) results.push(await client.query(text))
      return results
    })
  },

  async 'F34: microseconds are cut, before 1970 too'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return inZones(async (zone) => {
      await client.query(`set timezone = '${zone}'`)
      const results = []
      for (const start of [
        '1883-11-18 12:00',
        '1969-12-31 23:59:59',
        '1970-01-01',
        '2024-01-01',
        '0044-03-15 BC',
      ]) {
        const { rows } = await client.query(
          `select timestamptz '${start}' + us * interval '1 microsecond' as zoned,
            timestamp '${start}' + us * interval '1 microsecond' as local from generate_series(0, 999999, 2999) us`
        )
        const digest = rollingDigest()
        for (const row of rows) digest.add(row)
        results.push(digest.value(), rows.slice(0, 3))
      }
      return results
    })
  },

  async 'F35: date styles other than ISO'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const results = []
    for (const style of ['German', 'SQL, DMY', 'SQL, MDY', 'Postgres, DMY', 'Postgres, MDY', 'ISO, DMY']) {
      await client.query(`set datestyle = '${style}'`)
      results.push(
        style,
        await client.query(`select timestamptz '2026-08-18 01:02:03.5+00' as z, timestamp '2026-08-18 01:02:03' as l,
          date '2026-08-18' as d, time '01:02:03' as t, interval '1 day' as i, array[date '2026-08-18'] as a,
          timestamptz 'infinity' as inf`)
      )
    }
    return results
  },

  async 'F36: intervals of every style'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const text = valuesOf('interval', [
      "'-13 days -00:40:17.545936'",
      "'04:20:00.069'",
      "'-00:00:00.5'",
      "'00:00:00'",
      "'100:00:00.000001'",
      "'1 year 2 mons -3 days +04:05:06.789'",
      "'-1 mons +1 day -00:00:01'",
      "'178000000 years'",
      'null',
    ])
    const results = []
    for (const style of ['postgres', 'postgres_verbose', 'sql_standard', 'iso_8601']) {
      await client.query(`set intervalstyle = '${style}'`)
      const { rows } = await client.query(text)
      const [back] = (
        await client.query('select $1::interval as v, $2::interval[] as a', [rows[5].v, [rows[1].v]])
      ).rows
      results.push(style, rows, back, rows[5].v.toPostgres(), rows[5].v.toISO())
    }
    return results
  },

  async 'F37: int8 and numeric stay exact'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return [
      await client.query(
        valuesOf('int8', ['9007199254740993', "'-9223372036854775808'", '9223372036854775807', 'null'])
      ),
      await client.query(
        valuesOf('numeric', [
          "'1.10'",
          "'12345678901234567890.123456789'",
          "'NaN'",
          "'Infinity'",
          "'-Infinity'",
          "'0.00'",
        ])
      ),
      await client.query(`select '{9007199254740993,NULL,-1}'::int8[] as i, '{1.10,NaN,NULL,1e20}'::numeric[] as n,
        9223372036854775807::text as t, 4294967295::oid as o, '{4294967295,0}'::oid[] as oo`),
    ]
  },

  async 'F43: quotes, escapes and NULL in arrays'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return client.query(`select array['NULL', null, 'null', 'Null', '', 'a b', 'a,b', 'a"b', 'a\\b', '{x}', ' ', e'\\n'] as one,
      '{}'::text[] as empty, array[['a', 'b'], ['c', null]] as two, array[[['x'], ['"']], [['é😀'], [null]]] as three,
      '[2:3][-1:0]={{1,2},{3,NULL}}'::int4[] as bounds, array['\\x00ff'::bytea, null, ''] as bytes,
      array[json '{"a": [1, "}"]}', 'null'] as json, array[interval '1 day', null] as intervals,
      array[true, null, false] as bools, array[1.5::float4, 'NaN', '-Infinity'] as floats, array['a'::char(3), 'é'] as chars`)
  },

  async 'F44: arrays of types nobody registered'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return client.query(`select array['sad'::pgn_mood, 'ok'] as enums, array['a'::name, 'b c'] as names,
      array[box '((1,2),(3,4))', '((0,0),(1,1))'] as boxes, array[circle '<(1,2),3>'] as circles,
      array[int4range(1, 5), 'empty'] as ranges, array['1.50'::money, '-2'] as money,
      array['00000000-0000-0000-0000-000000000000'::uuid, null] as uuids, array['::1'::inet, '10.0.0.1/8'] as inets,
      array['10.0.0.0/8'::cidr] as cidrs, array[numrange(1.5, 2)] as numranges, array[b'101'] as bits,
      array[time '01:02'] as times, int4multirange(int4range(1, 2), int4range(5, 7)) as multirange, b'1010' as bit`)
  },

  async 'F46: geometry'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return [
      await client.query(valuesOf('point', ["'(1.5,-2)'", "'(Infinity,NaN)'", "'(1e300,-1e-300)'"])),
      await client.query(valuesOf('circle', ["'<(1,2),3>'", "'<(1e10,2),3.5>'", "'<(-0.5,0),0>'"])),
      await client.query(`select array[point '(1,2)', null, '(3.5,-4)'] as points, line '{1,2,3}' as line,
        path '((0,0),(1,1))' as closed, path '[(0,0),(1,1)]' as open, box '((1,2),(3,4))' as box,
        polygon '((0,0),(1,1),(2,0))' as polygon, lseg '[(0,0),(1,1)]' as lseg`),
    ]
  },

  async 'columns of repeated and of ever new values, with NULL between'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const { rows } =
      await client.query(`select i, 'status ' || i % 4 as status, case when i % 3 = 0 then null else md5(i::text) end as hash,
      repeat(chr(200 + i % 100), i % 30) as accents, case when i < 5000 then 'same' else 'new ' || i end as turns, i % 2 = 0 as even,
      i / 8.0::float8 as float, timestamptz '2020-01-01' + i * interval '1 hour' as at from generate_series(1, 10000) i`)
    const digest = rollingDigest()
    for (const row of rows) digest.add(row)
    return digest.value()
  },
}
