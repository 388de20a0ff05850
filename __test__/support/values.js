'use strict'

const fs = require('node:fs')
const path = require('node:path')

// Hard values per type; fixtures/values/README.md says how they are written.

const FOLDER = path.join(__dirname, '..', '..', 'fixtures', 'values')

/**
 * @typedef {string | { hex: string } | { prefix?: string, repeat: [string, number], suffix?: string }} Written
 *
 * @typedef {object} Corpus
 * @property {string} about
 * @property {Record<string, number>} types OIDs by the name that tests give them
 * @property {Buffer[]} values
 */

/** @param {Written} value */
const bytesOf = (value) => {
  if (typeof value === 'string') return Buffer.from(value)
  if ('hex' in value) return Buffer.from(value.hex, 'hex')
  const [text, times] = value.repeat
  return Buffer.from((value.prefix ?? '') + text.repeat(times) + (value.suffix ?? ''))
}

/**
 * @param {string} name
 * @returns {Corpus}
 */
const readCorpus = (name) => {
  const { about, types, values } = JSON.parse(fs.readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'))
  return { about, types, values: values.map(bytesOf) }
}

const TEXT_CORPORA = [
  'integers',
  'floats',
  'numerics',
  'booleans',
  'dates',
  'timestamps',
  'timestamps-with-zone',
  'intervals',
  'bytea',
  'json',
  'texts',
  'geometry',
  'arrays',
]

/**
 * Each type of the corpus with its values in binary format, and with what cannot be of the type.
 * @returns {{ type: string, oid: number, values: Buffer[], wrong: Buffer[] }[]}
 */
const readBinaryCorpus = () => {
  const { types, values, wrong } = JSON.parse(fs.readFileSync(path.join(FOLDER, 'binary.json'), 'utf8'))
  const bytes = (/** @type {string[]} */ list = []) => list.map((hex) => Buffer.from(hex, 'hex'))
  return Object.entries(types).map(([type, oid]) => ({
    type,
    oid: Number(oid),
    values: bytes(values[type]),
    wrong: bytes(wrong[type]),
  }))
}

const BYTEA = 17
const BYTEA_ARRAY = 1001

/**
 * Each type of the corpora with its values in text format and with those of no type.
 * @returns {{ type: string, oid: number, values: Buffer[] }[]}
 */
const textValues = () => {
  const garbage = readCorpus('garbage').values
  const byOid = /** @type {Map<number, { type: string, oid: number, values: Buffer[] }>} */ (new Map())
  for (const name of TEXT_CORPORA) {
    const { types, values } = readCorpus(name)
    for (const [type, oid] of Object.entries(types)) {
      const before = byOid.get(oid)
      if (before) before.values.push(...values)
      else byOid.set(oid, { type, oid, values: [...values, ...garbage] })
    }
  }
  for (const entry of byOid.values())
    entry.values = entry.values.filter((value) => !isEndless(entry.oid, value))
  return [...byOid.values()]
}

/**
 * Whether postgres-bytea 1.0 would loop over a value for ever: it goes on by as many backslashes as there are pairs,
 * and where one stands alone before what is no octal number, that is by none.
 * @param {string} text
 */
const isEndlessBytea = (text) => {
  if (text.startsWith('\\x')) return false
  for (let i = 0; i < text.length;) {
    if (text[i] !== '\\') {
      i++
    } else if (/[0-7]{3}/.test(text.substr(i + 1, 3))) {
      i += 4
    } else {
      let backslashes = 1
      while (text[i + backslashes] === '\\') backslashes++
      if (backslashes === 1) return true
      i += Math.floor(backslashes / 2) * 2
    }
  }
  return false
}

/**
 * Whether stock must not be given this value in a process that has to go on.
 * @param {number} oid
 * @param {Buffer | string} value
 */
const isEndless = (oid, value) => {
  if (oid === BYTEA) return isEndlessBytea(value.toString())
  if (oid !== BYTEA_ARRAY) return false
  let endless = false
  try {
    require('postgres-array').parse(value.toString(), (/** @type {string} */ entry) => {
      endless ||= isEndlessBytea(entry)
    })
  } catch {
    // not balanced: some of its entries have been seen all the same
  }
  return endless
}

module.exports = {
  readCorpus,
  readBinaryCorpus,
  textValues,
  bytesOf,
  isEndless,
  isEndlessBytea,
  TEXT_CORPORA,
}
