import { wholeOf } from "../../lib/async/whole-of.ts";
import { type TableName, tableOf } from "../../schema/tables.ts";
import { outdated, type Snapshot } from "../snapshot/snapshot.ts";
import type { CanonicalValue } from "../values/value-kind.ts";
import { SortKeyLayout } from "./sort-keys.ts";
import {
  findRecords,
  type LinesOfOne,
  linesOfOne,
  recordLines,
  type TopRecordsQuery,
} from "./top-records.ts";

interface NewestRecordsQuery {
  table: TableName;
  groupBy: string;
  values: readonly CanonicalValue[];
  /** Maximum number of records per value. */
  size: number;
}

/**
 * Up to this many values, the records of each value are read by a separate statement, which takes about 10
 * ms. Finding the records of several values and then reading them takes at least 40 ms.
 */
const FEW_VALUES = 4;

/** Reads the newest records of each value, newest first. Each record is JSON text, as in the answer. */
export async function readNewestRecords(
  snapshot: Snapshot,
  { table, groupBy, values, size }: NewestRecordsQuery,
): Promise<Map<CanonicalValue, string[]>> {
  const groups = values.map((value) => ({ key: value, value }));
  const query = { table, groupBy, groups, sortBy: "timestamp", order: "desc", size } as const;
  const ofOne = values.length <= FEW_VALUES ? linesOfOne(snapshot, query) : null;
  return ofOne === null ? readTogether(snapshot, query) : readEach(values, ofOne);
}

async function readEach(
  values: readonly CanonicalValue[],
  linesOf: LinesOfOne,
): Promise<Map<CanonicalValue, string[]>> {
  const read = async (value: CanonicalValue) => [value, textLines(await wholeOf(linesOf(value)))] as const;
  const found = await Promise.all(values.map(read));
  return new Map(found.filter(([, lines]) => lines.length > 0));
}

async function readTogether(
  snapshot: Snapshot,
  query: TopRecordsQuery,
): Promise<Map<CanonicalValue, string[]>> {
  const { bytes } = new SortKeyLayout(tableOf(query.table));
  const keys = await findRecords(snapshot, query);
  const inOrder = Buffer.concat([...keys.values()]);
  const lines = textLines(await wholeOf(recordLines(snapshot, query.table, inOrder)));
  const found = new Map<CanonicalValue, string[]>();
  let read = 0;
  for (const [value, ofGroup] of keys) {
    const records = ofGroup.length / bytes;
    found.set(value, lines.slice(read, read + records));
    read += records;
  }
  if (read !== lines.length) throw outdated(snapshot);
  return found;
}

const NEWLINE = 0x0a;

/** Returns each line as a separate string, because a slice would keep all of the longer string in memory. */
function textLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.toString("utf8", start, end));
    start = end + 1;
  }
  return lines;
}
