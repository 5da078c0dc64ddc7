const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_END = 0x0a;

/** First characters of a string that spreadsheets run as a formula: = + - @, tab and carriage return. */
const FORMULA_STARTS = new Set([0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0d]);

const APOSTROPHE = Buffer.from("'");

/**
 * The position of a byte. `start`: at the start of a field; `opened`: right after the opening quote of a
 * field; `quoted`: elsewhere within quotes; `plain`: outside quotes.
 */
type Position = "start" | "opened" | "quoted" | "plain";

/**
 * Makes CSV safe for spreadsheets. They run a string as a formula if it starts like one, quoted or not; an
 * apostrophe in front keeps it as text. The engine quotes all strings and no numbers, so only quoted fields
 * need an apostrophe.
 */
export async function* spreadsheetCsv(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let position: Position = "start";
  for await (const piece of pieces) {
    let sent = 0;
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i] ?? 0;
      if (position === "opened" && FORMULA_STARTS.has(byte)) {
        yield piece.subarray(sent, i);
        yield APOSTROPHE;
        sent = i;
      }
      position = after(position, byte);
    }
    yield piece.subarray(sent);
  }
}

/**
 * Returns the position after a byte. A doubled quote closes the quotes and opens them again, so it needs no
 * position of its own.
 */
function after(position: Position, byte: number): Position {
  if (position === "opened" || position === "quoted") return byte === QUOTE ? "plain" : "quoted";
  if (byte === QUOTE) return position === "start" ? "opened" : "quoted";
  return byte === COMMA || byte === LINE_END ? "start" : "plain";
}
