// What the addon exports. Written by hand: most of it is bound by hand, in src/binding.

/** The state of one stream, in Rust's memory. */
export interface ParserState {
  readonly parserState: unique symbol
}

/** The pools of a batch, in Rust's memory. */
export interface DecoderState {
  readonly decoderState: unique symbol
}

/** An encoding that is not UTF-8. */
export interface EncodingState {
  readonly encodingState: unique symbol
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

/** The columns of one result, in Rust's memory. */
export interface ColumnsState {
  readonly columnsState: unique symbol
}

/** @param plan one of `PACK_*` for each column */
export function createColumns(plan: Uint8Array): ColumnsState

/**
 * Takes the rows that lie behind each other from `table[APPEND_BODY]` on, at most `table[APPEND_ROWS]`, and writes there
 * what came of it, and into the rest of the table the places of the cells that are left to JavaScript.
 */
export function appendRows(columns: ColumnsState, bytes: Buffer, table: Int32Array): void

/** The same for the rows of a binary COPY. None is left to JavaScript. */
export function createCopy(plan: Uint8Array): ColumnsState

/** Takes the CopyData messages that `bytes` consists of; none means the end of the COPY. */
export function appendCopy(columns: ColumnsState, bytes: Buffer, table: Int32Array): void

/** @returns what is wrong with the row that was malformed */
export function takeFault(columns: ColumnsState): string

/**
 * Sets the elements of `parts`: values or data, offsets, validity, microseconds beyond the millisecond; none for what there
 * is not. The cells of further rows are left to JavaScript.
 *
 * @param which the column's index, and one of `MILLIS_*`
 */
export function takeColumn(columns: ColumnsState, which: Int32Array, parts: any[]): void

/** Gives the memory back. */
export function dropColumns(columns: ColumnsState): void

/** @returns the numbers of `layout.js` as the addon was built with, by name */
export function layout(): Record<string, number>

/** @returns the version of the crate that the addon was built from */
export function version(): string

/** @returns null for an encoding that is read as UTF-8, undefined for a name that is none of PostgreSQL's */
export function createEncoding(name: string): EncodingState | null | undefined

/** @returns the text of the bytes from `start` to `end` */
export function decodeText(encoding: EncodingState, bytes: Buffer, start: number, end: number): string

/**
 * Copies DataRow messages with their texts in UTF-8, from the one on whose body begins at `words[0]`, and at most
 * `words[1]`. Cells of columns whose byte in `texts` is 0 stay as they are. Leaves in `words[0]` how many there are.
 */
export function transcode(encoding: EncodingState, bytes: Buffer, words: Int32Array, texts: Uint8Array): Buffer
