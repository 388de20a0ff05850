'use strict'

// `npx pg-protocol-native doctor`.

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { createApp, root, runNode } = require('./support/app')
const { version } = require('../../package.json')

const CLI = path.join('node_modules', 'pg-protocol-native', 'lib', 'cli.js')
const installed = (/** @type {string} */ name) =>
  JSON.parse(fs.readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')).version

test('in an app with pg: what is live, and which way in would serve', async (t) => {
  const app = createApp(t)
  app.install(['pg'])
  const self = app.copySelf()
  const { code, json, stderr } = await app.run([CLI, 'doctor', '--json'])
  assert.equal(code, 0, stderr)
  assert.equal(stderr, '')
  const { binary, libc, pg, protocol, ...report } = json()
  assert.deepEqual(report, {
    native: true,
    reason: null,
    addonVersion: report.addonVersion,
    version,
    platform: require('../../lib/platform').platformName(),
    node: process.version,
    setting: null,
    rowsSetting: null,
    direct: { active: true, reason: "require('pg-protocol-native') gives the native Parser" },
  })
  assert.equal(path.dirname(binary), path.join(self, 'lib'))
  assert.ok(fs.existsSync(binary))
  assert.equal(libc === null, process.platform !== 'linux')
  const stock = {
    name: 'pg-protocol',
    version: installed('pg-protocol'),
    path: path.join(app.dir, 'node_modules', 'pg-protocol'),
  }
  assert.deepEqual(protocol, stock)
  assert.deepEqual(pg, [
    {
      pg: { name: 'pg', version: installed('pg'), path: path.join(app.dir, 'node_modules', 'pg') },
      foundFrom: ['.'],
      protocol: stock,
      register: { active: true, reason: `it would serve pg-protocol ${stock.version}` },
      rows: { active: true, reason: 'register would build them natively' },
      override: { active: false, reason: 'its pg-protocol is the stock one' },
    },
  ])
})

test('as text for people, with the same facts', async (t) => {
  const app = createApp(t)
  app.install(['pg'])
  app.copySelf()
  const { code, stdout } = await app.run([CLI, 'doctor'])
  assert.equal(code, 0)
  assert.match(stdout, /^The native parser is live\.$/m)
  assert.match(stdout, /^ {2}binary +\S+\.node$/m)
  assert.match(stdout, new RegExp(`^ {2}node +${process.version}$`, 'm'))
  assert.match(stdout, /^ {2}PG_PROTOCOL_NATIVE +not set$/m)
  assert.match(stdout, /^pg \d+\.\d+\.\d+, loaded from this folder$/m)
  assert.match(stdout, /^ {2}register +active \(it would serve pg-protocol 1\.\d+\.\d+\)$/m)
  assert.match(stdout, /^ {2}PG_PROTOCOL_NATIVE_ROWS +not set$/m)
  assert.match(stdout, /^ {2}rows +active \(register would build them natively\)$/m)
  assert.match(stdout, /^ {2}override +not active \(its pg-protocol is the stock one\)$/m)
})

test('without a binary: exit code 1, the reason, and no way in is active', async (t) => {
  const app = createApp(t)
  app.install(['pg'])
  app.copySelf({ binary: false })
  const { code, json } = await app.run([CLI, 'doctor', '--json'])
  assert.equal(code, 1)
  const { native, binary, reason, pg, direct } = json()
  assert.deepEqual({ native, binary }, { native: false, binary: null })
  assert.match(reason, /did not find its binary/)
  const { register, rows, override } = pg[0]
  assert.deepEqual([register.active, rows.active, override.active, direct.active], Array(4).fill(false))
  assert.equal(rows.reason, 'they need the native parser')
  const text = await app.run([CLI, 'doctor'])
  assert.match(text.stdout, /^The native parser is not live: .*did not find its binary/)
})

test('switched off, required in vain, or a setting that does not exist: exit code 1 with the reason', async (t) => {
  const app = createApp(t)
  app.copySelf({ binary: false })
  for (const [setting, expected] of /** @type {[string, RegExp][]} */ ([
    ['off', /PG_PROTOCOL_NATIVE=off/],
    ['require', /did not find its binary/],
    ['sometimes', /must be "auto", "off" or "require", not "sometimes"/],
  ])) {
    const { code, json, stderr } = await app.run([CLI, 'doctor', '--json'], {
      env: { PG_PROTOCOL_NATIVE: setting },
    })
    assert.equal(code, 1, stderr)
    assert.match(json().reason, expected)
    assert.equal(json().setting, setting)
  }
})

test('with the override in place', async (t) => {
  const app = createApp(t)
  app.install(['pg'])
  app.copySelf({ to: 'node_modules/pg-protocol' })
  const { code, json } = await app.run([
    path.join('node_modules', 'pg-protocol', 'lib', 'cli.js'),
    'doctor',
    '--json',
  ])
  assert.equal(code, 0)
  const [{ override, register, protocol }] = json().pg
  assert.deepEqual(protocol, {
    name: 'pg-protocol-native',
    version,
    path: path.join(app.dir, 'node_modules', 'pg-protocol'),
  })
  assert.equal(override.active, true)
  assert.deepEqual(register, { active: false, reason: 'its parser is native by the override' })
})

test('a second pg that a dependency brings along, and one that only a dependency has', async (t) => {
  const app = createApp(t, {
    'package.json': JSON.stringify({ dependencies: { orm: '*', plain: '*', absent: '*' } }),
    // ESM only: nothing that could be required.
    'node_modules/orm/package.json': JSON.stringify({ name: 'orm', exports: { import: './index.mjs' } }),
    'node_modules/plain/package.json': JSON.stringify({ name: 'plain' }),
  })
  app.install(['pg'])
  app.install(['pg'], 'node_modules/orm/node_modules')
  app.linkSelf()
  const both = (await app.run([CLI, 'doctor', '--json'])).json().pg
  assert.deepEqual(
    both.map((/** @type {any} */ copy) => [copy.foundFrom, path.relative(app.dir, copy.pg.path)]),
    [
      [['.'], path.join('node_modules', 'pg')],
      [['orm'], path.join('node_modules', 'orm', 'node_modules', 'pg')],
    ]
  )
  fs.rmSync(path.join(app.dir, 'node_modules', 'pg'), { recursive: true })
  const one = (await app.run([CLI, 'doctor', '--json'])).json().pg
  assert.deepEqual(
    one.map((/** @type {any} */ copy) => copy.foundFrom),
    [['orm']]
  )
})

test('a pg-protocol that register would leave alone', async (t) => {
  const app = createApp(t)
  app.install(['pg'])
  app.linkSelf()
  const file = path.join(app.dir, 'node_modules', 'pg-protocol', 'package.json')
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/"version": "1\./, '"version": "2.'))
  const [{ register }] = (await app.run([CLI, 'doctor', '--json'])).json().pg
  assert.equal(register.active, false)
  assert.match(register.reason, /^pg-protocol is left as it is: version 2/)
})

test('rows that register would leave to pg', async (t) => {
  const app = createApp(t)
  app.install(['pg'])
  app.linkSelf()
  for (const [setting, expected] of /** @type {[string, string][]} */ ([
    ['off', 'PG_PROTOCOL_NATIVE_ROWS=off leaves them to pg'],
    ['none', 'PG_PROTOCOL_NATIVE_ROWS must be "auto" or "off", not "none"'],
  ])) {
    const env = { PG_PROTOCOL_NATIVE_ROWS: setting }
    const { pg, rowsSetting } = (await app.run([CLI, 'doctor', '--json'], { env })).json()
    assert.deepEqual(pg[0].rows, { active: false, reason: expected })
    assert.equal(rowsSetting, setting)
  }
  const file = path.join(app.dir, 'node_modules', 'pg-types', 'package.json')
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/"version": "2\./, '"version": "4.'))
  const [{ register, rows }] = (await app.run([CLI, 'doctor', '--json'])).json().pg
  assert.equal(register.active, true)
  assert.equal(rows.active, false)
  assert.match(rows.reason, /^register would leave them to pg: pg-types 4\.\S+ is not known$/)
})

test('where there is no pg', async (t) => {
  const app = createApp(t)
  app.linkSelf()
  const { code, json } = await app.run([CLI, 'doctor', '--json'])
  assert.equal(code, 0)
  assert.deepEqual([json().pg, json().protocol], [[], null])
  const { stdout } = await app.run([CLI, 'doctor'])
  assert.match(stdout, /^No pg can be loaded/m)
})

test('wrong usage: exit code 2, the usage on stderr, nothing on stdout', async () => {
  for (const args of [[], ['doktor'], ['doctor', 'now'], ['doctor', '--yaml'], ['doctor', '--json=yes']]) {
    const { code, stdout, stderr } = await runNode([path.join(root, 'lib', 'cli.js'), ...args], { cwd: root })
    assert.equal(code, 2, args.join(' '))
    assert.equal(stdout, '')
    assert.match(stderr, /^pg-protocol-native: .+\n\nUsage: pg-protocol-native doctor/)
  }
})

test('--help and --version', async () => {
  const cli = path.join(root, 'lib', 'cli.js')
  const help = await runNode([cli, '--help'], { cwd: root })
  assert.deepEqual([help.code, help.stderr], [0, ''])
  assert.match(help.stdout, /^Usage: pg-protocol-native doctor \[--json\]/)
  const shown = await runNode([cli, '-v'], { cwd: root })
  assert.deepEqual([shown.code, shown.stdout], [0, `${version}\n`])
})

test('it is the command that the package installs', { skip: process.platform === 'win32' }, () => {
  const { bin } = require('../../package.json')
  assert.equal(path.join(root, bin['pg-protocol-native']), path.join(root, 'lib', 'cli.js'))
  const stdout = execFileSync(path.join(root, 'lib', 'cli.js'), ['--version'], { encoding: 'utf8' })
  assert.equal(stdout, `${version}\n`)
})
