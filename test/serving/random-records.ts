import fc from "fast-check";
import { hexOf } from "../../src/reads/support/market.ts";
import { recordIndexOf } from "../../src/schema/record-index.ts";
import type { Rows, TableName } from "../../src/schema/tables.ts";
import { rowOf } from "../support/engine/random-rows.ts";
import type { Random } from "./random.ts";

type AnyRow = Record<string, unknown>;

export const ACCOUNTS = Array.from({ length: 8 }, (_, i) => hexOf(0xc00 + i));

/** The columns of each table that contain accounts. */
export const ACCOUNT_COLUMNS = {
  erc20: ["token_address", "from_address", "to_address"],
  erc721: ["token_address", "from_address", "to_address"],
  transactions: ["from_address", "to_address"],
  logs: ["address"],
} as const satisfies { readonly [N in TableName]?: readonly string[] };

const MAX_ROWS_PER_BLOCK = 3;

/** First ordinal of the records. It is higher than the ordinals of the pools' logs in the same block. */
const FIRST_ORDINAL = 100;

const samples = Object.entries(ACCOUNT_COLUMNS).map(([table, columns]) => ({
  table,
  columns,
  rows: fc.sample(rowOf(table as TableName), { numRuns: 100, seed: 3 }) as AnyRow[],
}));

/** Makes transfers, transactions and logs of a few accounts, with random values in the other columns. */
export function randomRecords(random: Random, firstBlock: number, times: readonly number[]): Rows {
  const tables = samples.map(({ table, columns, rows }) => {
    const placed = times.flatMap((timestamp, i) =>
      Array.from({ length: random.below(MAX_ROWS_PER_BLOCK + 1) }, (_, ordinal) => ({
        ...random.pick(rows),
        ...Object.fromEntries(columns.map((column) => [column, accountAt(random, table, column)])),
        ...placeOf(firstBlock + i, FIRST_ORDINAL + ordinal),
        timestamp,
      })),
    );
    return [table, placed];
  });
  return Object.fromEntries(tables);
}

/**
 * Returns a random account. For the recipient of a transaction, sometimes returns null: the transaction then
 * creates a contract.
 */
function accountAt(random: Random, table: string, column: string): string | null {
  const isCreation = table === "transactions" && column === "to_address" && random.below(9) === 0;
  return isCreation ? null : random.pick(ACCOUNTS);
}

function placeOf(block: number, ordinal: number): AnyRow {
  return {
    block_number: block,
    log_index: ordinal,
    transaction_index: ordinal,
    record_index: recordIndexOf("wide", block, ordinal),
  };
}
