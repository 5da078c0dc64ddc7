import type { Chain } from "../../../src/chains/chain.ts";
import { tradeRows } from "../../../src/ingest/rows/trade-rows.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { mayLackVotes } from "../../../src/pricing/histories/token-history.ts";
import { PriceBook, type TransactionEvents } from "../../../src/pricing/price-book.ts";
import { MOST_PEG_VOTES, PEG_MINUTES, PEG_SECONDS } from "../../../src/pricing/reference/peg-votes.ts";
import {
  MIN_REFERENCE_USD,
  REFERENCE_TRADES,
  type ReferenceHistory,
} from "../../../src/pricing/reference/reference-price.ts";
import { MIN_PEG_USD } from "../../../src/pricing/reference/stable-pegs.ts";
import { MOST_VOTES } from "../../../src/pricing/robust/votes.ts";
import {
  HISTORY_TRADES,
  MIN_TRADE_USD,
  type PastTrade,
  WINDOW_SECONDS,
} from "../../../src/pricing/trades/past-trade.ts";
import type { Block, Transaction } from "../../../src/schema/block.ts";
import type { DecodedEvent, Pool, Swap, Token } from "../../../src/schema/swap.ts";
import type { RowOf } from "../../../src/schema/tables.ts";

export type TradeRow = RowOf<"dex_trades">;

/** Makes a readable address, hash or pool id: `hex("a", 1)` ends in a0001. */
export function hex(tag: string, number: number, bytes = 20): Hex {
  return `0x${(tag + number.toString(16).padStart(4, "0")).padStart(2 * bytes, "0")}`;
}

export const USDC = hex("c", 1);
export const DAI = hex("c", 2);
export const WETH = hex("c", 3);
/** Tokens with 18 decimals. */
export const [ALPHA, BETA, GAMMA] = [hex("e", 1), hex("e", 2), hex("e", 3)] as const;
/** A token without decimals(). */
export const MUTE = hex("e", 4);

export function tokenAt(address: Hex): Token {
  return { address, symbol: address.slice(-2), name: null, decimals: decimalsOf(address) };
}

function decimalsOf(address: Hex): number | null {
  if (address === MUTE) return null;
  return address === USDC ? 6 : 18;
}

export function pool(number: number, token0: Hex, token1: Hex): Pool {
  return {
    address: hex("b", number),
    family: "uniswap-v2",
    protocol: "uniswap_v2",
    factory: hex("f", 1),
    token0,
    token1,
    tokens: [token0, token1],
    underlying: [],
    fee: 3000,
    hooks: null,
    hookFlags: null,
    createdBlock: null,
    createdTimestamp: null,
  };
}

/** Three reference pools. */
export const REFERENCES = [pool(1, USDC, WETH), pool(2, WETH, DAI), pool(3, USDC, WETH)] as const;
export const ALPHA_USDC = pool(11, ALPHA, USDC);
export const ALPHA_WETH = pool(12, WETH, ALPHA);
export const ALPHA_BETA = pool(13, ALPHA, BETA);
export const BETA_USDC = pool(14, BETA, USDC);
export const GAMMA_BETA = pool(15, GAMMA, BETA);
export const USDC_DAI = pool(16, USDC, DAI);
export const MUTE_USDC = pool(17, MUTE, USDC);

export const CHAIN: Chain = {
  name: "test",
  chainId: 1,
  nativeSymbol: "ETH",
  wrappedNative: WETH,
  stableCoins: [USDC, DAI],
  referencePools: REFERENCES.map(({ address }) => address),
  deployments: [],
  finality: { kind: "tag" },
  blockTimeMs: 12_000,
};

/** Converts an amount of tokens to base units. Keeps nine decimal places. */
export function base(token: Hex, amount: number): bigint {
  const decimals = tokenAt(token).decimals ?? 18;
  return (BigInt(Math.round(amount * 1e9)) * 10n ** BigInt(decimals)) / 10n ** 9n;
}

/** A trader's actions in one transaction. */
export interface Act {
  trader?: number;
  events: DecodedEvent[];
}

/** Makes a swap from amounts in tokens. An amount is positive if it enters the pool. */
export function swap(place: Pool, amount0: number, amount1: number): Swap {
  return rawSwap(place, base(place.token0, amount0), base(place.token1, amount1));
}

export function rawSwap(place: Pool, amount0: bigint, amount1: bigint): Swap {
  const { token0, token1 } = place;
  return { kind: "swap", logIndex: 0, pool: place, token0, token1, amount0, amount1, amountsUnknown: null };
}

export function transfer(token: Hex, value: bigint): DecodedEvent {
  return { kind: "erc20", logIndex: 0, token, from: hex("a", 1), to: hex("a", 2), value };
}

export interface MarketBlock {
  block: Block;
  transactions: TransactionEvents[];
}

export function block(number: number, timestamp: number, acts: readonly Act[]): MarketBlock {
  let logIndex = 0;
  const transactions = acts.map(({ trader = 1, events }, i) => ({
    transaction: transactionOf(number, i, trader),
    events: events.map((event) => ({ ...event, logIndex: logIndex++ })),
  }));
  const header = {
    number,
    hash: hex("b1", number, 32),
    parentHash: hex("b1", number - 1, 32),
    timestamp,
    miner: hex("d", 1),
    gasLimit: 30_000_000n,
    gasUsed: 0,
    baseFeePerGas: 1n,
    size: 0,
    extraData: "0x",
    proof: "block",
    origin: "rpc",
  } as const;
  return {
    block: { ...header, transactions: transactions.map(({ transaction }) => transaction) },
    transactions,
  };
}

function transactionOf(blockNumber: number, transactionIndex: number, trader: number): Transaction {
  return {
    hash: hex(`d${blockNumber.toString(16)}0`, transactionIndex, 32),
    transactionIndex,
    from: hex("a", trader),
    to: hex("f", 2),
    contractAddress: null,
    value: 0n,
    nonce: 0,
    input: "0x",
    type: 2,
    gasLimit: 1n,
    gasUsed: 1,
    gasPrice: 1n,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    fee: 10n ** 16n,
    status: 1,
    logs: [],
  };
}

/** A price book and the rows it made. When the book reads history, the rows take the place of the store. */
export class Ledger {
  rows: TradeRow[] = [];
  readonly transferUsd: (number | null)[] = [];
  readonly feeUsd: (number | null)[] = [];
  readonly book: PriceBook;
  tokenAt: (address: Hex) => Token = tokenAt;
  #timestamp = 0;

  constructor(book = new PriceBook(CHAIN)) {
    this.book = book;
  }

  /** Prices a block as ingestion does: first restores missing history from the rows. */
  run({ block: header, transactions }: MarketBlock): TradeRow[] {
    const { book, rows } = this;
    if (book.needsReference()) book.restoreReference(referenceHistory(rows, this.#timestamp));
    for (const token of book.missing(tokensOf(transactions))) {
      book.restore(token, tokenHistory(rows, token, this.#timestamp), this.#timestamp);
    }
    const priced = book.price(header, transactions, this.tokenAt);
    const trades = tradeRows(header, priced.trades, this.tokenAt);
    this.rows.push(...trades);
    this.transferUsd.push(...priced.transferUsd.values());
    this.feeUsd.push(...priced.feeUsd);
    this.#timestamp = header.timestamp;
    return trades;
  }

  /** Removes the rows of later blocks, as a reorg does. Keeps the values of transfers and fees. */
  rollbackTo({ number, timestamp }: Block): void {
    this.rows = this.rows.filter((row) => row.block_number <= number);
    this.#timestamp = timestamp;
    this.book.rollbackTo({ number, timestamp });
  }
}

function tokensOf(transactions: readonly TransactionEvents[]): Set<Hex> {
  const events = transactions.flatMap((transaction) => transaction.events);
  return new Set(
    events.flatMap((event) => ("pool" in event ? [event.pool.token0, event.pool.token1] : [event.token])),
  );
}

/** Returns the rows of a token that the store would return: exactly the ones that restore() requests. */
export function tokenHistory(rows: readonly TradeRow[], token: Hex, asOf: number): PastTrade[] {
  const all = rows.filter((row) => row.token_address === token).map(pastTrade);
  const accepted = all.filter((trade) => trade.accepted);
  const rejected = all.filter(
    (trade) => !trade.accepted && trade.priceTick1 !== null && (trade.amountUsd ?? 0) >= MIN_TRADE_USD,
  );
  const wanted = new Set([
    ...all.filter(({ timestamp }) => timestamp > asOf - WINDOW_SECONDS),
    ...all.slice(-HISTORY_TRADES),
    ...accepted.slice(-MOST_VOTES),
    ...rejected.slice(-MOST_VOTES),
  ]);
  const newest = all.filter((trade) => wanted.has(trade));
  if (!mayLackVotes(newest, isCash)) return newest;
  const proving = accepted.filter((trade, i) => isCash(trade.quote) || !hasSamePrice(trade, accepted[i - 1]));
  for (const votes of [firstOfSenders(proving), firstOfSenders(rejected)])
    for (const vote of votes.slice(-MOST_VOTES)) wanted.add(vote);
  return all.filter((trade) => wanted.has(trade));
}

const isCash = (token: Hex) => [USDC, DAI, WETH].includes(token);

function hasSamePrice({ priceTick1: price }: PastTrade, before: PastTrade | undefined): boolean {
  return before !== undefined && Math.abs((price ?? 0) / (before.priceTick1 ?? 0) - 1) <= 1e-12;
}

/** Returns the first trade of each sender in each block. */
function firstOfSenders(trades: readonly PastTrade[]): PastTrade[] {
  const keyOf = ({ blockNumber, trader }: PastTrade) => `${blockNumber} ${trader}`;
  const keys = trades.map(keyOf);
  return trades.filter((trade, i) => keys.indexOf(keyOf(trade)) === i);
}

function referenceHistory(rows: readonly TradeRow[], asOf: number): ReferenceHistory {
  const priced = rows.filter((row) => row.price_token_usd_tick_1 !== null);
  const counted = priced.filter(({ amount_usd: usd }) => (usd ?? 0) >= MIN_REFERENCE_USD);
  const native = counted.filter((row) => row.token_address === WETH).map(pastTrade);
  const wanted = new Set(
    REFERENCES.flatMap(({ address }) =>
      native.filter((trade) => trade.pool === address).slice(-REFERENCE_TRADES),
    ),
  );
  return { native: native.filter((trade) => wanted.has(trade)), stable: stableHistory(priced, asOf) };
}

/** Returns the history of the only pair of stablecoins: USDC for DAI. */
function stableHistory(priced: readonly TradeRow[], asOf: number): ReferenceHistory["stable"] {
  const minuteOf = (timestamp: number) => Math.floor(timestamp / 60);
  const trades = priced
    .filter((row) => row.token_address === USDC && row.quote_address === DAI)
    .filter((row) => minuteOf(row.timestamp) >= minuteOf(asOf - PEG_SECONDS))
    .filter((row) => (row.amount_usd ?? 0) >= MIN_PEG_USD);
  const keys = trades.map((row) => `${minuteOf(row.timestamp)} ${row.trader_address}`);
  const votes = trades.filter((_, i) => keys.indexOf(keys[i] ?? "") === i);
  const minutes = [...new Set(votes.map((row) => minuteOf(row.timestamp)))].slice(-PEG_MINUTES);
  return votes
    .filter(({ timestamp: at }) => minuteOf(at) >= minuteOf(asOf) - 60 || minutes.includes(minuteOf(at)))
    .slice(-MOST_PEG_VOTES)
    .map((row) => ({ ...pastTrade(row), token: USDC }));
}

function pastTrade(row: TradeRow): PastTrade {
  return {
    recordIndex: row.record_index,
    blockNumber: row.block_number,
    timestamp: row.timestamp,
    pool: row.pool_address,
    trader: row.trader_address,
    quote: row.quote_address,
    side: row.side === "buy" ? "buy" : "sell",
    amountToken: row.amount_token,
    amountUsd: row.amount_usd,
    priceTick1: row.price_token_usd_tick_1,
    accepted: row.price_token_usd_robust_tick_1 !== null,
  };
}
