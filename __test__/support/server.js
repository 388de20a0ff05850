'use strict'

const { before, after } = require('node:test')
const { startServer } = require('../../scripts/postgres-server')

/**
 * A PostgreSQL for the test file that calls this at its top level. `npm test` starts one for all files and names it
 * in the environment; a file that is run by itself gets one of its own.
 *
 * @returns {() => import('../../scripts/postgres-server').Server} gives the server, inside a test
 */
function useServer() {
  /** @type {import('../../scripts/postgres-server').Server | undefined} */
  let server
  before(async () => {
    server = await startServer()
  })
  after(async () => {
    await server?.stop()
  })
  return () => {
    if (!server) throw new Error('the server is only there inside a test')
    return server
  }
}

module.exports = { useServer }
