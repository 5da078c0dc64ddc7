const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** A JSON array of rows, as bytes, and what was learned while it passed. */
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
  for await (const chunk of lines) {
    if (chunk.length === 0) continue;
    if (seen.rows === maxRows) {
      seen.truncated = true;
      break;
    }
    if (pending.length > 0) yield pending;
    const { bytes, rows, cut } = joinLines(chunk, maxRows - seen.rows);
    seen.rows += rows;
    seen.truncated = cut;
    pending = bytes;
    if (cut) break;
  }
  yield closed(pending);
}

/** Line ends become commas: an engine escapes those inside a row's text. */
function joinLines(
  chunk: Uint8Array,
  maxRows: number,
): { bytes: Buffer<ArrayBuffer>; rows: number; cut: boolean } {
  const bytes = Buffer.from(chunk);
  let rows = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) {
    bytes[end] = COMMA;
    rows++;
    if (rows === maxRows) return { bytes: bytes.subarray(0, end + 1), rows, cut: end + 1 < bytes.length };
  }
  return { bytes, rows, cut: false };
}

/** The last row's comma becomes the closing bracket. */
function closed(bytes: Buffer): Buffer {
  const whole = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes;
  return Buffer.concat([whole, Buffer.from("]")]);
}
