'use strict'

/**
 * A proxy that does to a connection what networks do: what the server sends is split anew, delayed, and cut off. What
 * happens to a connection is its plan; a plan of the same numbers does the same to the same bytes.
 */

const net = require('node:net')

/**
 * @typedef {object} Plan what happens to a connection
 * @property {() => number} piece how many bytes are passed on at once
 * @property {() => number} delay how many milliseconds later; 0: at once
 * @property {number} cutAfter after so many bytes of the server's the connection ends; Infinity: never
 * @property {'end' | 'reset'} how it ends: politely, or not
 *
 * @typedef {object} Proxy
 * @property {number} port
 * @property {() => { connections: number, cuts: number, pieces: number }} count what has been done so far
 * @property {() => Promise<void>} close
 */

/** A plan that does nothing. @type {Plan} */
const HARMLESS = { piece: () => 1 << 20, delay: () => 0, cutAfter: Infinity, how: 'end' }

/**
 * @param {{ host: string, port: number }} server
 * @param {() => Plan} planOfNext asked with each connection
 * @returns {Promise<Proxy>}
 */
async function startProxy(server, planOfNext) {
  const counts = { connections: 0, cuts: 0, pieces: 0 }
  /** @type {Set<net.Socket>} */
  const sockets = new Set()

  const listener = net.createServer({ allowHalfOpen: true }, (client) => {
    counts.connections++
    const upstream = net.connect({ ...server, allowHalfOpen: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.once('close', () => sockets.delete(socket))
    }
    connect(client, upstream, planOfNext(), counts)
  })
  await new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(0, '127.0.0.1', () => resolve(undefined))
  })
  return {
    port: /** @type {net.AddressInfo} */ (listener.address()).port,
    count: () => ({ ...counts }),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/**
 * @param {net.Socket} client
 * @param {net.Socket} upstream
 * @param {Plan} plan
 * @param {{ cuts: number, pieces: number }} counts
 */
function connect(client, upstream, plan, counts) {
  let left = plan.cutAfter
  const broken = () => {
    client.destroy()
    upstream.destroy()
  }
  client.on('error', broken)
  upstream.on('error', () => {
    // As the system does it where nobody listens or a server was killed.
    reset(client)
    upstream.destroy()
  })
  client.on('close', () => upstream.destroy())
  client.pipe(upstream)

  const cut = () => {
    counts.cuts++
    upstream.destroy()
    if (plan.how === 'reset') reset(client)
    else client.end()
    // What it still has to say nobody hears, but its end.
    client.resume()
  }

  /** One piece after the other, each after its delay; the server waits as long. */
  const passOn = async () => {
    for await (const chunk of upstream) {
      for (let at = 0; at < chunk.length;) {
        const size = Math.min(plan.piece(), chunk.length - at, left)
        const delay = plan.delay()
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
        if (client.destroyed) return
        counts.pieces++
        const goesOn = client.write(chunk.subarray(at, at + size))
        at += size
        left -= size
        if (left === 0) return cut()
        if (!goesOn) await drained(client)
      }
    }
    client.end()
  }
  passOn().catch(broken)
}

/**
 * Node.js never closes a socket that is reset while its end is being sent.
 *
 * @param {net.Socket} socket
 */
function reset(socket) {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

/** @param {net.Socket} socket */
async function drained(socket) {
  await new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done)
      socket.off('close', done)
      resolve(undefined)
    }
    socket.on('drain', done)
    socket.on('close', done)
    if (socket.destroyed) done()
  })
}

/**
 * Repeatable random numbers.
 *
 * @param {number} seed
 * @returns {(end: number) => number} an integer from 0 up to `end`, which is left out
 */
function createRandom(seed) {
  let state = (seed * 2654435761 + 1) % 2147483647 || 1
  return (end) => {
    state = (state * 48271) % 2147483647
    return state % end
  }
}

/**
 * A plan made of random numbers.
 *
 * @param {number} seed
 * @param {{ cuts?: number, mostBytes?: number, resets?: boolean }} [options] `cuts`: one connection of so many is cut off
 * @returns {Plan}
 */
function randomPlan(seed, { cuts = 2, mostBytes = 300_000, resets = false } = {}) {
  const random = createRandom(seed)
  const most = [1, 7, 60, 900, 20_000, 1 << 20][random(6)]
  const delays = random(3) === 0
  const isCut = random(cuts) === 0
  // As often early as late: login, descriptions and the first rows are short.
  const cutAfter = isCut ? 1 + random([500, 3000, mostBytes][random(3)]) : Infinity
  let pieces = 0
  return {
    // Small ones only at first, or a connection takes for ever.
    piece: () => (pieces++ < 200 ? 1 + random(most) : 1 << 20),
    delay: () => (delays && random(40) === 0 ? 1 + random(3) : 0),
    cutAfter,
    how: resets && random(2) === 0 ? 'reset' : 'end',
  }
}

module.exports = { startProxy, randomPlan, createRandom, HARMLESS }
