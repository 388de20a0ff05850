'use strict'

// Sees each CommonJS file of given names when it has been loaded, also those that were loaded before.
//
// The seam is `Module.prototype.load`: Node goes through it for `require` and for an `import` of a CommonJS file
// alike, and passes the real path, so that pnpm's links and several copies of one package need nothing extra.
// `Module._extensions['.js']`, a step further down, is what transpilers replace, not all of them with something that
// calls what was there before: with tsx loaded last, a hook there is never called.

const Module = /** @type {any} */ (require('node:module'))

/**
 * @typedef {object} Watch
 * @property {RegExp} file  tested against the absolute path
 * @property {(module: NodeModule, filename: string) => void} loaded  called after the file has run; must not throw
 */

/**
 * @param {Watch[]} watches  in the order in which files that are already there are to be visited
 * @returns {() => void} takes the hook out again
 */
function watchModules(watches) {
  const { prototype } = Module
  const previous = prototype.load
  let watching = true

  /** @this {NodeModule} */
  function load(/** @type {string} */ filename) {
    previous.apply(this, arguments)
    if (!watching) return
    for (const { file, loaded } of watches) {
      if (file.test(filename)) loaded(this, filename)
    }
  }

  // A runtime without this seam still gets what is in the cache.
  if (typeof previous === 'function') prototype.load = load

  const cache = Module._cache ?? require.cache
  for (const { file, loaded } of watches) {
    for (const filename of Object.keys(cache)) {
      if (file.test(filename) && cache[filename]?.loaded) loaded(cache[filename], filename)
    }
  }

  return function unwatch() {
    watching = false
    // Somebody who hooked in after us holds `load` and goes on calling it: then it stays, and only passes on.
    if (prototype.load === load) prototype.load = previous
  }
}

exports.watchModules = watchModules
