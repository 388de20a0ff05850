'use strict'

const { createHash } = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { cacheFolder } = require('../lib/cache')
const { UsageError } = require('../lib/options')
const { reasonOf, runTool } = require('../lib/tool')

const ROOT = path.join(__dirname, '..', '..')
/** Builds of that many revisions are kept, 1 MB each. */
const KEPT = 8

/** @typedef {import('./index').Tools} Tools */

/**
 * A revision of this repository, checked out and built; from the cache where it was asked for before.
 * @param {string} revision
 * @param {Tools} tools
 * @returns {Promise<{folder: string, commit: string}>}
 */
const buildRevision = async (revision, tools) => {
  const commit = await commitOf(revision, tools)
  // The addon is found by the platform in its name; the modules that it needs are those of this clone.
  const key = createHash('sha256').update(ROOT).digest('hex').slice(0, 8)
  const folder = cacheFolder('revisions', `${commit.slice(0, 16)}-${key}`)
  if (fs.existsSync(folder)) {
    fs.utimesSync(folder, new Date(), new Date())
    return { folder, commit }
  }
  tools.say(`building ${revision} (${commit.slice(0, 10)})`)
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'pg-protocol-native-'))
  const temporary = tools.defer(() => fs.rmSync(work, { recursive: true, force: true }))
  try {
    await checkOut(commit, work, tools)
    await build(revision, work, tools)
    keep(work, folder)
  } finally {
    await temporary.now()
  }
  dropOldest(path.dirname(folder))
  return { folder, commit }
}

/**
 * @param {string} revision
 * @param {Tools} tools
 */
const commitOf = async (revision, { defer }) => {
  const unknown = new UsageError(
    `Cannot measure '${revision}': it is neither a contender (stock, parser, register, pg-native, postgres, bun) nor ` +
      'a git revision of this repository.'
  )
  // git would take it for an option
  if (revision.startsWith('-')) throw unknown
  try {
    const args = ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`]
    const { code, stdout } = await runTool('git', args, { cwd: ROOT, defer })
    if (code === 0) return stdout.trim()
  } catch {
    // no git, or not a clone
  }
  throw unknown
}

/**
 * Through an archive: a worktree would have to be deregistered, whatever happens.
 * @param {string} commit
 * @param {string} work
 * @param {Tools} tools
 */
const checkOut = async (commit, work, { defer }) => {
  const archive = path.join(work, 'archive.tar')
  const steps = /** @type {[string, string[]][]} */ ([
    ['git', ['-C', ROOT, 'archive', '--format=tar', `--output=${archive}`, commit]],
    ['tar', ['-xf', archive, '-C', work]],
  ])
  for (const [command, args] of steps) {
    const outcome = await runTool(command, args, { defer })
    if (outcome.code !== 0) throw new Error(`${commit} could not be checked out: ${reasonOf(outcome)}`)
  }
  fs.rmSync(archive)
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(work, 'node_modules'), 'junction')
}

/**
 * @param {string} revision
 * @param {string} work
 * @param {Tools} tools
 */
const build = async (revision, work, { defer }) => {
  const script = path.join(work, 'scripts', 'build.js')
  const unfit = (/** @type {string} */ why) => new UsageError(`Cannot measure '${revision}': ${why}.`)
  if (!fs.existsSync(script) || !fs.existsSync(path.join(work, 'lib', 'register.js')))
    throw unfit("it has no 'register' yet")
  const env = { ...process.env, CARGO_TARGET_DIR: path.join(work, 'target') }
  const outcome = await runTool(process.execPath, [script], { cwd: work, env, defer })
  const built = fs.readdirSync(path.join(work, 'lib')).some((file) => file.endsWith('.node'))
  if (outcome.code !== 0 || !built) throw unfit(`it could not be built (${reasonOf(outcome)})`)
}

/**
 * What a process needs at run time, and nothing of the build.
 * @param {string} work
 * @param {string} folder
 */
const keep = (work, folder) => {
  const { files } = JSON.parse(fs.readFileSync(path.join(work, 'package.json'), 'utf8'))
  const half = `${folder}.half`
  fs.rmSync(half, { recursive: true, force: true })
  for (const name of ['package.json', ...files]) {
    const from = path.join(work, name)
    if (fs.existsSync(from)) fs.cpSync(from, path.join(half, name), { recursive: true })
  }
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(half, 'node_modules'), 'junction')
  fs.renameSync(half, folder)
}

/** @param {string} folder of all builds */
const dropOldest = (folder) => {
  const builds = fs
    .readdirSync(folder)
    .map((name) => ({ name, used: fs.statSync(path.join(folder, name)).mtimeMs }))
    .sort((a, b) => b.used - a.used)
  for (const { name } of builds.slice(KEPT))
    fs.rmSync(path.join(folder, name), { recursive: true, force: true })
}

module.exports = { buildRevision }
