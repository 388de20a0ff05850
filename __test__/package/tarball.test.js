'use strict'

// What users get: the packed tarball, installed into apps of their own.

const { test, before } = require('node:test')
const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const { platformName } = require('../../lib/platform')
const { root, npm, node, temporaryFolder, pack, installApp, withoutBinary } = require('./support/npm')

const folder = temporaryFolder('tarball')
const app = path.join(folder, 'app')
const smoke = path.join(root, 'scripts/smoke.js')
const { dependencies } = require('../../package.json')

/** @type {string} */
let tarball
/** @type {string[]} */
let files

before(() => {
  ;({ tarball, files } = pack(folder))
  installApp(app, { dependencies: { 'pg-protocol-native': `file:${tarball}` } })
})

test('the tarball has the addon, the entries and their types, and nothing of the workshop', () => {
  const wanted = [
    `lib/pg-protocol-native.${platformName()}.node`,
    ...['index.js', 'index.mjs', 'index.d.ts', 'lib/binding.js', 'lib/register.js', 'lib/cli.js'],
    ...['index', 'messages', 'parser', 'serializer', 'buffer-reader', 'buffer-writer'].flatMap((name) => [
      `dist/${name}.js`,
      `dist/${name}.d.ts`,
    ]),
    ...['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json'],
  ]
  assert.deepStrictEqual(
    wanted.filter((file) => !files.includes(file)),
    []
  )
  const strangers = files.filter((file) => !/^(lib|dist)\//.test(file) && !wanted.includes(file))
  assert.deepStrictEqual(strangers, [])
})

test('an app installs it without running a script and without a compiler', () => {
  const manifest = require(path.join(app, 'node_modules/pg-protocol-native/package.json'))
  for (const name of ['preinstall', 'install', 'postinstall']) {
    assert.strictEqual(manifest.scripts?.[name], undefined)
  }
  // and brings no more than it says
  const installed = fs.readdirSync(path.join(app, 'node_modules')).filter((name) => !name.startsWith('.'))
  assert.deepStrictEqual(installed.sort(), ['pg-protocol-native', ...Object.keys(dependencies)].sort())
})

test('installed, it runs natively: CommonJS, ESM, the deep paths and the doctor', () => {
  const { status, stdout, stderr } = node(app, smoke, app, 'native')
  assert.strictEqual(status, 0, stderr)
  assert.match(stdout, /^ok: native on /m)
})

test('`npx pg-protocol-native doctor` names the binary', () => {
  const report = npm(app, 'exec', '--no', 'pg-protocol-native', '--', 'doctor')
  assert.ok(report.includes(`pg-protocol-native.${platformName()}.node`), report)
})

test('F57, F58: with its binary missing the app runs on the fallback, with one warning', () => {
  const bare = path.join(folder, 'bare')
  withoutBinary(app, bare)
  const { status, stdout, stderr } = node(bare, smoke, bare, 'fallback')
  assert.strictEqual(status, 0, stderr)
  assert.match(stdout, /^ok: fallback on /m)
  assert.match(stderr, new RegExp(`did not find its binary pg-protocol-native\\.${platformName()}\\.node`))

  const required = node(
    bare,
    '--eval',
    "process.env.PG_PROTOCOL_NATIVE = 'require'; require('pg-protocol-native')"
  )
  assert.strictEqual(required.status, 1)
  assert.match(required.stderr, /Error: pg-protocol-native did not find its binary .*npm run build/)
})

test('F57: a binary that cannot be loaded is named in the warning, and the app runs on the fallback', () => {
  const broken = path.join(folder, 'broken')
  withoutBinary(app, broken)
  const file = `pg-protocol-native.${platformName()}.node`
  fs.writeFileSync(path.join(broken, 'node_modules/pg-protocol-native/lib', file), 'not a library')
  const { status, stderr } = node(broken, smoke, broken, 'fallback')
  assert.strictEqual(status, 0, stderr)
  assert.ok(stderr.includes(`could not load its binary ${file}: `), stderr)
})

test('a binary of another version is not used', () => {
  const mixed = path.join(folder, 'mixed')
  fs.cpSync(app, mixed, { recursive: true })
  const layout = path.join(mixed, 'node_modules/pg-protocol-native/lib/layout.js')
  fs.writeFileSync(layout, fs.readFileSync(layout, 'utf8').replace(/VERSION: \d+/, 'VERSION: 999'))
  const { status, stderr } = node(mixed, smoke, mixed, 'fallback')
  assert.strictEqual(status, 0, stderr)
  assert.match(stderr, /found a binary of another version \(layout \d+, not 999\)/)
})

test('as an npm override it is the pg-protocol of pg, with one DatabaseError', () => {
  const overriding = path.join(folder, 'override')
  installApp(overriding, {
    dependencies: { pg: `^${require('pg/package.json').version}` },
    overrides: { 'pg-protocol': `file:${tarball}` },
  })
  const source = `
    const { createRequire } = require('node:module')
    const fromPg = createRequire(require.resolve('pg'))
    const protocol = fromPg('pg-protocol')
    const deep = fromPg('pg-protocol/dist/messages')
    console.log(JSON.stringify({
      native: protocol.native,
      manifest: require(fromPg.resolve('pg-protocol/package.json')).name,
      sameError: require('pg').DatabaseError === protocol.DatabaseError && deep.DatabaseError === protocol.DatabaseError,
      alias: require('pg-protocol-js').DatabaseError === protocol.DatabaseError,
    }))`
  const { status, stdout, stderr } = node(overriding, '--eval', source)
  assert.strictEqual(status, 0, stderr)
  assert.deepStrictEqual(JSON.parse(stdout), {
    native: true,
    manifest: 'pg-protocol-native',
    sameError: true,
    alias: true,
  })

  const bare = path.join(folder, 'override-bare')
  withoutBinary(overriding, bare, 'pg-protocol')
  const fallback = node(bare, '--eval', source)
  assert.strictEqual(fallback.status, 0, fallback.stderr)
  assert.deepStrictEqual(JSON.parse(fallback.stdout), { ...JSON.parse(stdout), native: false })
  assert.strictEqual(fallback.stderr.match(/PgProtocolNativeWarning/g)?.length, 1, fallback.stderr)
})
