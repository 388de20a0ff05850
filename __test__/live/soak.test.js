'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const path = require('node:path')
const { spawn, spawnSync } = require('node:child_process')
const { useServer } = require('../support/server')

// A few seconds of the soak test, so that it does not rot; `npm run soak` has more of it.

const server = useServer()
const ROOT = path.join(__dirname, '..', '..')
const SOAK = path.join(ROOT, 'scripts', 'soak.js')

test('a few seconds of the soak test', async () => {
  const { env, embedded } = server()
  const environment = { ...env }
  // A server of its own can be restarted.
  if (embedded) delete environment.DATABASE_URL
  const child = spawn(process.execPath, [SOAK, '--minutes', '0.1', '--connections', '20', '--seed', '5'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.equal(code, 0, output)
  assert.match(output, /stock and native gave the same; no wrong row, no task that hung/)
  const [, connections, cuts] = output.match(/; (\d+) connections, (\d+) of them cut;/) ?? []
  assert.ok(Number(connections) > 20 && Number(cuts) > 2, output)
  assert.match(output, /native: .*pool\.query \d/)
  assert.match(output, /rss: .* MiB after the first storm/)
})

test('wrong arguments: one sentence, exit code 2', () => {
  for (const [args, sentence] of /** @type {[string[], RegExp][]} */ ([
    [['--minutes'], /^--minutes takes a number above 0, not nothing\n$/],
    [['--minutes', 'x'], /^--minutes takes a number above 0, not x\n$/],
    [['--connections', '1.5'], /^--connections takes a whole number above 0, not 1.5\n$/],
    [['--hours', '1'], /^unknown argument --hours; usage: npm run soak/],
  ])) {
    const { status, stderr } = spawnSync(process.execPath, [SOAK, ...args], { encoding: 'utf8' })
    assert.equal(status, 2)
    assert.match(stderr, sentence)
  }
})
