import { setImmediate as nextIteration } from "node:timers/promises";

/** Number of bytes to parse at a time. Parsing them takes about three milliseconds. */
const PART_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

/**
 * Parses one JSON value per line. The event loop handles other events between parts of a long text.
 *
 * @throws SyntaxError
 */
export async function parseJsonLines<R>(text: Uint8Array, partBytes = PART_BYTES): Promise<R[]> {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const rows: R[] = [];
  for (let start = 0; start < bytes.length; ) {
    if (start > 0) await nextIteration();
    const end = bytes.indexOf(NEWLINE, start + partBytes);
    const part = bytes.toString("utf8", start, end < 0 ? bytes.length : end).trimEnd();
    const parsed = JSON.parse(`[${part.replaceAll("\n", ",")}]`) as R[];
    if (start === 0 && end < 0) return parsed;
    for (const row of parsed) rows.push(row);
    start = end < 0 ? bytes.length : end + 1;
  }
  return rows;
}
