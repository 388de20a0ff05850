'use strict'

/**
 * Fuzzes the Rust half, each target for some time: npm run fuzz -- --seconds N [--target T]
 *
 * The targets are those of cargo-fuzz, and `cargo fuzz run TARGET` works where it and a nightly Rust are. This script
 * builds them with the same flags but without a sanitizer, and all of those flags are stable ones, so that the stable
 * Rust at hand, and a C++ compiler for libFuzzer, are enough. docs/testing.md says more.
 */

const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { parseArgs } = require('node:util')

const FOLDER = path.join(__dirname, '..', 'fuzz')
const TARGETS = fs
  .readdirSync(path.join(FOLDER, 'fuzz_targets'))
  .map((file) => path.basename(file, '.rs'))
  .sort()

/** Coverage as libFuzzer reads it: counters of the edges, their places, and what is compared with what. */
const COVERAGE = [
  '-Cpasses=sancov-module',
  '-Cllvm-args=-sanitizer-coverage-level=4',
  '-Cllvm-args=-sanitizer-coverage-inline-8bit-counters',
  '-Cllvm-args=-sanitizer-coverage-pc-table',
  '-Cllvm-args=-sanitizer-coverage-trace-compares',
  '-Ccodegen-units=1',
  '--cfg=fuzzing',
]

/** What libFuzzer exits with when somebody ends it. */
const INTERRUPTED = 72

const USAGE = `Usage: npm run fuzz -- [options]

  --seconds N      for each target (default 60)
  --target NAMES   ${TARGETS.join(', ')}, separated by commas (default: all)
  --address        with AddressSanitizer, which a nightly Rust has (cargo +nightly)
  --seed N         of the random numbers, to do the same again
  --help           this text`

class UsageError extends Error {}

/** @param {string[]} args */
const readArguments = (args) => {
  try {
    return parseArgs({
      args,
      options: {
        seconds: { type: 'string', default: '60' },
        target: { type: 'string', multiple: true },
        address: { type: 'boolean', default: false },
        seed: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message)
  }
}

/** @param {string} name @param {string} text @param {number} least */
const whole = (name, text, least) => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < least) {
    throw new UsageError(`--${name} takes a whole number from ${least} on, not '${text}'.`)
  }
  return value
}

/** @param {string[] | undefined} names */
const pickTargets = (names) => {
  const wanted = names?.flatMap((list) => list.split(',')) ?? TARGETS
  for (const name of wanted) {
    if (!TARGETS.includes(name))
      throw new UsageError(`There is no target '${name}'. Known: ${TARGETS.join(', ')}.`)
  }
  return wanted
}

/** The triple of this machine. To name it keeps the flags away from build scripts and procedural macros. */
const hostTriple = () => {
  const { stdout, error } = spawnSync('rustc', ['-vV'], { encoding: 'utf8' })
  const triple = /^host: (.*)$/m.exec(stdout ?? '')?.[1]
  if (error || triple === undefined)
    throw new UsageError('Fuzzing needs Rust: install it from https://rustup.rs.')
  return triple
}

/**
 * @param {string[]} targets
 * @param {boolean} address
 * @returns {string} the folder of the executables
 */
const build = (targets, address) => {
  const triple = hostTriple()
  const flags = address ? [...COVERAGE, '-Zsanitizer=address'] : COVERAGE
  const folder = path.join(FOLDER, 'target', address ? 'address' : 'plain')
  const { status } = spawnSync(
    'cargo',
    [
      ...(address ? ['+nightly'] : []),
      'build',
      '--release',
      `--target=${triple}`,
      `--target-dir=${folder}`,
      ...targets.flatMap((target) => ['--bin', target]),
    ],
    { cwd: FOLDER, stdio: 'inherit', env: { ...process.env, CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') } }
  )
  if (status !== 0) throw new UsageError('The fuzz targets cannot be built: cargo says why above.')
  return path.join(folder, triple, 'release')
}

/**
 * @param {string} target
 * @param {string} executable
 * @param {{seconds: number, seed: number | undefined}} options
 * @returns {Promise<boolean>} whether all inputs passed
 */
const fuzz = (target, executable, { seconds, seed }) => {
  const corpus = path.join(FOLDER, 'corpus', target)
  const artifacts = path.join(FOLDER, 'artifacts', target)
  for (const folder of [corpus, artifacts]) fs.mkdirSync(folder, { recursive: true })
  const args = [
    `-max_total_time=${seconds}`,
    `-artifact_prefix=${artifacts}${path.sep}`,
    '-timeout=20',
    '-rss_limit_mb=2048',
    '-print_final_stats=1',
    ...(seed === undefined ? [] : [`-seed=${seed}`]),
    corpus,
    path.join(FOLDER, 'seeds', target),
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', reject)
    child.on('close', (code) => {
      const found = `FAILED, the input is in ${artifacts}; again with ${executable} FILE`
      if (code !== 0) console.error(`\n${target}: ${code === INTERRUPTED ? 'interrupted' : found}\n`)
      resolve(code === 0)
    })
  })
}

/** @param {string[]} args */
const main = async (args) => {
  const options = readArguments(args)
  if (options.help) return console.log(USAGE)
  const seconds = whole('seconds', options.seconds, 1)
  const seed = options.seed === undefined ? undefined : whole('seed', options.seed, 1)
  const targets = pickTargets(options.target)
  const folder = build(targets, options.address)
  const failed = []
  for (const target of targets) {
    console.log(`\n${target}: ${seconds} s`)
    if (!(await fuzz(target, path.join(folder, target), { seconds, seed }))) failed.push(target)
  }
  console.log(
    `\n${targets.length - failed.length} passed, ${failed.length} failed${failed.map((name) => `, ${name}`).join('')}`
  )
  if (failed.length > 0) process.exitCode = 1
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
