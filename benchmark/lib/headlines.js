'use strict'

/**
 * What stands above the table of a result that was measured through a server.
 * @param {any} result
 * @param {string} figures what they are
 */
const headlines = ({ machine, server, plan, contenders, skipped }, figures) => [
  `Node ${machine.node} (V8 ${machine.v8}), ${machine.cpu}, ${machine.cores} cores, ${machine.platform}, ${server}`,
  '',
  `base: ${label(contenders.base)}, head: ${label(contenders.head)}; ${plan.rounds} rounds of ${plan.seconds} s; ${figures}`,
  ...(plan.quick ? ['', 'A quick look, not a result to keep.'] : []),
  ...skipped.flatMap((/** @type {any} */ { name, why }) => ['', `Skipped: ${name} (${why})`]),
]

/** @param {{name: string, commit: string | null, versions: Record<string, string>}} contender */
const label = ({ name, commit, versions }) =>
  `${name} (${[...Object.entries(versions).map((entry) => entry.join(' ')), ...(commit ? [commit.slice(0, 10)] : [])].join(', ')})`

module.exports = { headlines, label }
