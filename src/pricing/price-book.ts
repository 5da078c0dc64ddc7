import { type CashKind, type Chain, cashOf } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import { toUnits } from "../lib/units.ts";
import type { Block, Transaction } from "../schema/block.ts";
import { recordIndexOf } from "../schema/record-index.ts";
import type { DecodedEvent, Erc20Transfer, Swap, Token } from "../schema/swap.ts";
import type { RowOf } from "../schema/tables.ts";
import { bounded, quotient } from "./bounded-value.ts";
import { isWorthCounting, type PastTrade } from "./histories/past-trade.ts";
import { type HistoryLimits, TokenHistories } from "./histories/token-histories.ts";
import type { TokenHistory } from "./histories/token-history.ts";
import { type TradeLegs, tradesOf } from "./legs.ts";
import { type ReferenceHistory, ReferencePrice } from "./reference/reference-price.ts";
import { type PricesInForce, tradeValue, unitsOf, type Value } from "./swap-value.ts";
import { type PricedTrade, tradeRow } from "./trade-row.ts";

export {
  HISTORY_ACCEPTED,
  HISTORY_REJECTED,
  HISTORY_TRADES,
  MIN_TRADE_USD,
  type PastTrade,
  WINDOW_SECONDS,
} from "./histories/past-trade.ts";
export type { HistoryLimits } from "./histories/token-histories.ts";
export { REFERENCE_TRADES, type ReferenceHistory } from "./reference/reference-price.ts";
export {
  MIN_PEG_USD,
  PEG_SECONDS,
  PEG_TRADES,
  PEG_TRADES_A_MINUTE,
  type StableTrade,
} from "./reference/stable-pegs.ts";

/** A transaction and what its logs mean, in log order. */
export interface TransactionEvents {
  transaction: Transaction;
  events: readonly DecodedEvent[];
}

/** What a block's swaps, transfers and fees are worth. */
export interface PricedBlock {
  trades: RowOf<"dex_trades">[];
  /** USD value of each ERC-20 transfer, by log index; null while its token has no price. */
  transferUsd: Map<number, number | null>;
  /** USD value of each transaction's fee, by transaction index; null before the first reference price. */
  feeUsd: (number | null)[];
}

const NATIVE_DECIMALS = 18;

interface ValuedTrade {
  legs: TradeLegs;
  value: Value;
}

/** One swap and what stands around it. */
interface SwapPlace {
  block: Block;
  transaction: Transaction;
  swap: Swap;
  tokens: (address: Hex) => Token;
}

/**
 * Prices blocks, one after the other. What it keeps in memory is a cache over committed dex_trades rows: it can be
 * dropped between any two blocks and restored from them, and every later row stays the same bit for bit.
 */
export class PriceBook {
  readonly #cash: Map<Hex, CashKind>;
  readonly #reference: ReferencePrice;
  readonly #histories: TokenHistories;
  #needsReference = true;

  constructor(chain: Chain, limits?: HistoryLimits) {
    this.#cash = cashOf(chain);
    this.#reference = new ReferencePrice(chain);
    this.#histories = new TokenHistories((token) => this.#cash.has(token), limits);
  }

  /** Tokens among `tokens` whose history is not in memory: ask the store, then restore(). */
  missing(tokens: Iterable<Hex>): Hex[] {
    return this.#histories.missing(tokens);
  }

  /**
   * @param history ascending by recordIndex, without duplicates: at least all trades of the 24 h before `asOf`, the
   * last HISTORY_TRADES, the last HISTORY_ACCEPTED accepted and the last HISTORY_REJECTED rejected ones (no
   * robust price, but a tick_1 price, and worth MIN_TRADE_USD or more)
   * @param asOf unix seconds; no later than the next block to be priced
   */
  restore(token: Hex, history: readonly PastTrade[], asOf: number): void {
    this.#histories.restore(token, history, asOf);
  }

  /** True until restoreReference was called, and again after forget(). */
  needsReference(): boolean {
    return this.#needsReference;
  }

  restoreReference(history: ReferenceHistory): void {
    this.#reference.restore(history);
    this.#needsReference = false;
  }

  /**
   * Prices the next block. The history of every token in its swaps and ERC-20 transfers must be in memory.
   *
   * @param transactions all of the block's, in order
   */
  price(
    block: Block,
    transactions: readonly TransactionEvents[],
    tokens: (address: Hex) => Token,
  ): PricedBlock {
    const priced: PricedBlock = { trades: [], transferUsd: new Map(), feeUsd: [] };
    this.#reference.advance(block.timestamp);
    for (const { transaction, events } of transactions) {
      priced.feeUsd[transaction.transactionIndex] = this.#feeUsd(transaction.fee);
      for (const event of events) {
        if (event.kind === "erc20") priced.transferUsd.set(event.logIndex, this.#transferUsd(event, tokens));
        if (event.kind === "swap")
          this.#priceSwap({ block, transaction, swap: event, tokens }, priced.trades);
      }
    }
    return priced;
  }

  /** Drops what the blocks above the given one, which is the newest from then on, have left in memory. */
  rollback(block: { number: number; timestamp: number }): void {
    this.#histories.rollback(block);
    if (this.#reference.newestBlock > block.number) this.#forgetReference();
  }

  /** Drops everything. */
  forget(): void {
    this.#histories.forget();
    this.#forgetReference();
  }

  /**
   * Keeps memory bounded: drops the histories that were longest not asked for. To be called after price() and before the
   * next missing().
   *
   * @param committedBlock newest block whose rows are in the store; without it, all that was priced
   */
  evict(committedBlock = Number.POSITIVE_INFINITY): void {
    this.#histories.evict(committedBlock);
  }

  #forgetReference(): void {
    this.#reference.forget();
    this.#needsReference = true;
  }

  #feeUsd(fee: bigint): number | null {
    return this.#reference.price === null ? null : toUnits(fee, NATIVE_DECIMALS) * this.#reference.price;
  }

  #priceSwap(place: SwapPlace, rows: RowOf<"dex_trades">[]): void {
    const trades = tradesOf(place.swap, this.#cash);
    for (const trade of trades) this.#updateReference(trade, place);
    const prices = this.#pricesAt(place);
    const valued = trades.map((legs) => ({ legs, value: tradeValue(legs, prices) }));
    for (const trade of valued) rows.push(this.#record(trade, place, rows.length));
  }

  /** A reference pool's swap counts for the reference price that values it; one of stable coins for what they are worth. */
  #updateReference({ traded, quote }: TradeLegs, { block, transaction, swap, tokens }: SwapPlace): void {
    if (this.#cash.get(quote.token) !== "stable") return;
    const amountUsd = unitsOf(quote, tokens);
    const trade = {
      token: traded.token,
      quote: quote.token,
      pool: swap.pool.address,
      trader: transaction.from,
      priceTick1: quotient(amountUsd, unitsOf(traded, tokens)),
      amountUsd,
      timestamp: block.timestamp,
      blockNumber: block.number,
    };
    const kind = this.#cash.get(traded.token);
    if (kind === "native") this.#reference.record(traded.token, trade);
    if (kind === "stable") this.#reference.recordStable(trade);
  }

  #pricesAt({ block, tokens }: SwapPlace): PricesInForce {
    const historyOf = (token: Hex) => this.#histories.get(token);
    return { cash: this.#cash, reference: this.#reference.price, historyOf, tokens, now: block.timestamp };
  }

  #record({ legs, value }: ValuedTrade, place: SwapPlace, ordinal: number): RowOf<"dex_trades"> {
    const { block, transaction, swap, tokens } = place;
    const { traded, quote, side } = legs;
    const history = this.#histories.get(traded.token);
    const amountToken = unitsOf(traded, tokens);
    const trade: PricedTrade = {
      recordIndex: recordIndexOf(block.number, ordinal),
      blockNumber: block.number,
      timestamp: block.timestamp,
      pool: swap.pool.address,
      trader: transaction.from,
      token: traded.token,
      quote: quote.token,
      side,
      amountToken,
      amountQuote: unitsOf(quote, tokens),
      amountUsd: value.usd,
      priceTick1: quotient(value.usd, amountToken),
      accepted: false,
      reference: this.#reference.price,
    };
    const forCash = this.#cash.has(trade.quote);
    trade.accepted = value.byOwnPrice ? isWorthCounting(trade) : this.#isAccepted(trade, history);
    history.record(trade, forCash);
    return tradeRow(trade, {
      block,
      transaction,
      swap,
      token: tokens(traded.token),
      windows: history.windows,
    });
  }

  /** A coin that lost its peg is counted for more than it is worth: it makes no price where other cash does. */
  #isAccepted(trade: PricedTrade, history: TokenHistory): boolean {
    const isFallen = (coin: Hex) => this.#reference.isFallen(coin);
    if (isFallen(trade.quote) && history.hasPriceWithout(isFallen, trade.timestamp)) return false;
    return history.accepts(trade, this.#cash.has(trade.quote));
  }

  /** A transfer's value at the robust price in force; before the first, cash is worth what it counts for in swaps. */
  #transferUsd({ token, value }: Erc20Transfer, tokens: (address: Hex) => Token): number | null {
    const { decimals } = tokens(token);
    const price = this.#histories.get(token).robustPrice ?? this.#cashPrice(token);
    if (decimals === null || price === null) return null;
    return value === 0n ? 0 : bounded(toUnits(value, decimals) * price);
  }

  #cashPrice(token: Hex): number | null {
    const kind = this.#cash.get(token);
    if (kind === undefined) return null;
    return kind === "stable" ? 1 : this.#reference.price;
  }
}
