'use strict'

// What must say the same in several places.

const { test } = require('node:test')
const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const manifest = require('../../package.json')
const { root } = require('./support/npm')

/** @param {string} file */
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8')
const cargoToml = read('Cargo.toml')

test('npm package and crate have one version, and CHANGELOG knows it', () => {
  assert.strictEqual(/^version = "(.*)"$/m.exec(cargoToml)?.[1], manifest.version)
  assert.ok(read('CHANGELOG.md').includes(`\n## [${manifest.version}]`))
})

test('the version is one that pg accepts in place of pg-protocol', () => {
  const [major, minor] = manifest.version.split('.').map(Number)
  const [stockMajor, stockMinor] = require('pg/package.json')
    .dependencies['pg-protocol'].slice(1)
    .split('.')
    .map(Number)
  assert.strictEqual(major, stockMajor)
  assert.ok(minor >= stockMinor)
})

test('CONTRIBUTING gives a reason for every dependency', () => {
  const named = new Set(read('CONTRIBUTING.md').match(/(?<=`)[@\w/-]+(?=`)/g))
  const crates = cargoToml
    .split(/^\[/m)
    .filter((section) => /^(build-|dev-)?dependencies\]/.test(section))
    .flatMap((section) => section.match(/^[\w-]+(?= = )/gm) ?? [])
  assert.ok(crates.includes('memchr'))
  const dependencies = [
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.devDependencies),
    ...Object.keys(manifest.overrides),
    ...crates,
  ]
  assert.deepStrictEqual(
    dependencies.filter((name) => !named.has(name)),
    []
  )
})

test('README and CONTRIBUTING name only npm scripts that exist', () => {
  const named = (read('README.md') + read('CONTRIBUTING.md')).match(/(?<=npm run )[\w:]+/g) ?? []
  assert.ok(named.length > 0)
  assert.deepStrictEqual(
    named.filter((name) => !(name in manifest.scripts)),
    []
  )
})

test('the binaries that the loader knows are those that a release builds', () => {
  const known = read('lib/binding.js').match(/(?<=require\('\.\/pg-protocol-native\.)[\w-]+(?=\.node'\))/g)
  const targets = read('.github/workflows/release.yml').match(/(?<=target: )\w+-\w+-[\w-]+/g)
  /** @type {Record<string, string>} */
  const arch = { x86_64: 'x64', aarch64: 'arm64' }
  /** @type {Record<string, string>} */
  const system = { 'unknown-linux-gnu': 'linux-%-gnu', 'unknown-linux-musl': 'linux-%-musl' }
  Object.assign(system, { 'apple-darwin': 'darwin-%', 'pc-windows-msvc': 'win32-%-msvc' })
  const built = targets?.map((target) => {
    const [cpu, ...rest] = target.split('-')
    return system[rest.join('-')].replace('%', arch[cpu])
  })
  assert.deepStrictEqual(known?.sort(), built?.sort())
})
