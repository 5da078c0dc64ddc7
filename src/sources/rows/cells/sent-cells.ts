/** The values of a column in the form in which one process or thread sends them to another. */
export type SentCells =
  | { kind: "values"; values: ArrayLike<unknown> }
  /** Whole numbers below 2^53. NaN: the row has no value. */
  | { kind: "numbers"; numbers: Float64Array }
  | SentBytes
  /** Lists of bytes. `ends` has the end of each row's list in `items`. A row without a list has an empty one. */
  | SentLists;

/**
 * Bytes or text, with each distinct value stored once. `ends` has the end of each value in `bytes`. `rows`
 * has, for each row, the index of its value in `ends` plus one, or 0 if it has no value.
 */
export interface SentBytes {
  kind: "bytes";
  isText: boolean;
  bytes: Uint8Array;
  ends: Uint32Array;
  rows: Uint32Array;
}

export interface SentLists {
  kind: "lists";
  items: SentBytes;
  ends: Uint32Array;
}

type Values = ArrayLike<unknown>;

/**
 * Returns values in the form in which they are sent. A message with a few arrays takes a fraction of the time
 * of a message with many values.
 *
 * @param isText true if the values are text, also if they are given as its bytes
 */
export function sentCells(values: Values, isText = false): SentCells {
  return (
    sentNumbers(values) ??
    sentBytes(values, isText) ??
    sentLists(values, isText) ?? { kind: "values", values }
  );
}

/** Returns null if there are other values than whole numbers. */
function sentNumbers(values: Values): SentCells | null {
  const numbers = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === null || value === undefined) {
      numbers[row] = Number.NaN;
      continue;
    }
    const number = typeof value === "bigint" ? Number(value) : value;
    if (!Number.isSafeInteger(number)) return null;
    numbers[row] = number as number;
  }
  return { kind: "numbers", numbers };
}

/** Returns null if there are other values than bytes. */
function sentBytes(values: Values, isText: boolean): SentBytes | null {
  const numbers = new Map<Uint8Array, number>();
  const rows = new Uint32Array(values.length);
  let size = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === null || value === undefined) continue;
    if (!(value instanceof Uint8Array)) return null;
    // Equal values from a dictionary are the same object.
    const known = numbers.get(value);
    if (known === undefined) {
      size += value.length;
      numbers.set(value, numbers.size + 1);
    }
    rows[row] = known ?? numbers.size;
  }
  const bytes = new Uint8Array(size);
  const ends = new Uint32Array(numbers.size);
  let end = 0;
  for (const [value, number] of numbers) {
    bytes.set(value, end);
    end += value.length;
    ends[number - 1] = end;
  }
  return { kind: "bytes", isText, bytes, ends, rows };
}

/** Returns null if there are other values than lists of bytes. */
function sentLists(values: Values, isText: boolean): SentLists | null {
  const all: unknown[] = [];
  const ends = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const list = values[row] ?? [];
    if (!Array.isArray(list)) return null;
    for (const item of list) all.push(item);
    ends[row] = all.length;
  }
  const items = sentBytes(all, isText);
  return items && { kind: "lists", items, ends };
}

/** Returns the values of some consecutive rows, without sharing memory with the others. */
export function sliceOf(sent: SentCells, start: number, end: number): SentCells {
  switch (sent.kind) {
    case "values":
      return {
        kind: "values",
        values: Array.from({ length: end - start }, (_, i) => sent.values[start + i]),
      };
    case "numbers":
      return { kind: "numbers", numbers: sent.numbers.slice(start, end) };
    case "bytes":
      return sliceOfBytes(sent, start, end);
    case "lists": {
      const { items, ends } = sent;
      const first = start === 0 ? 0 : (ends[start - 1] ?? 0);
      const last = end === 0 ? 0 : (ends[end - 1] ?? 0);
      const own = ends.slice(start, end).map((one) => one - first);
      return { kind: "lists", items: sliceOfBytes(items, first, last), ends: own };
    }
  }
}

function sliceOfBytes(sent: SentBytes, start: number, end: number): SentBytes {
  return consecutiveSlice(sent, start, end) ?? gatheredSlice(sent, start, end);
}

/** Returns null if the values of the rows are not stored one after the other. */
function consecutiveSlice(
  { isText, bytes, ends, rows }: SentBytes,
  start: number,
  end: number,
): SentBytes | null {
  let before = -1;
  let newest = 0;
  const own = new Uint32Array(end - start);
  for (let row = start; row < end; row++) {
    const number = rows[row] ?? 0;
    if (number === 0) continue;
    if (before < 0) before = number - 1;
    else if (number !== newest && number !== newest + 1) return null;
    newest = number;
    own[row - start] = number - before;
  }
  if (before < 0)
    return { kind: "bytes", isText, bytes: new Uint8Array(0), ends: new Uint32Array(0), rows: own };
  const from = startOf(ends, before + 1);
  return {
    ...{ kind: "bytes", isText, rows: own },
    bytes: bytes.slice(from, ends[newest - 1]),
    ends: ends.slice(before, newest).map((one) => one - from),
  };
}

function gatheredSlice({ isText, bytes, ends, rows }: SentBytes, start: number, end: number): SentBytes {
  const numbers = new Map<number, number>();
  const own = new Uint32Array(end - start);
  let size = 0;
  for (let row = start; row < end; row++) {
    const number = rows[row] ?? 0;
    if (number === 0) continue;
    let known = numbers.get(number);
    if (known === undefined) {
      known = numbers.size + 1;
      numbers.set(number, known);
      size += (ends[number - 1] ?? 0) - startOf(ends, number);
    }
    own[row - start] = known;
  }
  const gathered = new Uint8Array(size);
  const ownEnds = new Uint32Array(numbers.size);
  let at = 0;
  for (const [number, known] of numbers) {
    const value = bytes.subarray(startOf(ends, number), ends[number - 1]);
    gathered.set(value, at);
    at += value.length;
    ownEnds[known - 1] = at;
  }
  return { kind: "bytes", isText, bytes: gathered, ends: ownEnds, rows: own };
}

/** Returns where a value begins in the bytes. */
export function startOf(ends: Uint32Array, number: number): number {
  return number < 2 ? 0 : (ends[number - 2] ?? 0);
}

/** Number of bytes of a number or a reference. */
const SLOT_BYTES = 8;
/** Number of bytes of a text or a list, besides its characters or items. */
const OBJECT_BYTES = 24;

/** Returns about how much memory sent values take, in bytes. */
export function sizeOfCells(sent: SentCells): number {
  switch (sent.kind) {
    case "values":
      return sizeOfList(sent.values);
    case "numbers":
      return sent.numbers.byteLength;
    case "bytes":
      return sent.bytes.byteLength + sent.ends.byteLength + sent.rows.byteLength;
    case "lists":
      return sizeOfCells(sent.items) + sent.ends.byteLength;
  }
}

/** Returns about how much memory the values take if equal ones are not stored only once, in bytes. */
export function sizeOfRows(sent: SentCells): number {
  if (sent.kind === "lists") return sizeOfRows(sent.items) + sent.ends.byteLength;
  if (sent.kind !== "bytes") return sizeOfCells(sent);
  const { ends, rows } = sent;
  let size = rows.byteLength;
  for (const number of rows) size += number === 0 ? 0 : (ends[number - 1] ?? 0) - startOf(ends, number);
  return size;
}

/** Equal texts count once for each row: they are sent and received as separate texts. */
function sizeOfList(values: Values): number {
  let size = SLOT_BYTES * values.length;
  if (ArrayBuffer.isView(values)) return size;
  for (let i = 0; i < values.length; i++) size += sizeOfValue(values[i]);
  return size;
}

function sizeOfValue(value: unknown): number {
  if (typeof value === "string") return OBJECT_BYTES + value.length;
  return Array.isArray(value) ? OBJECT_BYTES + sizeOfList(value) : 0;
}
