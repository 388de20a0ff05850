/** The messages of the client: pg-protocol's own serializer, with its own types. */
export { serialize } from 'pg-protocol-js/dist/serializer.js'
