const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** Facts about rows, updated while they are streamed. */
export interface JsonRows {
  rows: number;
  /** True if there were more rows than the limit. */
  truncated: boolean;
}

/**
 * Streams rows, one JSON object per line, as one JSON array of at most `maxRows`. Stops reading at the first
 * row beyond that.
 */
export async function* jsonArray(
  lines: AsyncIterable<Uint8Array>,
  maxRows: number,
  seen: JsonRows,
): AsyncGenerator<Uint8Array> {
  let pending = Buffer.from("[");
  for await (const chunk of wholeRows(lines, maxRows, seen)) {
    if (pending.length > 0) yield pending;
    pending = withCommas(chunk);
  }
  yield closed(pending);
}

/**
 * Passes on at most `maxRows` rows, one JSON object per line, and reads the input to its end: few more rows
 * follow, and stopping the engine would cost more.
 */
export async function* firstLines(
  lines: AsyncIterable<Uint8Array>,
  maxRows: number,
  seen: JsonRows,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of lines) {
    const { rows, end } = seen.rows === maxRows ? NONE : countRows(chunk, maxRows - seen.rows);
    seen.rows += rows;
    if (end < chunk.length) seen.truncated = true;
    if (end > 0) yield chunk.subarray(0, end);
  }
}

const NONE = { rows: 0, end: 0 };

/** Like `firstLines`, but for the JSON array that the engine writes, with one row per line. */
export async function* firstOfArray(
  lines: AsyncIterable<Uint8Array>,
  maxRows: number,
  seen: JsonRows,
): AsyncGenerator<Uint8Array> {
  // Number of line ends before the end of the last row within the limit; the opening bracket also has one.
  let before = maxRows;
  let pending: Uint8Array = new Uint8Array();
  for await (const chunk of lines) {
    if (seen.truncated) continue;
    const { rows, end } = before < 0 ? NONE : countRows(chunk, before + 1);
    before -= rows;
    const isLastRow = rows > 0 && before < 0;
    const cut = isLastRow ? closedAtComma([pending, chunk.subarray(0, end - 1)]) : null;
    seen.truncated = cut !== null;
    if (cut === null && pending.length > 0) yield pending;
    pending = cut ?? chunk;
  }
  yield pending;
}

/** Returns the array up to its last row if a comma follows that row; null if the array ends there anyway. */
function closedAtComma(pieces: Uint8Array[]): Buffer | null {
  const rows = Buffer.concat(pieces);
  return rows.at(-1) === COMMA ? Buffer.concat([rows.subarray(0, -1), Buffer.from("\n]\n")]) : null;
}

async function* wholeRows(
  lines: AsyncIterable<Uint8Array>,
  maxRows: number,
  seen: JsonRows,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of lines) {
    if (chunk.length === 0) continue;
    if (seen.rows === maxRows) {
      seen.truncated = true;
      return;
    }
    const { rows, end } = countRows(chunk, maxRows - seen.rows);
    seen.rows += rows;
    seen.truncated = end < chunk.length;
    yield chunk.subarray(0, end);
    if (seen.truncated) return;
  }
}

/**
 * Returns the number of rows that end in a chunk, at most `maxRows`, and where to cut the chunk after the
 * last of these rows.
 */
function countRows(chunk: Uint8Array, maxRows: number): { rows: number; end: number } {
  let rows = 0;
  for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, end + 1)) {
    rows++;
    if (rows === maxRows) return { rows, end: end + 1 };
  }
  return { rows, end: chunk.length };
}

/** Replaces line ends with commas; the engine escapes line ends within values. */
function withCommas(chunk: Uint8Array): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(chunk);
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) bytes[end] = COMMA;
  return bytes;
}

/** Ends an array: replaces the comma after its last row, if there is one, with the closing bracket. */
function closed(bytes: Buffer): Buffer {
  const whole = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes;
  return Buffer.concat([whole, Buffer.from("]")]);
}
