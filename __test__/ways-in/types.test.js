'use strict'

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { createApp, root, runNode } = require('./support/app')

// The compiler's package exports only its manifest and a few entries; the command stands in the manifest.
const manifest = require.resolve('typescript/package.json')
const tsc = path.join(path.dirname(manifest), require(manifest).bin.tsc)

/** @param {string[]} args */
const compile = (...args) => runNode([tsc, '--pretty', 'false', ...args], { cwd: root })

test('an app with @types/pg compiles when pg-protocol is this package', async () => {
  const { code, stdout } = await compile('-p', path.join(__dirname, 'override-types'))
  assert.equal(stdout, '')
  assert.equal(code, 0)
})

test('an app that uses the package under its own name compiles', async () => {
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'node20',
    '--types',
    'node',
    '--ignoreConfig',
  ]
  const files = ['direct.ts', 'direct.mts'].map((file) => path.join('__test__', 'types', file))
  const { code, stdout } = await compile(...options, ...files)
  assert.equal(stdout, '')
  assert.equal(code, 0)
})

test('the types name exactly the values that are there', async (t) => {
  const modules = ['index', 'messages', 'parser', 'serializer', 'buffer-reader', 'buffer-writer']
  const checks = modules.map((name, i) => {
    const values = Object.keys(require(`pg-protocol-native/dist/${name}.js`))
    assert.ok(values.length > 0)
    return `
      import * as module${i} from ${JSON.stringify(path.join(root, 'dist', `${name}.js`))}
      // An error if a name is missing here, and an error if one is too many.
      export const values${i}: Record<keyof typeof module${i}, true> = { ${values.map((value) => `${value}: true`).join(', ')} }`
  })
  const app = createApp(t, { 'values.ts': checks.join('\n') })
  const { code, stdout } = await compile(
    ...['--noEmit', '--strict', '--module', 'node20', '--types', 'node', '--ignoreConfig'],
    ...['--typeRoots', path.join(root, 'node_modules', '@types')],
    path.join(app.dir, 'values.ts')
  )
  assert.equal(stdout, '')
  assert.equal(code, 0)
})

test('register has types for exactly what it exports', () => {
  const declared = fs.readFileSync(path.join(root, 'lib', 'register.d.ts'), 'utf8')
  const names = [...declared.matchAll(/^ {2}(?:readonly )?(\w+)[:(]/gm)].map(([, name]) => name)
  assert.deepEqual(names.sort(), Object.keys(require('pg-protocol-native/register')).sort())
})
