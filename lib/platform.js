'use strict'

// The name of this machine's kind, spelled as @napi-rs/cli spells it in `pg-protocol-native.<name>.node`.

const { familySync, MUSL } = require('detect-libc')

/**
 * `linux-x64-gnu`, `darwin-arm64`, `win32-x64-msvc` ... A program linked against glibc and one linked against musl
 * cannot share an addon, and only the running Node.js itself tells which of the two it is: detect-libc reads that
 * from the header of Node's own binary.
 *
 * @returns {string}
 */
function platformName() {
  const name = `${process.platform}-${process.arch}`
  if (process.platform === 'linux') return `${name}-${familySync() === MUSL ? 'musl' : 'gnu'}`
  if (process.platform === 'win32') return `${name}-msvc`
  return name
}

exports.platformName = platformName
