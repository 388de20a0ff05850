'use strict'

/**
 * Row descriptions that were seen before, recognised by their bytes.
 *
 * A prepared statement is described each time it is executed. For a result of one row, to read the names of a dozen
 * columns again takes longer than to read the row; and what follows from a description, an empty row and a plan for the
 * columns, can be kept with it.
 */

/** As many descriptions are kept; the cache is emptied when it is full, and what is in use comes back. */
const MOST = 500

/** Of a larger description, that is of hundreds of columns, no copy is kept. */
const MOST_BYTES = 16 << 10

class Itself {
  /** @param {object} object */
  constructor(object) {
    return object
  }
}

/** Notes on an array of fields which description it came from, where nobody else can see it. */
class Marked extends Itself {
  #description

  /**
   * @param {object} fields
   * @param {Description} description
   */
  constructor(fields, description) {
    super(fields)
    this.#description = description
  }

  /**
   * @param {any} fields
   * @returns {Description | null}
   */
  static of(fields) {
    return #description in fields ? fields.#description : null
  }
}

/** A description and what was made of it. */
class Description {
  /**
   * @param {Buffer} body
   * @param {any[]} fields
   */
  constructor(body, fields) {
    this.body = body
    /** Copies: what an application does to its fields stays with it. */
    this.values = fields.map((field) => ({ ...field }))
    this.names = fields.map(({ name }) => name)
    /**
     * A row without values, as pg's `addFields` makes it.
     *
     * @type {Record<string, null> | null}
     */
    this.empty = null
    /** @type {import('./row-plan').PlanOfRows | null} what the rows of the latest result were built with */
    this.plan = null
  }

  /**
   * Whether the fields still have the names that they were described with.
   *
   * @param {any[]} fields
   */
  hasNamesOf(fields) {
    const { names } = this
    if (fields.length !== names.length) return false
    for (let i = 0; i < names.length; i++) if (fields[i].name !== names[i]) return false
    return true
  }

  /** @param {any[]} fields */
  mark(fields) {
    new Marked(fields, this)
  }
}

class Descriptions {
  /** @type {Map<number, Description>} */
  #byHash = new Map()

  /**
   * @param {number} hash
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} length the message's, which counts itself
   * @returns {Description | null}
   */
  find(hash, bytes, body, length) {
    const found = this.#byHash.get(hash)
    if (found === undefined || found.body.length !== length - 4) return null
    return found.body.compare(bytes, body, body + length - 4) === 0 ? found : null
  }

  /**
   * @param {number} hash
   * @param {Buffer} bytes
   * @param {number} body
   * @param {number} length
   * @param {any[]} fields
   */
  add(hash, bytes, body, length, fields) {
    if (length > MOST_BYTES) return
    if (this.#byHash.size >= MOST) this.#byHash.clear()
    const copy = Buffer.from(bytes.subarray(body, body + length - 4))
    const description = new Description(copy, fields)
    this.#byHash.set(hash, description)
    description.mark(fields)
  }
}

/** @typedef {InstanceType<typeof Description>} DescriptionOfRows */

module.exports = { Descriptions, descriptionOf: Marked.of }
