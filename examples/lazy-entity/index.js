#!/usr/bin/env node
'use strict'

// `node examples/lazy-entity`: entities as an ORM has them, on the bytes of their rows. A query object of one's own takes
// `bytes` and `offset` of each DataRow message; a property is decoded when it is first read, and a row that nobody looks at
// costs no more than the copy of its bytes.

const pg = require('pg')
const { accelerate } = require('../../lib/pg') // in an app: require('pg-protocol-native/pg')
const { startServer } = require('../../scripts/postgres-server')

/**
 * @typedef {(text: string) => any} Parse
 * @typedef {{ name: string, dataTypeID: number }} Field
 */

/** Makes the class of a result's entities, with a getter for each column. */
class EntityType {
  /** @param {Field[]} fields */
  constructor(fields) {
    const parsers = fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text'))
    this.Entity = class Entity {
      /** @type {Buffer} */
      #row
      /** @type {any[]} */
      #values = []

      /** @param {Buffer} row an Int16 count, and for each cell an Int32 length (-1: NULL) and its bytes */
      constructor(row) {
        this.#row = row
      }

      /** @param {number} index */
      read(index) {
        if (!(index in this.#values)) {
          const text = this.#text(index)
          this.#values[index] = text === null ? null : parsers[index](text)
        }
        return this.#values[index]
      }

      /** @param {number} index */
      #text(index) {
        const row = this.#row
        let at = 2
        for (let i = 0; i < index; i++) at += 4 + Math.max(0, row.readInt32BE(at))
        const length = row.readInt32BE(at)
        return length < 0 ? null : row.toString('utf8', at + 4, at + 4 + length)
      }
    }
    fields.forEach(({ name }, index) => {
      Object.defineProperty(this.Entity.prototype, name, {
        /** @this {any} */
        get() {
          return this.read(index)
        },
        enumerable: true,
      })
    })
  }
}

/** What `client.query` runs: like pg's own Query, but with entities for rows. */
class EntityQuery extends pg.Query {
  entities = /** @type {any[]} */ ([])

  /** @param {any} message */
  handleRowDescription(message) {
    this.type = new EntityType(message.fields)
    // @ts-expect-error these methods are not in the types of pg
    super.handleRowDescription(message)
  }

  /** @param {any} message */
  handleDataRow({ bytes, offset, length }) {
    // A copy, so that an entity that is kept does not keep the whole chunk.
    const row = Buffer.from(bytes.subarray(offset, offset + length - 4))
    this.entities.push(new /** @type {any} */ (this.type).Entity(row))
  }
}

async function main() {
  accelerate(pg)
  const server = await startServer()
  try {
    const client = new pg.Client(server.config)
    await client.connect()
    const query = new EntityQuery({
      text: `select i as id, 'author ' || i as name, now() - i * interval '1 day' as born, json_build_object('n', i) as data
        from generate_series(1, 50000) as i`,
    })
    const start = performance.now()
    await new Promise((resolve, reject) => {
      query.on('end', resolve).on('error', reject)
      client.query(query)
    })
    const { entities } = query
    console.log(`${entities.length} entities in ${(performance.now() - start).toFixed(0)} ms`)
    const last = entities[entities.length - 1]
    console.log(last.id, last.name, last.born instanceof Date, last.data.n === last.id)
    await client.end()
  } finally {
    await server.stop()
  }
}

main()
