'use strict'

// What no client can go below: the query's bytes are read from the socket, counted and thrown away.

const { serialize } = require('pg-protocol')
const { Parser } = require('pg-protocol/dist/parser')

/** ReadyForQuery, outside a transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

class Floor {
  /**
   * @param {any} client of pg, connected and idle: it has logged in and made the table; from now on its socket is ours
   * @param {string} text of the query
   */
  constructor(client, text) {
    // It will miss its goodbye.
    client.on('error', () => {})
    this.stream = client.connection.stream
    this.message = serialize.query(text)
    this.bytes = 0
    this.rows = 0
    this.stream.removeAllListeners('data')
    // A paused stream would lose its flow with its listener.
    this.stream.resume()
  }

  /** Once, with a parser that finds the end. */
  learn() {
    const parser = new Parser()
    return new Promise((resolve, reject) => {
      this.bytes = this.rows = 0
      const take = (/** @type {Buffer} */ chunk) => {
        this.bytes += chunk.length
        parser.parse(chunk, (/** @type {any} */ message) => {
          if (message.name === 'dataRow') this.rows++
          else if (message.name === 'error') reject(message)
          else if (message.name === 'readyForQuery') {
            this.stream.off('data', take)
            resolve(this.rows)
          }
        })
      }
      this.stream.on('data', take)
      this.stream.write(this.message)
    })
  }

  /**
   * The answer is the same bytes each time, so counting them finds the end.
   * @returns {Promise<number>} rows that must have come with them
   */
  pass() {
    return new Promise((resolve, reject) => {
      let left = this.bytes
      const take = (/** @type {Buffer} */ chunk) => {
        left -= chunk.length
        if (left > 0) return
        this.stream.off('data', take)
        if (left === 0 && endsWith(chunk, READY)) resolve(this.rows)
        else reject(new Error('the answer is not as long as it was'))
      }
      this.stream.on('data', take)
      this.stream.write(this.message)
    })
  }
}

/** A chunk may hold less than the whole message. @param {Buffer} chunk @param {Buffer} end */
const endsWith = (chunk, end) => {
  const length = Math.min(chunk.length, end.length)
  return chunk.subarray(chunk.length - length).equals(end.subarray(end.length - length))
}

module.exports = { Floor }
