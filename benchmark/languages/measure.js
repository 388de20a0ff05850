'use strict'

const { runRounds } = require('../lib/rounds')
const { median, range } = require('../lib/statistics')
const { Checksum } = require('./checksum')
const { cellsOf, people } = require('./people')
const { REFERENCE } = require('./sides')

/**
 * @typedef {{rounds: number, roundMs: number, warmMs: number, rows: number}} Plan
 * @typedef {{name: string, title: string, ms: number, msRange: [number, number], multiple: number,
 *   multipleRange: [number, number], samples: {ms: number}[]}} Measured
 */

/**
 * What everybody has to answer: made from the cells themselves, not by any parser.
 * @param {number} rows
 * @returns {import('./sides').Check}
 */
const expectedOf = (rows) => {
  const input = new Checksum()
  let bytes = 0
  for (const piece of people(rows)) {
    input.bytes(piece)
    bytes += piece.length
  }
  const answer = new Checksum()
  for (let i = 0; i < rows; i++) for (const cell of cellsOf(i)) answer.cell(cell)
  return { input: input.hex(), bytes, answer: answer.hex(), rows }
}

/**
 * @param {string} name
 * @param {import('./sides').Check} found
 * @param {import('./sides').Check} expected
 */
const sameAnswer = (name, found, expected) => {
  if (found.input !== expected.input || found.bytes !== expected.bytes)
    throw new Error(`${name} was given other bytes: ${found.bytes}, hash ${found.input}`)
  if (found.answer !== expected.answer || found.rows !== expected.rows)
    throw new Error(`${name} gives another answer: ${found.rows} rows, checksum ${found.answer}`)
}

/**
 * @param {import('./sides').Contender[]} contenders
 * @param {string} executable
 * @param {Plan} plan
 * @param {(doing: string) => void} report
 */
const measure = async (contenders, executable, plan, report) => {
  const names = contenders.map(({ name }) => name)
  const sides = contenders.map(({ open }) => open(executable))
  const sideOf = (/** @type {string} */ name) => sides[names.indexOf(name)]
  try {
    const expected = expectedOf(plan.rows)
    report('checking the answers')
    for (const name of names) sameAnswer(name, await sideOf(name).prepare(plan.rows), expected)
    report('warming up')
    const passes = /** @type {Record<string, number>} */ ({})
    for (const name of names) {
      const { passMs } = await sideOf(name).warm(plan.warmMs)
      passes[name] = Math.max(1, Math.round(plan.roundMs / passMs))
    }
    const samples = await runRounds({
      sides: names,
      rounds: plan.rounds,
      measure: (name) => sideOf(name).round(passes[name]),
      onRound: (round) => report(`round ${round + 1} of ${plan.rounds}`),
    })
    for (const side of sides) await side.finish()
    return { input: expected, contenders: contenders.map((what) => judge(what, samples)) }
  } finally {
    await Promise.all(sides.map((side) => side.end()))
  }
}

/**
 * Multiples are taken round by round, so that a slow minute of the machine meets both.
 * @param {import('./sides').Contender} what
 * @param {Record<string, {ms: number}[]>} samples
 * @returns {Measured}
 */
const judge = ({ name, title }, samples) => {
  const ms = samples[name].map((sample) => sample.ms)
  const multiples = ms.map((figure, round) => figure / samples[REFERENCE][round].ms)
  return {
    name,
    title,
    ms: median(ms),
    msRange: range(ms),
    multiple: median(multiples),
    multipleRange: range(multiples),
    samples: samples[name],
  }
}

module.exports = { measure, judge, sameAnswer, expectedOf }
