'use strict'

/**
 * The column types that demo, live tests and recorder all work with: for each a value made from a row number `i`
 * (an SQL expression, for tables of any length) and the values at the edges of the type (SQL literals).
 */

/** @typedef {{ name: string, type: string, expression: string, edges: string[] }} SampleType */

const ENUM = { name: 'pgn_mood', labels: ['sad', 'ok', 'très heureux', '😀'] }

/** @type {SampleType[]} */
const SAMPLE_TYPES = [
  { name: 'c_bool', type: 'bool', expression: 'i % 3 = 0', edges: ['true', 'false'] },
  { name: 'c_int2', type: 'int2', expression: '(i % 65536) - 32768', edges: ['-32768', '32767', '0'] },
  {
    name: 'c_int4',
    type: 'int4',
    expression: 'i * 7919 - 1000000',
    edges: ['-2147483648', '2147483647', '0'],
  },
  {
    name: 'c_int8',
    type: 'int8',
    expression: '9007199254740993 + i',
    edges: ['-9223372036854775808', '9223372036854775807', '0'],
  },
  {
    name: 'c_float4',
    type: 'float4',
    expression: 'i / 7.0',
    edges: ["'NaN'", "'Infinity'", "'-0'", '3.4028235e38', '1e-45'],
  },
  {
    name: 'c_float8',
    type: 'float8',
    expression: 'sqrt(i) * 1e10',
    edges: ["'NaN'", "'-Infinity'", "'-0'", '1.7976931348623157e308', '5e-324'],
  },
  {
    name: 'c_numeric',
    type: 'numeric',
    expression: 'i * 1.10',
    edges: ['1.10', '0.00', "'NaN'", "'Infinity'", '-12345678901234567890.123456789', '1e-20', '1e30'],
  },
  { name: 'c_oid', type: 'oid', expression: '4294967295 - i', edges: ['4294967295', '0'] },
  {
    name: 'c_text',
    type: 'text',
    expression:
      "case i % 4 when 0 then 'row ' || i when 1 then 'Grüße ' || i when 2 then '漢字 😀 ' || i else '' end",
    edges: [
      "''",
      "'plain'",
      "'caf\u00e9'",
      "'日本語'",
      "'😀 𝒳'",
      "e'tab\\t newline\\n quote\\''",
      "repeat('x', 5000)",
    ],
  },
  { name: 'c_varchar', type: 'varchar(40)', expression: "'größer als ' || i", edges: ["''", "'\ufeffBOM'"] },
  { name: 'c_bpchar', type: 'char(8)', expression: "'c' || (i % 1000)", edges: ["''", "'é'", "'12345678'"] },
  { name: 'c_name', type: 'name', expression: "'name_' || i", edges: ["''", "repeat('n', 63)"] },
  { name: 'c_char', type: '"char"', expression: 'chr(65 + i % 26)', edges: ["'A'", "''", "'~'"] },
  {
    name: 'c_uuid',
    type: 'uuid',
    expression: 'md5(i::text)::uuid',
    edges: ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  },
  {
    name: 'c_date',
    type: 'date',
    expression: "date '1970-01-01' + i",
    edges: [
      "'2024-02-29'",
      "'0001-01-01'",
      "'0044-03-15 BC'",
      "'infinity'",
      "'-infinity'",
      "'5874897-12-31'",
    ],
  },
  {
    name: 'c_time',
    type: 'time',
    expression: "time '00:00' + i * interval '1.5 seconds'",
    edges: ["'00:00:00'", "'23:59:59.999999'", "'24:00:00'"],
  },
  {
    name: 'c_timetz',
    type: 'timetz',
    expression: "timetz '00:00+02' + i * interval '1 second'",
    edges: ["'00:00:00+00'", "'23:59:59.999999-15:59'"],
  },
  {
    name: 'c_timestamp',
    type: 'timestamp',
    expression: "timestamp '2020-01-01' + i * interval '1 hour 0.001 seconds'",
    edges: [
      "'1969-12-31 23:59:59.999999'",
      "'294276-12-31 23:59:59.999999'",
      "'4713-01-01 BC'",
      "'infinity'",
    ],
  },
  {
    name: 'c_timestamptz',
    type: 'timestamptz',
    expression: "timestamptz '2020-01-01 00:00+00' + i * interval '7 minutes 0.000123 seconds'",
    edges: [
      "'1969-12-31 23:59:59.999999+00'",
      "'275760-09-13 00:00:00+00'",
      "'-infinity'",
      "'1883-11-18 12:00:00+00'",
    ],
  },
  {
    name: 'c_interval',
    type: 'interval',
    expression: 'make_interval(months => i % 30, days => -(i % 40), secs => i * 1.001)',
    edges: ["'0'", "'-13 days -00:40:17.545936'", "'1 year 2 mons -3 days +04:05:06.789'", "'-00:00:00.5'"],
  },
  {
    name: 'c_bytea',
    type: 'bytea',
    expression: "decode(md5(i::text), 'hex')",
    edges: ["''", "'\\x00ff80fe'", "decode(repeat('c3a9ff', 400), 'hex')"],
  },
  {
    name: 'c_json',
    type: 'json',
    expression: `json_build_object('i', i, 'name', 'Zoë ' || i)`,
    edges: ["'null'", '\'[1, 2.50, "x"]\'', '\' { "a" : "\\u00e9😀" } \''],
  },
  {
    name: 'c_jsonb',
    type: 'jsonb',
    expression: `jsonb_build_object('i', i, 'list', jsonb_build_array(i, i + 1, null))`,
    edges: ["'null'", '\'"text"\'', '\'{"b": 1, "a": [true, {"é": null}]}\''],
  },
  {
    name: 'c_inet',
    type: 'inet',
    expression: "inet '10.0.0.0' + i",
    edges: ["'192.168.0.1/24'", "'::1'", "'2001:db8::ff00:42:8329/64'"],
  },
  {
    name: 'c_cidr',
    type: 'cidr',
    expression: "set_masklen(inet '10.0.0.0' + (i % 65536) * 256, 24)::cidr",
    edges: ["'10.0.0.0/8'", "'2001:db8::/32'"],
  },
  {
    name: 'c_macaddr',
    type: 'macaddr',
    expression:
      "('08:00:2b:01:' || lpad(to_hex(i / 256 % 256), 2, '0') || ':' || lpad(to_hex(i % 256), 2, '0'))::macaddr",
    edges: ["'08:00:2b:01:02:03'", "'ff:ff:ff:ff:ff:ff'"],
  },
  {
    name: 'c_point',
    type: 'point',
    expression: 'point(i, -i / 3.0)',
    edges: ["'(0,0)'", "'(-1.5e10,0.25)'"],
  },
  {
    name: 'c_circle',
    type: 'circle',
    expression: 'circle(point(i, i), 1 + i % 5)',
    edges: ["'<(1,2),3.5>'"],
  },
  { name: 'c_box', type: 'box', expression: 'box(point(0, 0), point(i, i))', edges: ["'((1,2),(-3,-4.5))'"] },
  {
    name: 'c_int4range',
    type: 'int4range',
    expression: 'int4range(i, i + 10)',
    edges: ["'empty'", "'[1,10)'", "'(,5]'", "'(,)'"],
  },
  {
    name: 'c_bool_array',
    type: 'bool[]',
    expression: 'array[i % 2 = 0, null, i % 3 = 0]',
    edges: ["'{}'", "'{t,f,NULL}'"],
  },
  {
    name: 'c_int4_array',
    type: 'int4[]',
    expression: 'array[i, null, -i]',
    edges: ["'{}'", "'{{1,2},{3,NULL}}'", "'[2:3]={7,8}'"],
  },
  {
    name: 'c_int8_array',
    type: 'int8[]',
    expression: 'array[i, 9007199254740993]',
    edges: ["'{}'", "'{1,NULL}'"],
  },
  {
    name: 'c_float8_array',
    type: 'float8[]',
    expression: 'array[i / 3.0, null]',
    edges: ["'{NaN,-Infinity,NULL}'"],
  },
  { name: 'c_numeric_array', type: 'numeric[]', expression: 'array[i * 1.10]', edges: ["'{1.10,NaN,NULL}'"] },
  {
    name: 'c_text_array',
    type: 'text[]',
    expression: "array['a' || i, 'ü,\"\\', null, '']",
    edges: ["'{}'", "array['', 'NULL', null, 'a\"b', 'c\\d', '{x}', ' sp ', 'é😀']"],
  },
  {
    name: 'c_timestamptz_array',
    type: 'timestamptz[]',
    expression: "array[timestamptz '2020-01-01 00:00+00' + i * interval '1 day', null]",
    edges: ['\'{"2024-02-29 12:00:00.5+00",infinity,NULL}\''],
  },
  {
    name: 'c_uuid_array',
    type: 'uuid[]',
    expression: 'array[md5(i::text)::uuid]',
    edges: ["'{00000000-0000-0000-0000-000000000000,NULL}'"],
  },
  {
    name: 'c_enum',
    type: ENUM.name,
    expression: `(enum_range(null::${ENUM.name}))[1 + i % ${ENUM.labels.length}]`,
    edges: ENUM.labels.map((label) => `'${label}'`),
  },
]

/** Statement that makes the one user-defined type, in the first schema of the search path. */
const createEnum = `create type ${ENUM.name} as enum (${ENUM.labels.map((label) => `'${label}'`).join(', ')})`

/** Statement that makes a table with one column per type and `rows` rows; every 11th cell or so is NULL. */
function createTable(/** @type {string} */ name, /** @type {number} */ rows) {
  const columns = SAMPLE_TYPES.map(
    ({ name, type, expression }, at) =>
      `case when (i + ${at}) % 11 = 0 then null else (${expression})::${type} end as ${name}`
  )
  return `create table ${name} as select i as id, ${columns.join(', ')} from generate_series(1, ${rows}) i order by i`
}

/** Query that returns one row per edge value: each type's edges in its own column, NULL below where they run out. */
function edgeQuery() {
  const longest = Math.max(...SAMPLE_TYPES.map(({ edges }) => edges.length))
  const columns = SAMPLE_TYPES.map(({ name, type, edges }) => {
    const cases = edges.map((edge, at) => `when ${at} then (${edge})::${type}`)
    return `case n ${cases.join(' ')} end as ${name}`
  })
  return `select n, ${columns.join(', ')} from generate_series(0, ${longest}) n`
}

module.exports = { SAMPLE_TYPES, createEnum, createTable, edgeQuery }
