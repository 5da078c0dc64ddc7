/** One field and what ends it. */
const FIELD = /("(?:[^"]|"")*"|[^",\n]*)(,|\n|$)/y;

/** Records of CSV (RFC 4180). A field is null where nothing stands, not even quotes. */
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
