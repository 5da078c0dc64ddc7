import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import type { Chain } from "../../chains/chain.ts";
import { balancerEthereum } from "../../chains/deployments/balancer.ts";
import { EKUBO_ETHEREUM, PANCAKE_INFINITY_BASE } from "../../chains/deployments/singletons.ts";
import type { Hex } from "../../lib/hex.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import type { RowOf, Rows } from "../../schema/tables.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../storage/engines/embedded-engine.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import type { Reader } from "../snapshot/snapshot.ts";
import { tokenRow } from "./metadata-rows.ts";

/** The facts of a trade that tests set; the other columns are derived. */
export interface Trade {
  token: Hex;
  /** Unix seconds. */
  at: number;
  price: number | null;
  /** Default: `price`. */
  robust?: number | null;
  usd?: number | null;
  pool?: Hex;
  priceEth?: number | null;
  trader?: Hex;
  protocol?: string;
  side?: "buy" | "sell";
  /** Log index of its swap; default: its index in the block. */
  logIndex?: number;
  /** Tokens; default: derived from `usd` and `price`. */
  amount?: number | null;
}

/** A chain of trades, with one block for each time that has trades. */
export interface Market extends Reader {
  engine: Engine;
  store: ChainStore;
  close(): Promise<void>;
}

export const hexOf = (number: number, bytes = 20): Hex => `0x${number.toString(16).padStart(2 * bytes, "0")}`;

const FIRST_BLOCK = 1000;
const POOL = hexOf(0xb00);

const INFINITY_BIN = PANCAKE_INFINITY_BASE.filter(({ family }) => family === "pancake-infinity-bin");

export const ETH: Chain = {
  ...BARE_CHAIN,
  name: "eth",
  chainId: 1,
  wrappedNative: hexOf(1),
  // The logs of the Vaults determine the balances of pools only if their factories are listed.
  deployments: [...balancerEthereum, ...EKUBO_ETHEREUM, ...INFINITY_BIN],
};

interface MarketOptions {
  /** Tokens that are first seen in the first block. */
  named?: readonly Hex[];
  /** Whether all but the newest fifth of the trades are in the price summary. */
  summarized?: boolean;
}

const SUMMARIZED_BATCHES = 5;

/** Creates an engine and stores the trades, which must be ordered by time. */
export async function openMarket(
  trades: Trade[],
  { named = [], summarized = false }: MarketOptions = {},
): Promise<Market> {
  const folder = await mkdtemp(join(tmpdir(), "quarry-market-"));
  const engine = await openEmbeddedEngine({ path: folder });
  const store = await openChainStore(engine, ETH.name, summarized ? { checkpointBlocks: 1 } : {});
  const close = async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  };
  const batches = summarized ? inBatches(trades, SUMMARIZED_BATCHES) : [trades];
  let firstBlock = FIRST_BLOCK;
  for (const batch of batches.filter(({ length }) => length > 0)) {
    const { blockNumber } = await commitTrades(store, batch, {
      firstBlock,
      named: firstBlock === FIRST_BLOCK ? named : [],
      finalized: summarized ? Number.MAX_SAFE_INTEGER : null,
    });
    firstBlock = blockNumber + 1;
  }
  return { engine, store, chains: [{ chain: ETH, store }], close };
}

/** Divides the trades into batches. Trades of the same time stay together, because they are in one block. */
function inBatches(trades: Trade[], count: number): Trade[][] {
  const moments = [...new Set(trades.map(({ at }) => at))].sort((a, b) => a - b);
  const size = Math.ceil(moments.length / count);
  return Array.from({ length: count }, (_, i) => {
    const mine = new Set(moments.slice(i * size, (i + 1) * size));
    return trades.filter(({ at }) => mine.has(at));
  });
}

interface TradeBlocks extends Pick<MarketOptions, "named"> {
  firstBlock: number;
  fork?: number;
  finalized?: number | null;
  /** Returns `logged_singletons` of a block; default: none. */
  logged?: (block: number) => string;
  /** Rows of other tables in these blocks. */
  rows?: Rows;
}

/** Appends the trades as blocks starting at `firstBlock`; blocks of another fork have other hashes. */
export async function commitTrades(
  store: ChainStore,
  trades: Trade[],
  { firstBlock, fork = 0, finalized = null, named = [], logged = () => "", rows: others = {} }: TradeBlocks,
): Promise<Commit> {
  const moments = [...new Set(trades.map(({ at }) => at))].sort((a, b) => a - b);
  const blocks = moments.map((at, i) => ({
    ...blockRow(firstBlock + i, at, fork),
    logged_singletons: logged(firstBlock + i),
    trade_count: trades.filter((trade) => trade.at === at).length,
  }));
  const rows = moments.flatMap((at, i) =>
    trades.filter((trade) => trade.at === at).map((trade, n) => tradeRow(trade, firstBlock + i, n)),
  );
  const number = firstBlock + moments.length - 1;
  const timestamp = moments.at(-1) ?? 0;
  const tokens = named.map((token, i) => tokenRow(token, [firstBlock, i]));
  return store.commit({
    firstBlock,
    lastBlock: { number, hash: hashOf(number, fork), timestamp },
    finalized,
    rows: { blocks, dex_trades: rows, wallet_trades: rows, token_metadata: tokens, ...others },
  });
}

export const hashOf = (number: number, fork = 0) => hexOf(number + fork * 2 ** 32, 32);

function blockRow(number: number, timestamp: number, fork: number): RowOf<"blocks"> {
  return {
    timestamp,
    block_number: number,
    block_hash: hashOf(number, fork),
    parent_hash: hashOf(number - 1, fork),
    miner: hexOf(7),
    gas_limit: 30_000_000n,
    gas_used: 21_000,
    base_fee_per_gas: 10n,
    transaction_count: 0,
    size: 600,
    extra_data: "0x",
    record_index: recordIndexOf("wide", number, 0),
    log_count: 0,
    erc20_count: 0,
    erc721_count: 0,
    trade_count: 0,
    pool_count: 0,
    token_count: 0,
    balance_count: 0,
    singleton_log_count: 0,
    proof: "block",
    origin: "rpc",
    logged_singletons: "",
  };
}

export function tradeRow(trade: Trade, blockNumber: number, ordinal: number): RowOf<"dex_trades"> {
  const { price, robust = price, usd = 100 } = trade;
  return {
    timestamp: trade.at,
    amount_eth: usd === null ? null : usd / 2000,
    amount_token: amountOf(trade),
    amount_usd: usd,
    amount_quote: usd,
    amounts_unknown_reason: null,
    block_hash: hashOf(blockNumber),
    block_number: blockNumber,
    interacted_with_address: null,
    log_index: trade.logIndex ?? ordinal,
    num_trades_1h: 1,
    num_trades_24h: 1,
    pool_address: trade.pool ?? POOL,
    price_token_eth: trade.priceEth === undefined ? price && price / 2000 : trade.priceEth,
    price_token_usd_tick_1: price,
    price_token_usd_tick_100: price,
    price_token_usd_wavg_1h: price,
    price_token_usd_wavg_24h: price,
    price_token_usd_robust_tick_1: robust,
    price_token_usd_robust_total_1h: robust,
    price_token_usd_robust_total_24h: robust,
    price_token_usd_robust_buy_1h: robust,
    price_token_usd_robust_buy_24h: robust,
    price_token_usd_robust_sell_1h: null,
    price_token_usd_robust_sell_24h: null,
    price_token_usd_robust_mid_1h: null,
    price_token_usd_robust_mid_24h: null,
    protocol_name: trade.protocol ?? "uniswap_v2",
    quote_address: hexOf(1),
    record_index: recordIndexOf("wide", blockNumber, ordinal),
    side: trade.side ?? "buy",
    token_address: trade.token,
    token_name: `Token ${Number(trade.token)}`,
    token_symbol: `T${Number(trade.token)}`,
    trader_address: trade.trader ?? hexOf(0xabc),
    transaction_hash: hexOf(blockNumber * 1000 + ordinal, 32),
    transaction_index: ordinal,
    volume_1h_usd: 1,
    volume_24h_usd: 1,
  };
}

function amountOf({ amount, price, usd = 100 }: Trade): number | null {
  if (amount !== undefined) return amount;
  return price === null || usd === null ? null : usd / price;
}
