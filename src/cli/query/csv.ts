/** Matches one field and its delimiter. */
const FIELD = /("(?:[^"]|"")*"|[^",\n]*)(,|\n|$)/y;

/** Parses CSV (RFC 4180). An empty field without quotes is null. */
export function parseCsv(text: string): (string | null)[][] {
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  for (let at = 0; at < text.length; at = FIELD.lastIndex) {
    FIELD.lastIndex = at;
    const [whole = "", field = "", end] = FIELD.exec(text) ?? [];
    if (whole === "") return records;
    record.push(fieldValue(field));
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
}

function fieldValue(field: string): string | null {
  if (!field.startsWith('"')) return field === "" ? null : field;
  return field.slice(1, -1).replaceAll('""', '"');
}
