'use strict'

// The name of this machine's kind, spelled as @napi-rs/cli spells it in `pg-protocol-native.<name>.node`.

/**
 * `linux-x64-gnu`, `darwin-arm64`, `win32-x64-msvc` ... A program linked against glibc and one linked against musl
 * cannot share an addon.
 *
 * @returns {string}
 */
function platformName() {
  const name = `${process.platform}-${process.arch}`
  if (process.platform === 'linux') return `${name}-${libc()?.name === 'musl' ? 'musl' : 'gnu'}`
  if (process.platform === 'win32') return `${name}-msvc`
  return name
}

/**
 * The C library that the running Node.js is linked with, as its diagnostic report tells: only the report of a Node
 * linked with glibc has a version of it.
 *
 * @returns {{ name: 'glibc' | 'musl', version: string } | null} null where there is none (not Linux) or nobody tells
 */
function libc() {
  const report = /** @type {any} */ (process.report)
  if (process.platform !== 'linux' || typeof report?.getReport !== 'function') return null
  const { excludeNetwork } = report
  // Otherwise the report looks up the names of all open connections' peers.
  report.excludeNetwork = true
  try {
    const version = report.getReport().header?.glibcVersionRuntime
    return version ? { name: 'glibc', version } : { name: 'musl', version: 'unknown' }
  } finally {
    report.excludeNetwork = excludeNetwork
  }
}

module.exports = { platformName, libc }
