'use strict'

// Says which glibc an addon needs and fails when that is newer than MAX.
//
//   node scripts/check-glibc.js MAX FILE...        e.g. 2.28 lib/pg-protocol-native.linux-x64-gnu.node
//
// An addon linked on a new Linux asks for symbols that older ones do not have, and then fails where it is
// installed: on RHEL 8, Debian 11 or Amazon Linux. 2.28 is what Node.js itself needs.

const fs = require('node:fs')

if (require.main === module) process.exitCode = main(process.argv.slice(2))

/** @param {string[]} args */
function main([max, ...files]) {
  if (!/^\d+\.\d+$/.test(max ?? '') || files.length === 0) {
    console.error('Usage: node scripts/check-glibc.js MAX FILE...   (MAX as in 2.28)')
    return 2
  }
  let code = 0
  for (const file of files) {
    const newest = newestGlibc(fs.readFileSync(file))
    const ok = newest !== null && compareVersions(newest, max) <= 0
    const verdict = newest === null ? 'NO GLIBC SYMBOLS' : ok ? 'ok' : 'TOO NEW'
    console.log(`${verdict}: ${file} needs glibc ${newest ?? '?'}, at most ${max} is allowed`)
    if (!ok) code = 1
  }
  return code
}

/**
 * Symbol versions stand in the ELF string table as plain text. Searching the whole file may at worst find one that
 * is not used, which errs on the careful side; a reader of .gnu.version_r would be a page of code.
 *
 * @param {Buffer} elf
 * @returns {string | null}
 */
function newestGlibc(elf) {
  const versions = elf.toString('latin1').match(/(?<=GLIBC_)\d+\.\d+(\.\d+)?/g) ?? []
  return versions.sort(compareVersions).at(-1) ?? null
}

/**
 * @param {string} a
 * @param {string} b
 */
function compareVersions(a, b) {
  return a.localeCompare(b, 'en', { numeric: true })
}
