import type { RecordPrinter } from "../../engine-sql/record-printer.ts";

type AnyRow = Readonly<Record<string, unknown>>;

/** Memory of the array's slot, the object, and a string without its characters. */
const OVERHEAD_BYTES = 120;

/** A committed record: kept as a row until its JSON is first needed, and only as JSON from then on. */
export class CommittedRecord {
  /** Approximate memory in bytes, the same for both forms. */
  readonly bytes: number;
  #row: AnyRow | null;
  #json: string;
  readonly #print: RecordPrinter | null;

  private constructor(row: AnyRow | null, json: string, print: RecordPrinter | null, bytes: number) {
    this.#row = row;
    this.#json = json;
    this.#print = print;
    this.bytes = bytes + OVERHEAD_BYTES;
  }

  static ofRow(row: AnyRow, print: RecordPrinter, bytes: number): CommittedRecord {
    return new CommittedRecord(row, "", print, bytes);
  }

  static ofJson(json: string): CommittedRecord {
    return new CommittedRecord(null, json, null, json.length);
  }

  get json(): string {
    if (this.#row !== null && this.#print !== null) {
      this.#json = this.#print(this.#row);
      this.#row = null;
    }
    return this.#json;
  }
}

/** The newest records with one value in one column: as many as the capacity, or all if there are fewer. */
export class RecordList {
  readonly #capacity: number;
  /** Oldest first. */
  readonly #records: CommittedRecord[];
  #bytes: number;

  /** @param records oldest first; at most `capacity` */
  constructor(capacity: number, records: CommittedRecord[] = []) {
    this.#capacity = capacity;
    this.#records = records;
    this.#bytes = records.reduce((sum, { bytes }) => sum + bytes, OVERHEAD_BYTES);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Content of the list, for comparisons. */
  content(): string[] {
    return this.newest(this.#capacity);
  }

  /** Adds a record that is newer than all others. */
  add(record: CommittedRecord): void {
    this.#records.push(record);
    this.#bytes += record.bytes;
    if (this.#records.length > this.#capacity) this.#bytes -= this.#records.shift()?.bytes ?? 0;
  }

  /**
   * Returns the newest records as JSON, newest first.
   *
   * @param size at most the capacity
   */
  newest(size: number): string[] {
    return this.#records
      .slice(-size)
      .reverse()
      .map(({ json }) => json);
  }
}
