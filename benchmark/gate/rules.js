'use strict'

// RULES.md as code.

const { distance } = require('../lib/statistics')
const { LEAST_EFFECT } = require('../lib/verdict')
const { SCENARIOS } = require('../queries/scenarios')

/**
 * @typedef {{name: string, kind: string, commit: string | null}} Side
 *
 * @typedef {object} Rule
 * @property {string} name
 * @property {(base: Side, head: Side) => boolean} compares whether a result of these two is what it judges
 * @property {string[]} scenarios that must not be slower
 * @property {{base: string, head: string}} run what to measure; `RELEASE` stands for the last one
 *
 * @typedef {{rule: string, broken: string[]}} Judgement
 */

const LEAST_ROUNDS = 4
const LEAST_SECONDS = 1
const MOST_NOISE = 0.25
const WORTH_JUDGING = 'worth-judging'
const RELEASE = 'RELEASE'

/** @param {(scenario: import('../queries/scenarios').Scenario) => boolean} which */
const namesOf = (which) => SCENARIOS.filter(which).map(({ name }) => name)

/** @param {Side} head @param {string} kind the working tree's */
const isHere = (head, kind) => head.kind === kind && head.commit === null

/** @type {Rule[]} */
const RULES = [
  {
    name: 'rows-no-slower',
    compares: (base, head) => base.kind === 'register' && base.commit !== null && isHere(head, 'register'),
    scenarios: namesOf(({ group }) => group === 'rows'),
    run: { base: RELEASE, head: 'register' },
  },
  {
    name: 'single-row-within-noise',
    compares: (base, head) => base.kind === 'stock' && isHere(head, 'register'),
    scenarios: namesOf(({ group }) => group === 'single row'),
    run: { base: 'stock', head: 'register' },
  },
  {
    name: 'parser-only-unaffected',
    compares: (base, head) => base.kind === 'parser' && base.commit !== null && isHere(head, 'parser'),
    scenarios: namesOf(() => true),
    run: { base: `parser@${RELEASE}`, head: 'parser' },
  },
]

/**
 * Stricter than the mark of the table: rounds need not agree.
 * @param {{ratio: number, noise: number}} row
 */
const isSlower = ({ ratio, noise }) => ratio < 1 && distance(ratio) >= LEAST_EFFECT && distance(ratio) > noise

/**
 * @param {any} result of `npm run bench`
 * @returns {Judgement[]} of the rules that it is about; none where it is about none
 */
const judge = (result) =>
  RULES.filter(({ compares }) => compares(result.contenders.base, result.contenders.head)).flatMap(
    ({ name, scenarios }) => [
      { rule: name, broken: slower(result, scenarios) },
      { rule: WORTH_JUDGING, broken: doubts(result, scenarios) },
    ]
  )

/**
 * @param {any} result
 * @param {string[]} scenarios
 */
const slower = ({ cases }, scenarios) =>
  cases
    .filter((/** @type {any} */ row) => scenarios.includes(row.name) && isSlower(row))
    .map(
      (/** @type {any} */ { name, ratio, noise }) =>
        `${name} is ${ratio.toFixed(3)} times as fast, with ${(noise * 100).toFixed(1)} % noise`
    )

/**
 * @param {any} result
 * @param {string[]} scenarios
 */
const doubts = ({ plan, cases }, scenarios) => {
  const found = []
  if (plan.rounds < LEAST_ROUNDS) found.push(`${plan.rounds} rounds, not ${LEAST_ROUNDS}`)
  if (plan.seconds < LEAST_SECONDS) found.push(`rounds of ${plan.seconds} s, not ${LEAST_SECONDS} s`)
  for (const name of scenarios) {
    const row = cases.find((/** @type {any} */ row) => row.name === name)
    if (!row) found.push(`${name} was not measured`)
    else if (row.noise > MOST_NOISE) found.push(`${name} has ${(row.noise * 100).toFixed(0)} % noise`)
  }
  return found
}

module.exports = { RULES, RELEASE, WORTH_JUDGING, judge }
