'use strict'

// Finds and loads the addon for this platform: requiring this module gives the addon, or throws an Error of one
// sentence. What to do about that error is not decided here but in native.js.
//
// All binaries travel in this one package. A package for each platform as an optional dependency would be smaller
// to download, but a lock file written on one platform then leaves the others' packages out, and the app breaks
// where it is deployed.
//
// Each path is a literal inside the `try`, though a template string would do at run time: bundlers copy a `.node`
// file only when they can read its name, and take an unresolved require for an error unless a `try` of the same
// function surrounds it.

const { VERSION } = require('./layout')
const { platformName } = require('./platform')

const name = platformName()

/** @returns {any} */
function load() {
  try {
    switch (name) {
      case 'linux-x64-gnu':
        return require('./pg-protocol-native.linux-x64-gnu.node')
      case 'linux-x64-musl':
        return require('./pg-protocol-native.linux-x64-musl.node')
      case 'linux-arm64-gnu':
        return require('./pg-protocol-native.linux-arm64-gnu.node')
      case 'linux-arm64-musl':
        return require('./pg-protocol-native.linux-arm64-musl.node')
      case 'darwin-x64':
        return require('./pg-protocol-native.darwin-x64.node')
      case 'darwin-arm64':
        return require('./pg-protocol-native.darwin-arm64.node')
      case 'win32-x64-msvc':
        return require('./pg-protocol-native.win32-x64-msvc.node')
    }
  } catch (err) {
    throw explain(/** @type {NodeJS.ErrnoException} */ (err))
  }
  throw new Error(
    `pg-protocol-native has no binary for ${name}: the JavaScript parser of pg-protocol serves instead`
  )
}

/**
 * @param {NodeJS.ErrnoException} cause
 * @returns {Error}
 */
function explain(cause) {
  const file = `pg-protocol-native.${name}.node`
  if (cause.code === 'MODULE_NOT_FOUND') {
    return new Error(
      `pg-protocol-native did not find its binary ${file} in its lib folder: reinstall the package or, in a ` +
        'clone of its repository, install Rust from https://rustup.rs and run `npm run build`',
      { cause }
    )
  }
  return new Error(`pg-protocol-native could not load its binary ${file}: ${cause.message}`, { cause })
}

/**
 * An addon left over from another version would load well enough and then give out tables that nobody here can read.
 *
 * @param {any} addon
 */
function checkVersion(addon) {
  const found = addon.layout?.().VERSION
  if (found === VERSION) return addon
  throw new Error(
    `pg-protocol-native found a binary of another version (layout ${found}, not ${VERSION}): reinstall the package ` +
      'or, in a clone of its repository, run `npm run build`'
  )
}

module.exports = checkVersion(load())
