'use strict'

const path = require('node:path')
const { createRequire } = require('node:module')

/**
 * Fresh copies of pg and of what belongs to it, each in a require cache of its own, so that type parsers set in one are
 * not set in the other: `stock` as it comes from npm, `native` with `accelerate` on top.
 */

const PACKAGES =
  /[\\/]node_modules[\\/](pg|pg-(types|protocol|cursor|query-stream|pool|connection-string|int8)|pgpass|postgres-[a-z]+)[\\/]/

/**
 * @typedef {object} Flavour
 * @property {'stock' | 'native'} name
 * @property {any} pg
 * @property {any} types this copy's pg-types
 * @property {any} Cursor
 * @property {any} QueryStream
 * @property {any} PostgresInterval
 * @property {Map<object, string>} labels what this copy's classes and parser functions are called
 * @property {() => number} made how many rows the accelerator has made so far
 * @property {any} handle what `accelerate` gave
 * @property {<T>(work: () => T) => T} within does something as a part of the app that has loaded this copy
 */

/**
 * Runs `load` with none of pg's packages loaded but `modules`, and leaves no trace of what it loads but there.
 * @template T
 * @param {Map<string, any>} modules
 * @param {() => T} load
 * @returns {T}
 */
const isolated = (modules, load) => {
  const kept = /** @type {[string, any][]} */ ([])
  for (const file of Object.keys(require.cache)) {
    if (!PACKAGES.test(file)) continue
    kept.push([file, require.cache[file]])
    delete require.cache[file]
  }
  for (const [file, module] of modules) require.cache[file] = module
  try {
    return load()
  } finally {
    for (const file of Object.keys(require.cache)) {
      if (!PACKAGES.test(file)) continue
      modules.set(file, require.cache[file])
      delete require.cache[file]
    }
    for (const [file, module] of kept) require.cache[file] = module
  }
}

/**
 * @param {{ accelerate?: boolean, folder?: string, options?: any, before?: (pg: any) => void }} [options] `folder`: whose
 *   node_modules to take; `before`: what the app does with pg before it calls `accelerate`
 * @returns {Flavour}
 */
const loadFlavour = ({ accelerate = false, folder = __dirname, options, before } = {}) => {
  const modules = new Map()
  return isolated(modules, () => {
    const requireFrom = createRequire(path.join(folder, 'package.json'))
    const pg = requireFrom('pg')
    const Cursor = optional(requireFrom, 'pg-cursor')
    const QueryStream = optional(requireFrom, 'pg-query-stream')
    const fromTypes = createRequire(createRequire(requireFrom.resolve('pg')).resolve('pg-types'))
    const PostgresInterval = fromTypes('postgres-interval')
    const fromPg = createRequire(requireFrom.resolve('pg'))
    const labels = nameParts(pg, fromPg('pg-protocol/dist/messages'), PostgresInterval, fromPg)
    before?.(pg)
    const handle = accelerate ? require('../../lib/pg').accelerate(pg, options) : null
    return {
      name: accelerate ? 'native' : 'stock',
      pg,
      types: pg.types,
      Cursor,
      QueryStream,
      PostgresInterval,
      labels,
      handle,
      made: () => handle?.stats.rows ?? 0,
      within: (work) => isolated(modules, work),
    }
  })
}

/** @param {NodeJS.Require} from @param {string} name */
const optional = (from, name) => {
  try {
    return from(name)
  } catch (/** @type {any} */ error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * @param {any} pg
 * @param {any} messages
 * @param {any} PostgresInterval
 * @param {NodeJS.Require} fromPg
 */
const nameParts = (pg, messages, PostgresInterval, fromPg) => {
  const labels = new Map()
  /** @param {any} Class @param {string} name */
  const nameClass = (Class, name) => {
    labels.set(Class, name)
    labels.set(Class.prototype, `${name}.prototype`)
  }
  for (const [name, value] of Object.entries(messages)) {
    if (typeof value === 'function') nameClass(value, name)
  }
  nameClass(fromPg('./result'), 'Result')
  nameClass(fromPg('./query'), 'Query')
  nameClass(fromPg('./type-overrides'), 'TypeOverrides')
  nameClass(PostgresInterval, 'PostgresInterval')
  labels.set(pg.types, 'pg-types')
  for (const format of ['binary', 'text']) {
    for (let oid = 0; oid < 5000; oid++) {
      const parser = pg.types.getTypeParser(oid, format)
      if (!labels.has(parser) && parser !== parseFloat) labels.set(parser, `${format} parser ${oid}`)
    }
  }
  return labels
}

/** The two flavours that a test compares. @param {Parameters<typeof loadFlavour>[0]} [options] */
const loadBoth = (options) => ({
  stock: loadFlavour({ ...options, accelerate: false }),
  native: loadFlavour({ ...options, accelerate: true }),
})

module.exports = { loadFlavour, loadBoth }
