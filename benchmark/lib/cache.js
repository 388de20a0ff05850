'use strict'

const os = require('node:os')
const path = require('node:path')

/**
 * Where things are kept that take long to make: clients that are compared with, builds of other revisions. It may be
 * deleted at any time.
 */
const cacheFolder = (/** @type {string[]} */ ...names) =>
  path.join(cacheRoot(), 'pg-protocol-native', ...names)

const cacheRoot = () => {
  const { PG_PROTOCOL_NATIVE_BENCH_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (PG_PROTOCOL_NATIVE_BENCH_CACHE) return path.resolve(PG_PROTOCOL_NATIVE_BENCH_CACHE)
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches')
  return path.join(os.homedir(), '.cache')
}

module.exports = { cacheFolder }
