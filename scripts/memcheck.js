'use strict'

/**
 * Looks for errors of memory that no test sees: npm run memcheck -- [--only rust,address,node] [--seconds N]
 *
 *   rust     the Rust tests under valgrind's memcheck
 *   address  the Rust tests with AddressSanitizer, which a nightly Rust has; left out with a word where there is none
 *   node     scripts/memcheck-soak.js in Node.js under memcheck: only what has a frame of the addon counts
 *
 * valgrind has to be installed (apt-get install valgrind). docs/testing.md says more.
 */

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { parseArgs } = require('node:util')

const ROOT = path.join(__dirname, '..')
const TARGET = path.join(ROOT, 'target', 'memcheck')
const PARTS = ['rust', 'address', 'node']

/** A few made-up values of each kind: what is looked for hangs on kinds of input, and valgrind takes 30 times as long. */
const FEW = { PROPTEST_CASES: '32' }

/** Counts bytes, which is something else, and takes hours here. */
const LEFT_OUT = ['linear_work']

/** Tests that try everything with everything: AddressSanitizer, which takes twice as long and not 30 times, runs them. */
const SKIPPED = ['at_each_cut', 'every_fraction']

class UsageError extends Error {}

/** @param {string[]} args */
const readArguments = (args) => {
  let values
  try {
    const options = /** @type {const} */ ({
      only: { type: 'string', default: PARTS.join(',') },
      seconds: { type: 'string', default: '120' },
    })
    values = parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message)
  }
  const parts = values.only.split(',')
  const unknown = parts.find((part) => !PARTS.includes(part))
  if (unknown !== undefined)
    throw new UsageError(`There is no part '${unknown}'. Known: ${PARTS.join(', ')}.`)
  const seconds = Number(values.seconds)
  if (!(seconds > 0)) throw new UsageError(`--seconds takes a number above 0, not '${values.seconds}'.`)
  return { parts, seconds }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
const run = (command, args, env = {}) =>
  spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

/** @param {string} command @param {...string} args */
const isThere = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

/**
 * @param {string[]} args
 * @returns {any[]} what cargo says that it built
 */
const cargo = (args) => {
  const { status, stdout } = spawnSync(
    'cargo',
    [...args, `--target-dir=${TARGET}`, '--message-format=json'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      stdio: ['ignore', 'pipe', 'inherit'],
    }
  )
  if (status !== 0) throw new Error(`cargo ${args.join(' ')} failed`)
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line)).filter(({ reason }) => reason === 'compiler-artifact')
}

const rust = () => {
  // optimised, but with the checks of a debug build
  const built = cargo(['test', '--no-run', '--lib', '--tests', '--config=profile.test.opt-level=2'])
  const tests = built.filter(({ executable, target }) => executable && !LEFT_OUT.includes(target.name))
  if (tests.length === 0) throw new Error('cargo did not say what it built')
  return tests.every(({ executable, target }) => {
    console.log(`\n${target.name} under valgrind`)
    // threads would take turns anyway
    const test = [executable, '--test-threads=1', ...SKIPPED.flatMap((name) => ['--skip', name])]
    const leaks = ['--leak-check=full', '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite']
    return run('valgrind', ['--quiet', '--error-exitcode=9', ...leaks, ...test], FEW)
  })
}

const address = () => {
  if (!isThere('cargo', '+nightly', '--version')) {
    console.log('\nAddressSanitizer is left out: there is no nightly Rust')
    return true
  }
  const triple = /^host: (.*)$/m.exec(spawnSync('rustc', ['-vV'], { encoding: 'utf8' }).stdout)?.[1]
  console.log('\nThe Rust tests with AddressSanitizer')
  const args = [
    '+nightly',
    'test',
    '--lib',
    '--tests',
    `--target=${triple}`,
    `--target-dir=${path.join(TARGET, 'address')}`,
  ]
  return run('cargo', args, { RUSTFLAGS: '-Zsanitizer=address', PROPTEST_CASES: '64' })
}

/** @param {number} seconds */
const node = (seconds) => {
  const names = ['--config=profile.release.strip="none"', '--config=profile.release.debug=1']
  const built = cargo(['build', '--release', '--features=addon', ...names])
  const addon = built
    .flatMap(({ target, filenames }) => (target.kind.includes('cdylib') ? filenames : []))
    .find((/** @type {string} */ file) => /\.(so|dylib|dll)$/.test(file))
  if (addon === undefined) throw new Error('cargo did not say where the addon is')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pg-protocol-native-'))
  const report = path.join(folder, 'memcheck.xml')
  try {
    console.log(`\nNode.js under valgrind, ${seconds} s`)
    const ran = run(
      'valgrind',
      [
        ...['--quiet', '--xml=yes', `--xml-file=${report}`, '--error-limit=no', '--num-callers=40'],
        ...['--leak-check=full', '--show-leak-kinds=definite'],
        // without optimised JavaScript, which valgrind would have to translate over and over
        ...[
          process.execPath,
          '--no-opt',
          '--expose-gc',
          path.join(__dirname, 'memcheck-soak.js'),
          addon,
          String(seconds),
        ],
      ],
      { PG_PROTOCOL_NATIVE: 'require' }
    )
    const errors = errorsOf(fs.readFileSync(report, 'utf8'), path.basename(addon))
    for (const error of errors.ours) console.log(`\n${error.what}\n${error.frames.join('\n')}`)
    console.log(`${errors.ours.length} errors with a frame of the addon, ${errors.all} in all`)
    return ran && errors.ours.length === 0
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/**
 * The errors in which the addon takes part. Memory that Node.js itself allocates on its behalf, and frees or keeps as it
 * likes, is not the addon's leak.
 * @param {string} xml
 * @param {string} addon
 */
const errorsOf = (xml, addon) => {
  const all = [...xml.matchAll(/<error>(.*?)<\/error>/gs)].map(([, error]) => {
    const text = (/** @type {string} */ source, /** @type {string} */ tag) =>
      (new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(source)?.[1] ?? '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')
    const frames = [...error.matchAll(/<frame>(.*?)<\/frame>/gs)].map(([, frame]) => ({
      object: path.basename(text(frame, 'obj')),
      name: `  ${text(frame, 'fn')} (${text(frame, 'file') || text(frame, 'obj')}:${text(frame, 'line')})`,
    }))
    const isLeak = text(error, 'kind').startsWith('Leak_')
    // valgrind's own malloc comes first
    const allocator = frames.find(({ object }) => !object.startsWith('vgpreload'))?.object
    const ours = isLeak ? allocator === addon : frames.some(({ object }) => object === addon)
    // what is above the addon's frames is V8's business
    const shown = frames.slice(0, frames.findLastIndex(({ object }) => object === addon) + 3)
    return { ours, what: text(error, 'what') || text(error, 'text'), frames: shown.map(({ name }) => name) }
  })
  return { ours: all.filter(({ ours }) => ours), all: all.length }
}

/** @param {string[]} args */
const main = (args) => {
  const { parts, seconds } = readArguments(args)
  if (parts.some((part) => part !== 'address') && !isThere('valgrind', '--version')) {
    throw new UsageError('This needs valgrind: apt-get install valgrind, or --only address.')
  }
  const work = /** @type {Record<string, () => boolean>} */ ({ rust, address, node: () => node(seconds) })
  const failed = parts.filter((part) => !work[part]())
  console.log(failed.length === 0 ? `\nNo errors: ${parts.join(', ')}` : `\nFAILED: ${failed.join(', ')}`)
  if (failed.length > 0) process.exitCode = 1
}

if (require.main === module) {
  try {
    main(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : error)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

module.exports = { errorsOf }
