const NEWLINE = 0x0a;
const COMMA = 0x2c;

/** Up to this many pieces are passed on without a copy; each further piece would cost more than a copy. */
const FEW_PIECES = 16;

/** A key of the answer, and its number of records. */
export interface Group {
  key: string;
  records: number;
}

/**
 * Streams records, one JSON object per line, as one JSON object with an array of records for each group. The
 * records must arrive in the order of the groups. Changes the chunks in place: the copies of a large answer
 * would make work for the garbage collector.
 *
 * @param mismatch makes the error that is thrown if there are more or fewer records than the groups should
 * have
 */
export async function* groupedJson(
  lines: AsyncIterable<Uint8Array>,
  groups: readonly Group[],
  mismatch: () => Error,
): AsyncGenerator<Uint8Array> {
  const separators = separatorsOf(groups);
  const next = () => separators.next().value ?? null;
  yield Buffer.from(next() ?? "");
  for await (const chunk of lines) {
    const pieces: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, end + 1)) {
      const separator = next();
      if (separator === null) throw mismatch();
      if (separator === ",") {
        chunk[end] = COMMA;
        continue;
      }
      pieces.push(chunk.subarray(start, end), Buffer.from(separator));
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
    if (pieces.length > FEW_PIECES) yield Buffer.concat(pieces);
    else yield* pieces;
  }
  if (next() !== null) throw mismatch();
}

/** Yields the text before the first record, between records, and after the last one. */
function* separatorsOf(groups: readonly Group[]): Generator<string, undefined> {
  let text = "{";
  for (const [i, { key, records }] of groups.entries()) {
    text += `${i === 0 ? "" : ","}${JSON.stringify(key)}:[`;
    for (let record = 0; record < records; record++) {
      yield text;
      text = record === records - 1 ? "" : ",";
    }
    text += "]";
  }
  yield `${text}}`;
}
