'use strict'

const { snapshot } = require('./snapshot')

/**
 * The error that a promise is rejected with.
 * @param {Promise<any>} promise
 */
const errorOf = async (promise) => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it was expected to fail')
}

/** Whether the scenario at hand looks at messages, which pg then gets for rows, too. */
const watching = { messages: false }

/**
 * Notes each message that pg receives from here on, as it is at the moment of delivery.
 * @param {any} client
 * @returns {any[]}
 */
const recordMessages = (client) => {
  watching.messages = true
  /** @type {any[]} */
  const messages = []
  client.connection.on('message', (/** @type {any} */ message) => messages.push(snapshot(message)))
  return messages
}

/**
 * @param {import('node:events').EventEmitter} emitter
 * @param {string} name
 * @returns {Promise<any>}
 */
const nextEvent = (emitter, name) => new Promise((resolve) => emitter.once(name, resolve))

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Asks until the answer is true: for what the server does in its own time.
 * @param {() => Promise<boolean>} ask
 */
const until = async (ask) => {
  while (!(await ask())) await sleep(10)
}

module.exports = { errorOf, recordMessages, watching, nextEvent, sleep, until }
