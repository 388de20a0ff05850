'use strict'

const fs = require('node:fs')
const path = require('node:path')

// Streams recorded from a real server; fixtures/README.md says how.

const FOLDER = path.join(__dirname, '..', '..', 'fixtures')

/**
 * @typedef {object} Fixture
 * @property {string} name
 * @property {string} contains
 * @property {string} [differs] what the native parser gives that stock does not
 * @property {string} messages the type bytes, `R4 S15 K Z`
 * @property {number[]} pieces lengths in which TCP delivered the bytes
 * @property {Buffer} stream
 */

/** @returns {Fixture[]} */
const readFixtures = () => {
  const index = JSON.parse(fs.readFileSync(path.join(FOLDER, 'index.json'), 'utf8'))
  return index.fixtures.map((/** @type {any} */ fixture) => ({
    ...fixture,
    stream: fs.readFileSync(path.join(FOLDER, `${fixture.name}.bin`)),
  }))
}

/**
 * The type bytes one by one.
 * @param {string} outline `R4 S15 K`
 */
const typesOf = (outline) =>
  outline.split(' ').flatMap((run) => Array(Number(run.slice(1) || 1)).fill(run[0]))

module.exports = { readFixtures, typesOf }
