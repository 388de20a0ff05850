'use strict'

const { forPg, forPgNative } = require('./drivers/pg')

/** @type {Record<import('./index').Setup['driver'], Pick<import('./load').Driver, 'cannot'>>} */
const DRIVERS = {
  pg: forPg(null),
  'pg-native': forPgNative(null),
  postgres: require('./drivers/postgres'),
  bun: require('./drivers/bun'),
}

/**
 * Why a contender cannot take part in a scenario; null where it can. Known before anything is started.
 * @param {import('./load').Scenario} scenario
 * @param {import('./index').Contender} contender
 */
const cannot = (scenario, { setup }) => DRIVERS[setup.driver].cannot(scenario)

module.exports = { cannot }
