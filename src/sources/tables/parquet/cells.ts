/** The values of a column in the form in which one process sends them to another. */
export type SentCells =
  | { kind: "values"; values: ArrayLike<unknown> }
  /**
   * Bytes, with each distinct value stored once. `ends` has the end of each value in `bytes`. `rows` has, for
   * each row, the index of its value in `ends` plus one, or 0 if it has no value.
   */
  | { kind: "bytes"; bytes: Uint8Array; ends: Float64Array; rows: Uint32Array };

/**
 * Returns values in the form in which they are sent. A message with a single array takes about a third of the
 * time of a message with many.
 */
export function sentCells(values: ArrayLike<unknown>): SentCells {
  const numbers = new Map<Uint8Array, number>();
  const rows = new Uint32Array(values.length);
  let size = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === null || value === undefined) continue;
    if (!(value instanceof Uint8Array)) return { kind: "values", values };
    // Equal values from a dictionary are the same object.
    const known = numbers.get(value);
    if (known === undefined) {
      size += value.length;
      numbers.set(value, numbers.size + 1);
    }
    rows[row] = known ?? numbers.size;
  }
  const bytes = new Uint8Array(size);
  const ends = new Float64Array(numbers.size);
  let end = 0;
  for (const [value, number] of numbers) {
    bytes.set(value, end);
    end += value.length;
    ends[number - 1] = end;
  }
  return { kind: "bytes", bytes, ends, rows };
}

/** Number of bytes in a number or a reference. */
const SLOT_BYTES = 8;

/** Returns about how much memory sent values take, in bytes. */
export function sizeOfCells(sent: SentCells): number {
  return sent.kind === "values" ? SLOT_BYTES * sent.values.length : sent.bytes.length;
}

export function receivedCells(sent: SentCells): ArrayLike<unknown> {
  if (sent.kind === "values") return sent.values;
  const { bytes, ends, rows } = sent;
  const values = Array.from(ends, (end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
  return Array.from(rows, (number) => (number === 0 ? null : values[number - 1]));
}
