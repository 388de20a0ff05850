'use strict'

// Small apps in folders of their own, to be run as child processes: what a way in does depends on what has been
// loaded before, from where, and with which options.

const { execFile } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const root = path.join(__dirname, '..', '..', '..')

/**
 * An app's folder, removed after the test.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} files  by path in the folder
 */
function createApp(t, files = {}) {
  // The real path, since Node compares real paths and the temporary folder is a link on macOS.
  const dir = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'pg-protocol-native-'))
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }))
  const app = { dir, write, install, link, linkSelf, copySelf, run }

  for (const [name, text] of Object.entries(files)) write(name, text)
  return app

  /**
   * @param {string} name
   * @param {string} text
   */
  function write(name, text) {
    const file = path.join(dir, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
    return file
  }

  /**
   * Copies packages, with all they depend on, out of this repository's node_modules.
   *
   * @param {string[]} names
   * @param {string} [into]  a folder of packages in the app
   */
  function install(names, into = 'node_modules') {
    const done = new Set()
    const queue = [...names]
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      if (done.has(name)) continue
      done.add(name)
      const from = path.join(root, 'node_modules', name)
      fs.cpSync(from, path.join(dir, into, name), { recursive: true })
      const { dependencies, peerDependencies } = JSON.parse(
        fs.readFileSync(path.join(from, 'package.json'), 'utf8')
      )
      for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
        if (fs.existsSync(path.join(root, 'node_modules', dependency))) queue.push(dependency)
      }
    }
  }

  /**
   * @param {string} target
   * @param {string} name  of the link, in the app
   */
  function link(target, name) {
    const file = path.join(dir, name)
    fs.rmSync(file, { recursive: true, force: true })
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.symlinkSync(target, file, 'junction')
  }

  /** @param {string} [as]  the name under which the app finds this package */
  function linkSelf(as = 'pg-protocol-native') {
    link(root, path.join('node_modules', as))
  }

  /**
   * A copy of this package as npm would install it.
   *
   * @param {{ to?: string, binary?: boolean }} [options]
   * @returns {string} its folder
   */
  function copySelf({ to = 'node_modules/pg-protocol-native', binary = true } = {}) {
    const folder = path.join(dir, to)
    fs.rmSync(folder, { recursive: true, force: true })
    const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
    for (const name of ['package.json', 'index.js', 'index.mjs', 'index.d.ts', 'lib', 'dist']) {
      fs.cpSync(path.join(root, name), path.join(folder, name), {
        recursive: true,
        filter: (file) => binary || !file.endsWith('.node'),
      })
    }
    install(Object.keys(manifest.dependencies), path.join(to, 'node_modules'))
    return folder
  }

  /**
   * @param {string[]} args  for node
   * @param {{ env?: Record<string, string>, cwd?: string }} [options]
   * @returns {Promise<{ code: number | string, stdout: string, stderr: string, json: () => any }>}
   */
  function run(args, { env = {}, cwd = dir } = {}) {
    return runNode(args, { env, cwd })
  }
}

/**
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd: string }} options
 */
function runNode(args, options) {
  return runProgram(process.execPath, args, options)
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd: string }} options
 * @returns {Promise<{ code: number | string, stdout: string, stderr: string, json: () => any }>}
 */
function runProgram(program, args, { env = {}, cwd }) {
  const clean = { ...process.env, ...env }
  for (const name of ['PG_PROTOCOL_NATIVE', 'NODE_OPTIONS', 'NODE_TEST_CONTEXT']) {
    if (!(name in env)) delete clean[name]
  }
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: clean, timeout: 60_000 }, (err, stdout, stderr) => {
      const code = err ? (err.code ?? err.signal ?? 'unknown') : 0
      resolve({
        code,
        stdout,
        stderr,
        json() {
          try {
            return JSON.parse(stdout)
          } catch {
            throw new Error(
              `no JSON from ${program} ${args.join(' ')}, exit code ${code}\n${stdout}\n${stderr}`
            )
          }
        },
      })
    })
  })
}

/**
 * How many warnings of this package a program has printed.
 *
 * @param {string} stderr
 */
function warnings(stderr) {
  return stderr.split('\n').filter((line) => line.includes('PgProtocolNativeWarning')).length
}

exports.createApp = createApp
exports.root = root
exports.runNode = runNode
exports.runProgram = runProgram
exports.warnings = warnings
