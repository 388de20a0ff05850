// What the addon exports. Written by hand: most of it is bound by hand, in src/binding.

/** The state of one stream, in Rust's memory. */
export interface ParserState {
  readonly parserState: unique symbol
}

/** The pools of a batch, in Rust's memory. */
export interface DecoderState {
  readonly decoderState: unique symbol
}

/** @returns the state at the beginning of a stream */
export function createParser(): ParserState

/**
 * Indexes the messages of `chunk` into `words`, from the byte on that `words[CONSUMED]` says.
 *
 * @returns the straddler's own Buffer when the first entry lies in it
 */
export function feed(parser: ParserState, chunk: Buffer, words: Int32Array): Buffer | undefined

/** @returns the sentence of the oldest error entry whose sentence was not taken yet */
export function takeProblem(parser: ParserState): string

/**
 * Says that the stream is over.
 *
 * @returns a sentence if it ended inside a message
 */
export function finish(parser: ParserState): string | undefined

/** @returns a copy of the bytes that are held of a message that has not ended */
export function held(parser: ParserState): Buffer

/** @returns empty pools */
export function createDecoder(): DecoderState
/** A decoder for who keeps a string for each slot of the dictionary. */
export function createDictionaryDecoder(): DecoderState

/**
 * Decodes the row whose body begins at `table[ROWS]` of `bytes`, and those that follow it, into `table`; sets the
 * elements of `pools` whose pool is not empty.
 */
export function decode(
  decoder: DecoderState,
  bytes: Buffer,
  table: Int32Array,
  pools: string[],
  plan: Uint8Array
): void

/** @returns the numbers of `layout.js` as the addon was built with, by name */
export function layout(): Record<string, number>

/** @returns the version of the crate that the addon was built from */
export function version(): string
