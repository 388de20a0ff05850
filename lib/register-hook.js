'use strict'

// Sees each CommonJS file of given names when it has been loaded, also those that were loaded before.
//
// The seam is `Module.prototype.load`: Node goes through it for `require` and for an `import` of a CommonJS file
// alike, and passes the real path, so that pnpm's links and several copies of one package need nothing extra.
// `Module._extensions['.js']`, a step further down, is what transpilers replace, not all of them with something that
// calls what was there before: with tsx loaded last, a hook there is never called.
// Bun has only that.

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
  let watching = true

  /** @type {Watch['loaded']} */
  function visit(module, filename) {
    if (!watching) return
    for (const { file, loaded } of watches) {
      if (file.test(filename)) loaded(module, filename)
    }
  }

  const unhook = Module.prototype.load ? hookLoad(visit) : hookExtension(visit)

  const cache = Module._cache ?? require.cache
  for (const { file, loaded } of watches) {
    for (const filename of Object.keys(cache)) {
      if (file.test(filename) && cache[filename]?.loaded) loaded(cache[filename], filename)
    }
  }

  return function unwatch() {
    watching = false
    unhook()
  }
}

/** @param {Watch['loaded']} visit */
function hookLoad(visit) {
  return wrap(Module.prototype, 'load', (previous) => {
    /** @this {NodeModule} */
    return function load(/** @type {string} */ filename) {
      previous.apply(this, arguments)
      visit(this, filename)
    }
  })
}

/** @param {Watch['loaded']} visit */
function hookExtension(visit) {
  return wrap(Module._extensions, '.js', (previous) => {
    return function load(/** @type {NodeModule} */ module, /** @type {string} */ filename) {
      previous(module, filename)
      visit(module, filename)
    }
  })
}

/**
 * @param {any} object
 * @param {string} key
 * @param {(previous: Function) => Function} make
 * @returns {() => void} undoes it
 */
function wrap(object, key, make) {
  const previous = object?.[key]
  // A runtime without this seam still gets what is in the cache.
  if (typeof previous !== 'function') return () => {}
  const wrapper = make(previous)
  object[key] = wrapper
  return () => {
    // Somebody who hooked in after us holds the wrapper and goes on calling it: then it stays, and only passes on.
    if (object[key] === wrapper) object[key] = previous
  }
}

exports.watchModules = watchModules
