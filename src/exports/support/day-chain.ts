import { batchOf } from "../../../test/support/engine/random-rows.ts";
import type { Hex } from "../../lib/hex.ts";
import type { RecordNumbering } from "../../schema/record-index.ts";
import { COUNTED_TABLES, ROW_COUNTS, type Rows, TABLE_NAMES, tableOf } from "../../schema/tables.ts";
import type { ChainStore } from "../../storage/store.ts";

/** Block 100 is the last of its day; the next days have five blocks each. */
const FIRST = { number: 100, timestamp: Date.parse("2023-11-14T20:00:00Z") / 1000 };
const BLOCK_SECONDS = 17_280;
const ROWS_PER_TABLE = 3;

/** Blocks some hours apart, with random rows in every table. */
export interface DayChain {
  first: number;
  last: number;
  /** Distinguishes forks of the chain. */
  fork?: string;
  /** Default: wide. */
  numbering?: RecordNumbering;
}

export function dayHash(number: number, fork = "a"): Hex {
  return `0x${fork}${String(number).padStart(63, "0")}`;
}

export function dayTime(number: number): number {
  return FIRST.timestamp + BLOCK_SECONDS * (number - FIRST.number);
}

/** Stores the blocks in one commit. All of them are final except the last `unfinal`. */
export async function commitDays(
  store: ChainStore,
  { first, last, fork = "a", numbering = "wide" }: DayChain,
  unfinal = 0,
): Promise<void> {
  const lastBlock = { number: last, hash: dayHash(last, fork), timestamp: dayTime(last) };
  const rows: Record<string, unknown[]> = {};
  for (let number = first; number <= last; number++) {
    for (const [name, ofBlock] of Object.entries(rowsOf(number, fork, numbering)))
      rows[name] = [...(rows[name] ?? []), ...ofBlock];
  }
  const finalized = last - unfinal < first ? null : last - unfinal;
  await store.commit({ firstBlock: first, lastBlock, rows: rows as Rows, finalized });
}

/** Returns rows like those of a real block: linked to its parent, with its time, and counted. */
function rowsOf(number: number, fork: string, numbering: RecordNumbering): Rows {
  const { rows } = batchOf({ first: number, last: number, rowsPerTable: ROWS_PER_TABLE, fork, numbering });
  const timed = Object.fromEntries(
    TABLE_NAMES.map((name) => {
      const { columns } = tableOf(name);
      const time = "timestamp" in columns ? { timestamp: dayTime(number) } : {};
      const hash = "block_hash" in columns ? { block_hash: dayHash(number, fork) } : {};
      return [name, (rows[name] ?? []).map((row) => ({ ...row, ...time, ...hash }))];
    }),
  );
  const counts = Object.fromEntries(COUNTED_TABLES.map((name) => [ROW_COUNTS[name], ROWS_PER_TABLE]));
  const block = {
    ...timed.blocks?.[0],
    ...counts,
    block_hash: dayHash(number, fork),
    parent_hash: dayHash(number - 1, fork),
  };
  return { ...timed, blocks: [block] } as Rows;
}
