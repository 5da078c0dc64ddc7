const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** What was learned of rows while they passed. */
export interface JsonRows {
  rows: number;
  /** True when more rows came than may pass. */
  truncated: boolean;
}

/**
 * Turns rows, one JSON object a line, into one JSON array of at most `maxRows`, piece by piece. The end of
 * the input is not waited for once it is known that too many came.
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

/** Passes on at most `maxRows` rows, one JSON object a line. */
export async function* firstLines(
  lines: AsyncIterable<Uint8Array>,
  maxRows: number,
  seen: JsonRows,
): AsyncGenerator<Uint8Array> {
  yield* wholeRows(lines, maxRows, seen);
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

/** How many rows end in a chunk, and where it is to be cut so that they are at most `maxRows`. */
function countRows(chunk: Uint8Array, maxRows: number): { rows: number; end: number } {
  let rows = 0;
  for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, end + 1)) {
    rows++;
    if (rows === maxRows) return { rows, end: end + 1 };
  }
  return { rows, end: chunk.length };
}

/** Line ends become commas: an engine escapes those inside a row's text. */
function withCommas(chunk: Uint8Array): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(chunk);
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) bytes[end] = COMMA;
  return bytes;
}

/** The last row's comma becomes the closing bracket. */
function closed(bytes: Buffer): Buffer {
  const whole = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes;
  return Buffer.concat([whole, Buffer.from("]")]);
}
