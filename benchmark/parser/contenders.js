'use strict'

const path = require('node:path')

/** @typedef {new () => {parse(chunk: Buffer, callback: (message: any) => void): void}} ParserClass */

/**
 * @param {string} name `stock`, `native`, or the path of a module that exports `Parser` (another checkout of this package)
 * @returns {ParserClass}
 */
const loadParser = (name) => {
  if (name === 'stock') return require('pg-protocol/dist/parser.js').Parser
  if (name === 'native') return ownParser(path.join(__dirname, '..', '..'))
  return ownParser(path.resolve(name))
}

/** @param {string} file */
const ownParser = (file) => {
  const module = require(file)
  // The fallback would be measured as if it were the real thing.
  if (module.native === false) throw new Error('its native parser is not there')
  if (typeof module.Parser !== 'function') throw new Error(`${file} exports no Parser`)
  return module.Parser
}

module.exports = { loadParser }
