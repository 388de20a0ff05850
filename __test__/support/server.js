'use strict'

const { before, after } = require('node:test')
const { startServer } = require('../../scripts/postgres-server')

/** @typedef {import('../../scripts/postgres-server').Server} Server */

/**
 * A PostgreSQL for the test file that calls this at its top level. `npm test` starts one for all files and names it
 * in the environment; a file that is run by itself gets one of its own.
 *
 * `prepare` and `cleanUp` stand in for hooks of the file's own: Node.js 20 runs the hooks of one level side by side.
 *
 * @param {{ prepare?: (server: Server) => Promise<unknown>, cleanUp?: (server: Server) => Promise<unknown> }} [steps]
 * @returns {() => Server} gives the server, inside a test
 */
function useServer({ prepare, cleanUp } = {}) {
  /** @type {Server | undefined} */
  let server
  before(async () => {
    server = await startServer()
    await prepare?.(server)
  })
  after(async () => {
    if (!server) return
    try {
      await cleanUp?.(server)
    } finally {
      await server.stop()
    }
  })
  return () => {
    if (!server) throw new Error('the server is only there inside a test')
    return server
  }
}

module.exports = { useServer }
