'use strict'

// F62: apps that are bundled into one file, as for AWS Lambda.

const { test, before } = require('node:test')
const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const esbuild = require('esbuild')
const { root, node, temporaryFolder } = require('./support/npm')

const folder = temporaryFolder('bundle')
const app = path.join(folder, 'app')
const main = path.join(app, 'main.js')

before(() => {
  // The package as its files lie here, under the name that an app would import.
  fs.mkdirSync(path.join(app, 'node_modules/pg-protocol-native'), { recursive: true })
  for (const file of ['package.json', 'index.js', 'index.mjs', 'lib', 'dist']) {
    fs.cpSync(path.join(root, file), path.join(app, 'node_modules/pg-protocol-native', file), {
      recursive: true,
    })
  }
  for (const name of ['pg-protocol-js']) {
    fs.cpSync(path.join(root, 'node_modules', name), path.join(app, 'node_modules', name), {
      recursive: true,
    })
  }
  fs.writeFileSync(
    main,
    `const { Parser, native } = require('pg-protocol-native')
    const names = []
    new Parser().parse(Buffer.from('5a0000000549', 'hex'), (message) => names.push(message.name))
    console.log(JSON.stringify({ native, names }))`
  )
})

/**
 * @param {string} name of the folder that the bundle goes to
 * @returns {Promise<string>} the folder
 */
async function bundle(name) {
  const outdir = path.join(folder, name)
  const { warnings } = await esbuild.build({
    entryPoints: [main],
    outdir,
    bundle: true,
    platform: 'node',
    loader: { '.node': 'copy' },
    logLevel: 'silent',
  })
  assert.deepStrictEqual(warnings, [])
  // away from the app: nothing may be found but what the bundler put there
  assert.ok(!fs.existsSync(path.join(folder, 'node_modules')))
  return outdir
}

/** @param {string} outdir */
function run(outdir) {
  const { status, stdout, stderr } = node(outdir, 'main.js')
  assert.strictEqual(status, 0, stderr)
  return { ...JSON.parse(stdout), warnings: stderr.match(/PgProtocolNativeWarning/g)?.length ?? 0 }
}

/** @param {string} folder */
function removeBinaries(folder) {
  const binaries = fs.readdirSync(folder).filter((file) => file.endsWith('.node'))
  assert.ok(binaries.length > 0, `no binary in ${folder}`)
  for (const file of binaries) fs.rmSync(path.join(folder, file))
}

test('F62: a bundle carries the binary with it, and runs on the fallback when it is lost', async () => {
  const outdir = await bundle('with-binary')
  assert.deepStrictEqual(run(outdir), { native: true, names: ['readyForQuery'], warnings: 0 })

  removeBinaries(outdir)
  assert.deepStrictEqual(run(outdir), { native: false, names: ['readyForQuery'], warnings: 1 })
})

test('F62: an app whose package has no binary can be bundled all the same', async () => {
  removeBinaries(path.join(app, 'node_modules/pg-protocol-native/lib'))
  const outdir = await bundle('without-binary')
  assert.deepStrictEqual(run(outdir), { native: false, names: ['readyForQuery'], warnings: 1 })
})
