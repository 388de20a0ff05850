/** Writes the basic data types of the protocol into a Buffer: pg-protocol's own class, with its own types. */
export { Writer } from 'pg-protocol-js/dist/buffer-writer.js'
