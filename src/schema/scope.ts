import { BaseError } from "../lib/error.ts";
import { publicColumns, type Table } from "./table.ts";
import { type TableName, tableOf } from "./tables.ts";

/** What an index keeps, from most to least. */
export const KEEP_LEVELS = ["all", "no-input", "no-logs", "trades"] as const;

export type KeepLevel = (typeof KEEP_LEVELS)[number];

/** Which part of a chain's data is stored. */
export interface StoredScope {
  keep: KeepLevel;
  /**
   * First block whose raw rows are stored, to the extent that `keep` includes them. Raw rows of earlier
   * blocks were pruned; 0 if none were.
   */
  rawFrom: number;
}

export const EVERYTHING: StoredScope = { keep: "all", rawFrom: 0 };

/**
 * The tables whose rows can be omitted or pruned. The balances of pools of Balancer V2,
 * Balancer V3, Ekubo and PancakeSwap Infinity Bin, and of stable pools of Trident, are computed from stored
 * rows of these tables, and are unknown where these rows are missing.
 */
export const RAW_TABLES = ["transactions", "logs", "erc20", "erc721"] as const satisfies readonly TableName[];

export type RawTable = (typeof RAW_TABLES)[number];

/**
 * Raw tables that always keep a few rows because answers depend on them: reserves of Uniswap V2 pairs depend
 * on Sync events, and spam verdicts depend on airdrops. Clients cannot query these rows where the rest of the
 * table is missing.
 */
export const EXCERPTED_TABLES: readonly RawTable[] = ["logs", "erc20"];

/**
 * Minimum number of recipients of a token in one transaction for it to count as an airdrop. In the recorded
 * blocks, payouts in honest tokens have up to 14 recipients, and the only airdrop has 591 (docs/verdicts.md).
 */
export const FAN_OUT_RECIPIENTS = 50;

const NO_TABLES: readonly RawTable[] = [];

/** The tables that each level omits, except for the rows that `EXCERPTED_TABLES` always keep. */
const LEFT_OUT: Record<KeepLevel, readonly RawTable[]> = {
  all: NO_TABLES,
  "no-input": NO_TABLES,
  "no-logs": ["logs"],
  trades: RAW_TABLES,
};

/** The column that every level except `all` leaves empty. */
const INPUT = { table: "transactions", column: "input" } as const;

export function isRaw(table: TableName): table is RawTable {
  return RAW_TABLES.some((raw) => raw === table);
}

/** Returns whether clients may query a table. */
export function isKept({ keep }: StoredScope, table: TableName): boolean {
  return !isRaw(table) || !LEFT_OUT[keep].includes(table);
}

/** Returns whether a column is stored. */
export function isKeptColumn(scope: StoredScope, table: TableName, column: string): boolean {
  return isKept(scope, table) && (scope.keep === "all" || table !== INPUT.table || column !== INPUT.column);
}

/** Returns the first block from which a table holds all its rows; null if it is not kept. */
export function completeFrom(scope: StoredScope, table: TableName): number | null {
  if (!isKept(scope, table)) return null;
  return isRaw(table) ? scope.rawFrom : 0;
}

/**
 * Returns the first block from which a table holds as many rows as the blocks state; null if it never does.
 * If a level omits a table, the blocks' counts include only its excerpt. Pruning does not change the counts.
 */
export function countedFrom(scope: StoredScope, table: TableName): number | null {
  if (isKept(scope, table) || !isRaw(table)) return completeFrom(scope, table);
  return EXCERPTED_TABLES.includes(table) ? 0 : null;
}

/** Returns the raw tables from which pruning removes rows. */
export function prunableTables({ keep }: StoredScope): RawTable[] {
  return RAW_TABLES.filter((table) => !LEFT_OUT[keep].includes(table));
}

/** Returns the public columns of a table that are kept. */
export function keptColumns(scope: StoredScope, table: Table): ReturnType<typeof publicColumns> {
  if (scope.keep === "all" || table !== tableOf(INPUT.table)) return publicColumns(table);
  return publicColumns(table).filter(([name]) => name !== INPUT.column);
}

/** Returns the public columns of a kept table that are not stored. */
export function missingColumns(scope: StoredScope, table: TableName): string[] {
  return table === INPUT.table && !isKeptColumn(scope, table, INPUT.column) ? [INPUT.column] : [];
}

/** Returns the rows that clients may see: the rows of blocks that were not pruned. */
export function visibleRows<R extends object>(
  scope: StoredScope,
  name: TableName,
  rows: readonly R[],
): readonly R[] {
  const from = completeFrom(scope, name) ?? 0;
  if (from === 0) return rows;
  const { blockColumn } = tableOf(name);
  return rows.filter((row) => Number((row as Record<string, unknown>)[blockColumn]) >= from);
}

/** Returns a table without the columns that are not stored. */
export function withStoredColumns(scope: StoredScope, name: TableName): Table {
  const missing = missingColumns(scope, name);
  const table = tableOf(name);
  if (missing.length === 0) return table;
  const columns = Object.entries(table.columns).filter(([column]) => !missing.includes(column));
  return { ...table, columns: Object.fromEntries(columns) };
}

/** Returns why a table or column cannot be queried, as text to follow its name. */
export function notKeptReason({ keep }: StoredScope): string {
  return `is not stored: this chain is indexed with --keep ${keep} (see docs/scope.md)`;
}

/** @throws NotStored if clients cannot query a table of a chain */
export function requireKept(chain: string, scope: StoredScope, table: TableName): void {
  if (!isKept(scope, table)) throw new NotStored(`${chain}_${table}`, scope);
}

export class NotStored extends BaseError {
  constructor(what: string, scope: StoredScope) {
    super("unsupported", `${what} ${notKeptReason(scope)}.`);
  }
}
