'use strict'

// scripts/build.js in a copy of the package, with a cargo that does what the test needs, or with none.

const { test } = require('node:test')
const assert = require('node:assert')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { platformName } = require('../../lib/platform')
const { root, temporaryFolder } = require('./support/npm')

const skip = process.platform === 'win32' ? 'a script cannot stand in for cargo.exe' : false

/**
 * @param {string} name
 * @param {string[]} modules the installed packages
 */
function copyPackage(name, modules) {
  const folder = temporaryFolder(name)
  for (const file of ['package.json', 'Cargo.toml', 'scripts/build.js', 'lib/platform.js']) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.copyFileSync(path.join(root, file), path.join(folder, file))
  }
  fs.mkdirSync(path.join(folder, 'bin'))
  for (const module of modules) {
    const link = path.join(folder, 'node_modules', module)
    fs.mkdirSync(path.dirname(link), { recursive: true })
    fs.symlinkSync(path.join(root, 'node_modules', module), link, 'junction')
  }
  return folder
}

/**
 * @param {string} folder
 * @param {string} source of a Node.js program
 */
function pretendCargo(folder, source) {
  fs.writeFileSync(path.join(folder, 'bin/cargo'), `#!${process.execPath}\n${source}`, { mode: 0o755 })
}

/**
 * @param {string} folder
 * @param {...string} args
 */
function build(folder, ...args) {
  const { CARGO_TARGET_DIR, ...env } = process.env
  return spawnSync(process.execPath, [path.join(folder, 'scripts/build.js'), ...args], {
    encoding: 'utf8',
    env: { ...env, PATH: path.join(folder, 'bin'), Path: path.join(folder, 'bin') },
  })
}

test('without cargo the build says in one sentence how to go on, and succeeds', () => {
  const { status, stdout, stderr } = build(copyPackage('no-cargo', []))
  assert.strictEqual(status, 0)
  assert.strictEqual(stdout, '')
  assert.match(
    stderr,
    /^pg-protocol-native: cargo was not found, .*https:\/\/rustup\.rs.*`npm run build`\.\n$/
  )
})

test(
  'when cargo fails, its error is shown and the build fails, with @napi-rs/cli and without',
  { skip },
  () => {
    for (const modules of [[], ['@napi-rs/cli']]) {
      const folder = copyPackage('failing-cargo', modules)
      pretendCargo(
        folder,
        "if (process.argv[2] !== '--version') { console.error('error: no'); process.exit(101) }"
      )
      const { status, stdout, stderr } = build(folder)
      assert.notStrictEqual(status, 0)
      assert.match(stdout + stderr, /error: no/)
    }
  }
)

test('without @napi-rs/cli cargo alone builds the addon under the name that is looked for', { skip }, () => {
  const folder = copyPackage('cargo-only', [])
  pretendCargo(
    folder,
    `const fs = require('node:fs')
    const args = process.argv.slice(2)
    if (args[0] === '--version') process.exit()
    const profile = args.includes('--release') ? 'release' : 'debug'
    const out = args[args.indexOf('--target-dir') + 1] + '/' + profile
    fs.mkdirSync(out, { recursive: true })
    for (const ending of ['so', 'dylib']) fs.writeFileSync(out + '/libpg_protocol_native.' + ending, args.join(' '))`
  )
  const addon = path.join(folder, 'lib', `pg-protocol-native.${platformName()}.node`)

  assert.strictEqual(build(folder).status, 0)
  assert.match(fs.readFileSync(addon, 'utf8'), /^build --features addon .* --release$/)
  assert.strictEqual(build(folder, '--debug').status, 0)
  assert.doesNotMatch(fs.readFileSync(addon, 'utf8'), /--release/)

  const { status, stderr } = build(folder, '--target', 'aarch64-unknown-linux-gnu')
  assert.strictEqual(status, 1)
  assert.match(stderr, /@napi-rs\/cli is needed for --target/)
})
