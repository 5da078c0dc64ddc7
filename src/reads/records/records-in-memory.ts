import type { MemoryRead } from "../../serving/memory-read.ts";
import { groupsWith, type RecordGroup } from "../../serving/records/newest-records.ts";
import type { TopRecordsQuery } from "./top-records.ts";
import { CHAIN_ORDER } from "./top-spans.ts";

/**
 * Maximum number of records in one answer from memory, and in one read into memory: about 25 MB. Larger
 * answers are streamed.
 */
const MAX_RECORDS = 16_000;

/** Maximum number of characters in one answer from memory: a record may contain many bytes of data. */
const MAX_CHARACTERS = 32 * 2 ** 20;

/**
 * Returns the JSON of the first records of each group, if these are the group's newest records. Otherwise
 * leaves the answer to the engine.
 */
export function topRecordsInMemory(memory: MemoryRead, query: TopRecordsQuery): string {
  const groups = keptGroups(query);
  const [{ capacity } = { capacity: 0 }] = groups;
  if (groups.length === 0 || query.groups.length * capacity > MAX_RECORDS) {
    memory.leaveToEngine();
    return "";
  }
  const text = printedGroups(memory, query, groups);
  if (text === null) memory.leaveToEngine();
  return text ?? "";
}

/**
 * Returns the record groups in memory that can answer a query. There are none if the query needs verdicts on
 * trades, or records other than the newest ones.
 */
function keptGroups({ table, groupBy, sortBy, order, size, excludeWash }: TopRecordsQuery): RecordGroup[] {
  return !excludeWash && order === "desc" && CHAIN_ORDER.has(sortBy) ? groupsWith(table, groupBy, size) : [];
}

/** Returns the JSON of all groups; null if it is longer than `MAX_CHARACTERS`. */
function printedGroups(
  memory: MemoryRead,
  { groups, size }: TopRecordsQuery,
  kept: readonly RecordGroup[],
): string | null {
  const texts: string[] = [];
  let characters = 0;
  for (const { key, value } of groups) {
    const records = memory.newestRecords(kept, value);
    if (!memory.isComplete) continue;
    const text = `${JSON.stringify(key)}:[${records?.newest(size).join(",") ?? ""}]`;
    characters += text.length;
    if (characters > MAX_CHARACTERS) return null;
    texts.push(text);
  }
  return `{${texts.join(",")}}`;
}
