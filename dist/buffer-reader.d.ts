/** Reads the basic data types of the protocol from a Buffer: pg-protocol's own class, with its own types. */
export { BufferReader } from 'pg-protocol-js/dist/buffer-reader.js'
