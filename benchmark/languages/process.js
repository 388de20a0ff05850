'use strict'

// The child process of one JavaScript reader, for its whole life.

const { warm, round } = require('../lib/timing')
const { serve } = require('../lib/worker')
const { Checksum } = require('./checksum')
const { people } = require('./people')
const { READERS } = require('./readers')

/** What escapes to here cannot be optimised away. */
let last = /** @type {unknown} */ (null)
void last

class Side {
  /** @param {{reader: string, rows: number}} what */
  constructor({ reader, rows }) {
    this.reader = READERS[reader]()
    this.rows = rows
    this.pieces = people(rows)
    // One parser for all passes, as a connection has; the stream ends on a message boundary.
    this.parser = new this.reader.Parser()
  }

  /** What the reader answers, before its time counts. */
  check() {
    const answer = new Checksum()
    let rows = 0
    const parser = new this.reader.Parser()
    for (const piece of this.pieces) {
      parser.parse(piece, (message) => {
        if (message.name !== 'dataRow') return
        for (const cell of this.reader.cells(message)) answer.cell(cell)
        rows++
      })
    }
    const bytes = this.pieces.reduce((sum, piece) => sum + piece.length, 0)
    return { input: this.input(), bytes, answer: answer.hex(), rows }
  }

  input() {
    const hash = new Checksum()
    for (const piece of this.pieces) hash.bytes(piece)
    return hash.hex()
  }

  pass() {
    const { touch } = this.reader
    let rows = 0
    const onMessage = (/** @type {any} */ message) => {
      if (message.name !== 'dataRow') return
      last = touch(message)
      rows++
    }
    for (const piece of this.pieces) this.parser.parse(piece, onMessage)
    if (rows !== this.rows) throw new Error(`${rows} rows delivered in place of ${this.rows}`)
  }
}

/** @type {Side} */
let side

serve({
  prepare: (/** @type {{reader: string, rows: number}} */ what) => {
    side = new Side(what)
    return side.check()
  },
  warm: (/** @type {{ms: number}} */ { ms }) => warm(() => side.pass(), ms),
  round: (/** @type {{passes: number}} */ { passes }) => round(() => side.pass(), passes),
  // pg-protocol may write into a chunk, which would have changed the stream for the passes that followed.
  input: () => side.input(),
})
