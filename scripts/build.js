'use strict'

// Builds the addon into lib/. npm runs this as `prepare`: after `npm install` in a clone, before packing, and when
// the package is installed as a git dependency. It never runs where the published package is installed.
//
//   node scripts/build.js [--debug] [further arguments for `napi build`, such as --target]
//
// Cargo decides what has to be built anew, so running it again costs about a second.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..')
const lib = path.join(root, 'lib')
const binaryName = 'pg-protocol-native'

if (require.main === module) process.exitCode = main(process.argv.slice(2))

/**
 * @param {string[]} args
 * @returns {number} the exit code
 */
function main(args) {
  // A missing compiler is no reason to fail an install: everything but the speed works without the addon.
  if (!onPath('cargo')) {
    console.error(
      'pg-protocol-native: cargo was not found, so the native parser is not built and the JavaScript parser serves; ' +
        'to build it, install Rust from https://rustup.rs and run `npm run build`.'
    )
    return 0
  }
  const profile = args.includes('--debug') ? 'debug' : 'release'
  const rest = args.filter((arg) => arg !== '--debug')
  const cli = napiCli()
  return cli ? buildWithNapi(cli, profile, rest) : buildWithCargo(profile, rest)
}

/**
 * The usual way. The CLI names the file after the platform, writes lib/binding.d.ts and knows how to cross-compile.
 *
 * @param {string} cli
 * @param {string} profile
 * @param {string[]} args
 */
function buildWithNapi(cli, profile, args) {
  const options = [
    '--platform',
    '--no-js',
    '--features',
    'addon',
    '--output-dir',
    lib,
    '--dts',
    path.join('..', 'target', 'binding.d.ts'),
  ]
  if (profile === 'release') options.push('--release')
  return run(process.execPath, [cli, 'build', ...options, ...args])
}

/**
 * The way when development dependencies were left out (`npm install --omit=dev`): what napi does for the machine
 * it runs on, without the type definitions.
 *
 * @param {string} profile
 * @param {string[]} args
 */
function buildWithCargo(profile, args) {
  if (args.length > 0) {
    console.error(
      `pg-protocol-native: @napi-rs/cli is needed for ${args.join(' ')}; run \`npm install\` first.`
    )
    return 1
  }
  const flags = profile === 'release' ? ['--release'] : []
  const targetDir = process.env.CARGO_TARGET_DIR || path.join(root, 'target')
  const code = run('cargo', ['build', '--features', 'addon', '--target-dir', targetDir, ...flags])
  if (code !== 0) return code
  const { platformName } = require('../lib/platform')
  const to = path.join(lib, `${binaryName}.${platformName()}.node`)
  // Copied beside and then renamed, because a process that has the old file mapped must not see it change.
  fs.copyFileSync(path.join(targetDir, profile, libraryFile()), `${to}.new`)
  fs.renameSync(`${to}.new`, to)
  return 0
}

/** What cargo calls the shared library of this crate here. */
function libraryFile() {
  const stem = binaryName.replaceAll('-', '_')
  if (process.platform === 'win32') return `${stem}.dll`
  return `lib${stem}.${process.platform === 'darwin' ? 'dylib' : 'so'}`
}

/** @param {string} command */
function onPath(command) {
  const { error } = spawnSync(command, ['--version'], { stdio: 'ignore' })
  return !error || /** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT'
}

function napiCli() {
  try {
    const manifest = require.resolve('@napi-rs/cli/package.json')
    return path.join(path.dirname(manifest), require(manifest).bin.napi)
  } catch {
    return null
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {number}
 */
function run(command, args) {
  // DEBUG makes @napi-rs/cli (and npm's own tools) print every step.
  const env = { ...process.env }
  delete env.DEBUG
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env })
  if (error) {
    console.error(`pg-protocol-native: ${command} could not be started: ${error.message}`)
    return 1
  }
  return status ?? 1
}
