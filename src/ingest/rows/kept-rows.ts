import { isSync } from "../../schema/events/sync-event.ts";
import {
  completeFrom,
  FAN_OUT_RECIPIENTS,
  isKept,
  isKeptColumn,
  type RawTable,
  type StoredScope,
} from "../../schema/scope.ts";
import type { RowOf } from "../../schema/tables.ts";

type RawRows = { [N in RawTable]: RowOf<N>[] };

/**
 * Returns the raw rows of a block that an index with this scope stores before any pruning. Even a table that
 * is not kept has the rows on which results depend.
 */
export function keptRows(rows: RawRows, scope: StoredScope): RawRows {
  return {
    transactions: keptTransactions(rows.transactions, scope),
    logs: isKept(scope, "logs") ? rows.logs : excerptOf.logs(rows.logs),
    erc20: isKept(scope, "erc20") ? rows.erc20 : excerptOf.erc20(rows.erc20),
    erc721: isKept(scope, "erc721") ? rows.erc721 : [],
  };
}

/** Returns the raw rows of a block that remain after pruning. */
export function unprunedRows(block: number, rows: RawRows, scope: StoredScope): RawRows {
  if (block >= scope.rawFrom) return rows;
  const isPruned = (table: RawTable) => block < (completeFrom(scope, table) ?? 0);
  return {
    transactions: isPruned("transactions") ? [] : rows.transactions,
    logs: isPruned("logs") ? excerptOf.logs(rows.logs) : rows.logs,
    erc20: isPruned("erc20") ? excerptOf.erc20(rows.erc20) : rows.erc20,
    erc721: isPruned("erc721") ? [] : rows.erc721,
  };
}

function keptTransactions(rows: RowOf<"transactions">[], scope: StoredScope): RowOf<"transactions">[] {
  if (!isKept(scope, "transactions")) return [];
  if (isKeptColumn(scope, "transactions", "input")) return rows;
  return rows.map((row) => ({ ...row, input: "0x" }));
}

/**
 * Filters for the rows that the `EXCERPTED_TABLES` always have. `excerptCondition()` selects the same rows in
 * SQL.
 */
const excerptOf = {
  logs: (rows: RowOf<"logs">[]) => rows.filter(isSync),
  erc20: airdropRows,
};

function airdropRows(rows: RowOf<"erc20">[]): RowOf<"erc20">[] {
  const recipients = new Map<string, Set<string>>();
  const keyOf = ({ token_address, transaction_hash }: RowOf<"erc20">) => token_address + transaction_hash;
  for (const row of rows) {
    const known = recipients.get(keyOf(row));
    if (known === undefined) recipients.set(keyOf(row), new Set([row.to_address]));
    else known.add(row.to_address);
  }
  return rows.filter((row) => (recipients.get(keyOf(row))?.size ?? 0) >= FAN_OUT_RECIPIENTS);
}
