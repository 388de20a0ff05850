'use strict'

const { inspect } = require('node:util')

/**
 * Strict equality of what two copies of pg give. More than `assert.deepStrictEqual`, which overlooks the order of keys,
 * property descriptors and own properties of functions; and less, for each copy of pg has classes and parser functions
 * of its own: those are the same when both copies call them the same.
 */

/** @typedef {{ labels: Map<object, string> }} Copy */

/**
 * @param {any} actual
 * @param {any} expected
 * @param {{ actual?: Copy, expected?: Copy, at?: string }} [options] the copies that the values come from
 */
const assertSame = (actual, expected, options = {}) => {
  const difference = differs(actual, expected, options.at ?? 'value', {
    ours: options.actual?.labels ?? new Map(),
    theirs: options.expected?.labels ?? new Map(),
    seen: new Map(),
  })
  if (difference !== null) {
    const error = new Error(difference)
    error.name = 'AssertionError'
    throw error
  }
}

/**
 * @typedef {{ ours: Map<object, string>, theirs: Map<object, string>, seen: Map<object, object> }} Context
 */

/**
 * @param {any} a
 * @param {any} e
 * @param {string} at
 * @param {Context} context
 * @returns {string | null} where and how they differ
 */
const differs = (a, e, at, context) => {
  if (Object.is(a, e)) return null
  if (!isObject(a) || !isObject(e)) return `${at}: ${show(a)} in place of ${show(e)}`
  const label = context.ours.get(a)
  if (label !== context.theirs.get(e)) {
    return `${at}: ${label ?? show(a)} in place of ${context.theirs.get(e) ?? show(e)}`
  }
  if (label !== undefined) return null
  // One function may serve many values where stock makes one for each.
  if (typeof e !== 'function') {
    if (context.seen.has(a)) return context.seen.get(a) === e ? null : `${at}: refers to another object`
    context.seen.set(a, e)
  }
  return (
    prototypesDiffer(a, e, at, context) ?? contentsDiffer(a, e, at) ?? propertiesDiffer(a, e, at, context)
  )
}

/** @param {any} a @param {any} e @param {string} at @param {Context} context */
const prototypesDiffer = (a, e, at, context) => {
  const ours = Object.getPrototypeOf(a)
  const theirs = Object.getPrototypeOf(e)
  const ourName = context.ours.get(ours)
  const theirName = context.theirs.get(theirs)
  if (theirName === undefined ? ours === theirs : ourName === theirName) return null
  return `${at}: prototype ${ourName ?? show(ours)} in place of ${theirName ?? show(theirs)}`
}

/** What no property tells. @param {any} a @param {any} e @param {string} at */
const contentsDiffer = (a, e, at) => {
  if (Array.isArray(a) !== Array.isArray(e)) return `${at}: ${show(a)} in place of ${show(e)}`
  if (e instanceof Date) {
    if (!(a instanceof Date)) return `${at}: ${show(a)} in place of a Date`
    if (!Object.is(a.getTime(), e.getTime())) return `${at}: ${show(a)} in place of ${show(e)}`
  }
  if (typeof e === 'function') {
    // Functions made anew for each value can only be held against each other by what they look like.
    if (typeof a !== 'function' || a.length !== e.length) return `${at}: ${show(a)} in place of ${show(e)}`
  }
  if (ArrayBuffer.isView(e)) {
    const same = ArrayBuffer.isView(a) && Buffer.compare(/** @type {any} */ (a), /** @type {any} */ (e)) === 0
    if (!same) return `${at}: ${show(a)} in place of ${show(e)}`
  }
  return null
}

/** @param {any} a @param {any} e @param {string} at @param {Context} context */
const propertiesDiffer = (a, e, at, context) => {
  if (ArrayBuffer.isView(e)) return null
  if (Array.isArray(e)) return elementsDiffer(a, e, at, context)
  const ours = keysOf(a)
  const theirs = keysOf(e)
  if (ours.length !== theirs.length || ours.some((key, i) => key !== theirs[i])) {
    return `${at}: keys ${show(ours)} in place of ${show(theirs)}`
  }
  for (const key of theirs) {
    const name = `${at}.${String(key)}`
    const our = /** @type {any} */ (Object.getOwnPropertyDescriptor(a, key))
    const their = /** @type {any} */ (Object.getOwnPropertyDescriptor(e, key))
    for (const flag of ['enumerable', 'configurable', 'writable']) {
      if (our[flag] !== their[flag]) return `${name}: ${flag} is ${our[flag]} in place of ${their[flag]}`
    }
    const difference = 'value' in their ? differs(our.value, their.value, name, context) : null
    if (difference !== null) return difference
    if (!('value' in their) && (our.get !== their.get || our.set !== their.set)) {
      return `${name}: another accessor`
    }
  }
  return null
}

/** @param {any} a @param {any} e @param {string} at @param {Context} context */
const elementsDiffer = (a, e, at, context) => {
  if (a.length !== e.length) return `${at}: length ${a.length} in place of ${e.length}`
  const ours = Reflect.ownKeys(a)
  const theirs = Reflect.ownKeys(e)
  if (ours.length !== theirs.length || ours.at(-1) !== theirs.at(-1)) {
    return `${at}: keys ${show(ours)} in place of ${show(theirs)}`
  }
  if (!Object.isExtensible(a) || Object.isFrozen(a) !== Object.isFrozen(e))
    return `${at}: is frozen or sealed`
  for (let i = 0; i < e.length; i++) {
    const difference = Object.is(a[i], e[i]) ? null : differs(a[i], e[i], `${at}[${i}]`, context)
    if (difference !== null) return difference
    if (Object.hasOwn(a, i) !== Object.hasOwn(e, i)) return `${at}[${i}]: a hole in one of both`
  }
  return null
}

/** What functions of old have besides, or what refers back to them. */
const OF_FUNCTIONS = ['prototype', 'arguments', 'caller']

/** The stack of an error tells where it was made. */
const keysOf = (/** @type {any} */ object) =>
  Reflect.ownKeys(object).filter(
    (key) =>
      !(object instanceof Error && key === 'stack') &&
      !(typeof object === 'function' && OF_FUNCTIONS.includes(/** @type {any} */ (key)))
  )

const isObject = (/** @type {any} */ value) =>
  value !== null && (typeof value === 'object' || typeof value === 'function')

const show = (/** @type {any} */ value) =>
  inspect(value, { depth: 2, breakLength: Infinity, maxArrayLength: 20 })

module.exports = { assertSame }
