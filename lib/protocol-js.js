'use strict'

// The real pg-protocol. It is installed under a name of its own so that an override of `pg-protocol` with this
// package leaves it alone. Loaded part by part: who only wants the serializer does not load the parser.

module.exports = {
  get index() {
    return require('pg-protocol-js/dist/index.js')
  },
  get messages() {
    return require('pg-protocol-js/dist/messages.js')
  },
  get parser() {
    return require('pg-protocol-js/dist/parser.js')
  },
  get serializer() {
    return require('pg-protocol-js/dist/serializer.js')
  },
  get bufferReader() {
    return require('pg-protocol-js/dist/buffer-reader.js')
  },
  get bufferWriter() {
    return require('pg-protocol-js/dist/buffer-writer.js')
  },
}
