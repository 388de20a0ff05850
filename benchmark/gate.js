#!/usr/bin/env node
'use strict'

// `npm run bench:gate`: whether what was measured may ship, by the rules in RULES.md.

const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { RELEASE, RULES, judge } = require('./gate/rules')
const { UsageError } = require('./lib/options')
const { RESULTS } = require('./lib/results')
const { latestOf, readResults, resultFiles } = require('./report/select')

const USAGE = `Usage: npm run bench:gate -- [options] [results]

Applies the rules of benchmark/RULES.md to the results named, or to the latest ones in benchmark/results/.
Exit code 1 where a rule is broken, 2 where there is nothing to judge.

  --run          measure first what the rules ask for (some fifteen minutes for each comparison)
  --release REV  the release to compare with (default: the newest tag v*)`

/** @typedef {{file: string, result: any}} Entry */

/** @param {string[]} args */
const run = (args) => {
  const { values, positionals } = readArguments(args)
  if (values.help) return print(USAGE)
  if (values.run && positionals.length > 0) throw new UsageError('Give either --run or results, not both.')
  const release = values.release ?? newestRelease()
  const entries = values.run
    ? measure(release)
    : positionals.length > 0
      ? readResults(positionals)
      : newest(readResults(resultFiles(RESULTS)))
  const judged = entries.map((entry) => ({ ...entry, judgements: judge(comparison(entry)) }))
  if (positionals.length > 0) {
    const unfit = judged.find(({ judgements }) => judgements.length === 0)
    if (unfit) throw new UsageError(`${unfit.file} compares nothing that a rule is about.`)
  } else needAll(judged, release)
  report(judged, release)
}

/** @param {Entry} entry */
const comparison = ({ file, result }) => {
  if (result.benchmark !== 'queries') throw new UsageError(`${file} is no result of 'npm run bench'.`)
  return result
}

/**
 * Of `npm run bench` on the newest Node.js that it was run on.
 * @param {import('./report/select').Entry[]} entries
 */
const newest = (entries) => {
  const names = new Set()
  return latestOf(entries.filter(({ result }) => result.benchmark === 'queries')).filter(({ name }) => {
    const first = !names.has(name)
    names.add(name)
    return first
  })
}

/**
 * A rule that nothing was measured for would let everything pass.
 * @param {{judgements: import('./gate/rules').Judgement[]}[]} judged
 * @param {string | null} release
 */
const needAll = (judged, release) => {
  for (const { name, run } of RULES) {
    if (release === null && run.base.includes(RELEASE)) continue
    if (judged.some(({ judgements }) => judgements.some(({ rule }) => rule === name))) continue
    const base = run.base.replace(RELEASE, release ?? '')
    throw new UsageError(
      `There is no result for the rule '${name}'; run: npm run bench -- --base ${base} --head ${run.head} --save`
    )
  }
}

/**
 * @param {(Entry & {judgements: import('./gate/rules').Judgement[]})[]} judged
 * @param {string | null} release
 */
const report = (judged, release) => {
  for (const { file, judgements } of judged) {
    if (judgements.length === 0) continue
    print(path.basename(file))
    for (const { rule, broken } of judgements) {
      print(`  ${broken.length === 0 ? 'kept  ' : 'BROKEN'} ${rule}`)
      for (const what of broken) print(`         ${what}`)
    }
  }
  if (release === null)
    print('No release yet (a tag v*): the rules that compare with the last one wait for it.')
  const broken = judged.flatMap(({ judgements }) => judgements).filter(({ broken }) => broken.length > 0)
  if (broken.length === 0) return
  process.stderr.write(`Broken: ${[...new Set(broken.map(({ rule }) => rule))].join(', ')}.\n`)
  process.exitCode = 1
}

/**
 * @param {string | null} release
 * @returns {Entry[]}
 */
const measure = (release) =>
  RULES.filter(({ run }) => release !== null || !run.base.includes(RELEASE)).map(({ run }) => {
    const base = run.base.replace(RELEASE, release ?? '')
    const args = [path.join(__dirname, 'queries.js'), '--base', base, '--head', run.head, '--json']
    const { status, stdout } = spawnSync(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
    if (status !== 0) throw new UsageError(`${base} could not be compared with ${run.head}.`)
    return { file: `${base} with ${run.head}`, result: JSON.parse(stdout) }
  })

const newestRelease = () => {
  const { status, stdout } = spawnSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], {
    cwd: __dirname,
    encoding: 'utf8',
  })
  return status === 0 ? stdout.split('\n')[0].trim() || null : null
}

/** @param {string[]} args */
const readArguments = (args) => {
  try {
    return parseArgs({
      args,
      options: {
        run: { type: 'boolean', default: false },
        release: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message)
  }
}

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`)

try {
  run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(
    `${error instanceof UsageError ? error.message : /** @type {Error} */ (error).stack}\n`
  )
  process.exitCode = error instanceof UsageError ? 2 : 1
}
