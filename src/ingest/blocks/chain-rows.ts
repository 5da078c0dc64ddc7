import type { Chain } from "../../chains/chain.ts";
import type { DecodedTransaction } from "../../decode/decode-block.ts";
import { blockRow, logRows, singletonLogRows, transactionRows } from "../../decode/raw-rows.ts";
import { toUnits } from "../../lib/units.ts";
import type { PricedBlock } from "../../pricing/price-book.ts";
import type { Block, Transaction } from "../../schema/block.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import type { DecodedEvent, Erc20Transfer, Erc721Transfer, Pool } from "../../schema/swap.ts";
import { type RowOf, type Rows, TABLE_NAMES, type TableName } from "../../schema/tables.ts";
import type { BalanceBook } from "../caches/balance-cache.ts";
import { type PoolBook, poolRow } from "../caches/pool-cache.ts";
import { type TokenBook, tokenRow } from "../caches/token-cache.ts";

/** A block with all that was found out about it. */
export interface FinishedBlock {
  block: Block;
  decoded: DecodedTransaction[];
  priced: PricedBlock;
}

interface Books {
  chain: Chain;
  pools: PoolBook;
  tokens: TokenBook;
  balances: BalanceBook;
  /** True when the chain is indexed from its start, so that no transfer is missing. */
  isWholeChain: boolean;
}

/** The rows of one block, in every table that it touches. Marks its pools and tokens as seen, and moves balances. */
export function rowsOf(finished: FinishedBlock, books: Books): Rows {
  const { block, decoded, priced } = finished;
  const { erc20, erc721 } = transferRows(finished, books.tokens);
  const { pool_metadata, token_metadata } = firstSeenRows(block, decoded, books);
  const token_balances = balanceRows(finished, books);
  const logs = logRows(block);
  const singleton_logs = singletonLogRows(logs, books.chain);
  const counts = {
    singleton_log_count: singleton_logs.length,
    erc20_count: erc20.length,
    erc721_count: erc721.length,
    trade_count: priced.trades.length,
    pool_count: pool_metadata.length,
    token_count: token_metadata.length,
    balance_count: token_balances.length,
  };
  return {
    blocks: [blockRow(block, counts)],
    transactions: transactionRows(
      block,
      block.transactions.map(({ transactionIndex }) => priced.feeUsd[transactionIndex] ?? null),
    ),
    logs,
    singleton_logs,
    erc20,
    erc721,
    dex_trades: priced.trades,
    wallet_trades: priced.trades,
    pool_metadata,
    token_metadata,
    token_balances,
  };
}

/** Without the start of the chain, those holdings are known whose token or pool was created while indexing. */
function balanceRows({ block, decoded }: FinishedBlock, books: Books): RowOf<"token_balances">[] {
  const { pools, tokens, balances, isWholeChain } = books;
  return balances.advance(block, decoded, {
    token: (address) => tokens.get(address),
    isWhole: (wallet, token) => isWholeChain || tokens.isBorn(token) || pools.isBornBy(wallet, block.number),
  });
}

function transferRows({ block, decoded, priced }: FinishedBlock, tokens: TokenBook) {
  const erc20: RowOf<"erc20">[] = [];
  const erc721: RowOf<"erc721">[] = [];
  for (const { transaction, events } of decoded) {
    for (const event of events) {
      if (event.kind === "erc20") {
        const shared = transferColumns(block, transaction, { event, tokens, ordinal: erc20.length });
        const { decimals } = tokens.get(event.token);
        const valueToken = decimals === null ? null : toUnits(event.value, decimals);
        const valueUsd = priced.transferUsd.get(event.logIndex) ?? null;
        erc20.push({ ...shared, value_base: event.value, value_token: valueToken, value_usd: valueUsd });
      } else if (event.kind === "erc721") {
        const shared = transferColumns(block, transaction, { event, tokens, ordinal: erc721.length });
        erc721.push({ ...shared, token_id: event.tokenId });
      }
    }
  }
  return { erc20, erc721 };
}

interface Moved {
  event: Erc20Transfer | Erc721Transfer;
  tokens: TokenBook;
  /** Number among the block's transfers of this kind. */
  ordinal: number;
}

function transferColumns(block: Block, transaction: Transaction, { event, tokens, ordinal }: Moved) {
  const token = tokens.get(event.token);
  return {
    record_index: recordIndexOf(block.number, ordinal),
    transaction_hash: transaction.hash,
    transaction_index: transaction.transactionIndex,
    block_number: block.number,
    timestamp: block.timestamp,
    from_address: event.from,
    to_address: event.to,
    token_address: event.token,
    token_symbol: token.symbol,
    token_name: token.name,
    log_index: event.logIndex,
  };
}

function firstSeenRows(block: Block, decoded: DecodedTransaction[], { pools, tokens }: Books) {
  const poolRows: RowOf<"pool_metadata">[] = [];
  const tokenRows: RowOf<"token_metadata">[] = [];
  const created = createdContracts(block);
  for (const event of decoded.flatMap(({ events }) => events)) {
    const pool = poolOf(event);
    if (pool !== null && pools.isNew(pool)) {
      poolRows.push(poolRow(pool, block.number, recordIndexOf(block.number, poolRows.length)));
    }
    for (const address of tokensOf(event)) {
      if (!tokens.isNew(address)) continue;
      const isBorn = created.has(address) || pools.isBornBy(address, block.number);
      if (isBorn) tokens.bear(address);
      const recordIndex = recordIndexOf(block.number, tokenRows.length);
      tokenRows.push(tokenRow(tokens.get(address), { block: block.number, recordIndex, isBorn }));
    }
  }
  return { pool_metadata: poolRows, token_metadata: tokenRows };
}

/** Contracts that the block's transactions themselves created: one created by a contract may have been there before. */
function createdContracts({ transactions }: Block): Set<string | null> {
  return new Set(
    transactions.filter(({ status }) => status !== 0).map(({ contractAddress }) => contractAddress),
  );
}

function poolOf(event: DecodedEvent): Pool | null {
  return "pool" in event ? event.pool : null;
}

/** The tokens that an event is about. */
export function tokensOf(event: DecodedEvent): readonly `0x${string}`[] {
  return "pool" in event ? [event.pool.token0, event.pool.token1] : [event.token];
}

/** The rows of several blocks as one. */
export function mergeRows(parts: readonly Rows[]): Rows {
  return Object.fromEntries(
    TABLE_NAMES.map((table) => [table, parts.flatMap((rows) => rowsOfTable(rows, table))]),
  );
}

function rowsOfTable(rows: Rows, table: TableName): object[] {
  return rows[table] ?? [];
}
