'use strict'

// F65: other runtimes that know Node-API. Skipped where they are not installed.

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const { after, before, test } = require('node:test')
const path = require('node:path')
const { createApp, runProgram } = require('./support/app')
const { startFakeServer } = require('./support/fake-server')
const { NATIVE, STOCK } = require('./support/probe')

/** @type {Awaited<ReturnType<typeof startFakeServer>>} */
let server
before(async () => {
  server = await startFakeServer()
})
after(() => server.close())

/** @param {string} program */
function isInstalled(program) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const QUERY = `
  const { probe } = require(${JSON.stringify(path.join(__dirname, 'support', 'probe.js'))})
  probe(require('pg')).then((result) => console.log(JSON.stringify(result)))`

for (const [program, ...args] of [['bun'], ['deno', 'run', '--allow-all', '--node-modules-dir=manual']]) {
  test(`F65: ${program} runs a query through register, the override and the fallback`, async (t) => {
    if (!isInstalled(program)) return t.skip(`${program} is not installed`)
    const app = createApp(t, {
      'package.json': '{}',
      'before.cjs': `require('pg-protocol-native/register')\n${QUERY}`,
      'after.cjs': `require('pg')\nrequire('pg-protocol-native/register')\n${QUERY}`,
      'app.cjs': QUERY,
    })
    app.install(['pg'])
    app.copySelf()
    const run = (/** @type {string} */ file, env = {}) =>
      runProgram(program, [...args, file], { env: { ...server.env, ...env }, cwd: app.dir })
    assert.deepEqual((await run('app.cjs')).json(), STOCK)
    assert.deepEqual((await run('before.cjs')).json(), NATIVE)
    assert.deepEqual((await run('after.cjs')).json(), NATIVE)
    app.copySelf({ to: 'node_modules/pg-protocol' })
    assert.deepEqual((await run('app.cjs')).json(), NATIVE)
    assert.deepEqual((await run('app.cjs', { PG_PROTOCOL_NATIVE: 'off' })).json(), STOCK)
  })
}
