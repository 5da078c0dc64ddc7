import type { DecodedBlock } from "../../decode/blocks/decode-block.ts";
import type { Hex } from "../../lib/hex.ts";
import type { PricedBlock } from "../../pricing/price-book.ts";
import type { RecordNumbering } from "../../schema/record-index.ts";
import type { StoredScope } from "../../schema/scope.ts";
import type { Token } from "../../schema/swap.ts";
import { type Rows, TABLE_NAMES, type TableName } from "../../schema/tables.ts";
import type { RecordedBlock } from "../caches/record-block.ts";
import { balanceRows } from "./balance-rows.ts";
import { keptRows, unprunedRows } from "./kept-rows.ts";
import { poolRows, tokenRows } from "./metadata-rows.ts";
import { blockRow, logRows, singletonLogRows, transactionRows } from "./raw-rows.ts";
import { tradeRows } from "./trade-rows.ts";
import { transferRows } from "./transfer-rows.ts";

interface RowOptions {
  tokenAt: (address: Hex) => Token;
  scope: StoredScope;
  numbering: RecordNumbering;
  /** Singletons for `logged_singletons`. */
  singletons: readonly Hex[];
}

/**
 * Makes the stored rows of one block, for every table. The row counts in the block's row exclude the rows
 * that `keep` omits and do not change when rows are pruned later, but the transaction count includes all
 * transactions of the block.
 */
export function rowsOfBlock(
  decoded: DecodedBlock,
  priced: PricedBlock,
  recorded: RecordedBlock,
  { tokenAt, scope, numbering, singletons }: RowOptions,
): Rows {
  const { block } = decoded;
  const raw = keptRows(
    {
      transactions: transactionRows(
        numbering,
        block,
        block.transactions.map(({ transactionIndex }) => priced.feeUsd[transactionIndex] ?? null),
      ),
      logs: logRows(numbering, block),
      ...transferRows(numbering, decoded, priced.transferUsd, tokenAt),
    },
    scope,
  );
  const trades = tradeRows(block, priced.trades, tokenAt);
  const singletonLogs = singletonLogRows(numbering, block, decoded.singletonLogs);
  const counts = {
    log_count: raw.logs.length,
    singleton_log_count: singletonLogs.length,
    erc20_count: raw.erc20.length,
    erc721_count: raw.erc721.length,
    trade_count: trades.length,
    pool_count: recorded.newPools.length,
    token_count: recorded.newTokens.length,
    balance_count: recorded.changedBalances.length,
  };
  return {
    blocks: [blockRow(numbering, block, { ...counts, logged_singletons: singletons.join(",") })],
    ...unprunedRows(block.number, raw, scope),
    singleton_logs: singletonLogs,
    dex_trades: trades,
    wallet_trades: trades,
    pool_metadata: poolRows(numbering, block.number, recorded.newPools),
    token_metadata: tokenRows(numbering, block.number, recorded.newTokens),
    token_balances: balanceRows(numbering, block, recorded.changedBalances, tokenAt),
  };
}

/** Merges the rows of several blocks, table by table. */
export function mergeRows(parts: readonly Rows[]): Rows {
  return Object.fromEntries(
    TABLE_NAMES.map((table) => [table, parts.flatMap((rows) => rowsOfTable(rows, table))]),
  );
}

function rowsOfTable(rows: Rows, table: TableName): object[] {
  return rows[table] ?? [];
}
