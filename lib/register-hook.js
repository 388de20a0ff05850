'use strict'

// Sees each CommonJS file of given names when it has been loaded, also those that were loaded before.
//
// The seam is `Module._extensions['.js']`: Node goes through it for `require` and for an `import` of a CommonJS
// file alike, and passes the real path, so that pnpm's links and several copies of one package need nothing extra.

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
  const extensions = Module._extensions
  const previous = extensions?.['.js']
  let watching = true

  /** @type {(module: NodeModule, filename: string) => void} */
  function load(module, filename) {
    previous(module, filename)
    if (!watching) return
    for (const { file, loaded } of watches) {
      if (file.test(filename)) loaded(module, filename)
    }
  }

  // A runtime without this seam (a bundle, some edge runtimes) still gets what is in the cache.
  if (typeof previous === 'function') extensions['.js'] = load

  const cache = Module._cache ?? require.cache
  for (const { file, loaded } of watches) {
    for (const filename of Object.keys(cache)) {
      if (file.test(filename) && cache[filename]?.loaded) loaded(cache[filename], filename)
    }
  }

  return function unwatch() {
    watching = false
    // Somebody who hooked in after us holds `load` and goes on calling it: then it stays, and only passes on.
    if (extensions?.['.js'] === load) extensions['.js'] = previous
  }
}

exports.watchModules = watchModules
