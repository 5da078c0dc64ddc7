import { type CashKind, type Chain, cashOf, NATIVE_DECIMALS, numberingOf } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import { toUnits } from "../lib/units.ts";
import type { Block, Transaction } from "../schema/block.ts";
import { type RecordNumbering, recordIndexOf } from "../schema/record-index.ts";
import type { DecodedEvent, Erc20Transfer, Swap, Token } from "../schema/swap.ts";
import { type HistoryLimits, TokenHistories } from "./histories/token-histories.ts";
import type { TokenHistory } from "./histories/token-history.ts";
import type { WindowFigures } from "./histories/windows.ts";
import { bounded, quotient } from "./math/bounded-value.ts";
import { type ReferenceHistory, ReferencePrice } from "./reference/reference-price.ts";
import { type PricesInForce, tradeValue, unitsOf, type Value } from "./swap-value.ts";
import { type TradeLegs, tradesOf } from "./trades/legs.ts";
import { isWorthCounting, type PastTrade } from "./trades/past-trade.ts";

/** A transaction and its decoded events, in log order. */
export interface TransactionEvents {
  transaction: Transaction;
  events: readonly DecodedEvent[];
}

/** A trade with its value and verdict, the reference price in force, and its token's windows. */
export interface PricedTrade {
  trade: PastTrade;
  transaction: Transaction;
  swap: Swap;
  token: Hex;
  amountQuote: number | null;
  /** The reference price in force, USD per native coin. */
  reference: number | null;
  /** The token's windows, this trade included. */
  windows: WindowFigures;
}

/** USD values of a block's swaps, transfers and fees. */
export interface PricedBlock {
  trades: PricedTrade[];
  /** USD value of each ERC-20 transfer, by log index; null while its token has no price. */
  transferUsd: Map<number, number | null>;
  /** USD value of each transaction's fee, by transaction index; null without a reference price. */
  feeUsd: (number | null)[];
}

interface ValuedTrade {
  legs: TradeLegs;
  value: Value;
}

/** A swap in its transaction and block. */
interface ChainSwap {
  block: Block;
  transaction: Transaction;
  swap: Swap;
  tokenAt: (address: Hex) => Token;
}

/**
 * Prices blocks, one after another. It keeps nothing in memory but a cache over committed dex_trades rows.
 * The cache can be dropped between any two blocks and restored from the rows, and every later trade stays the
 * same, bit for bit.
 */
export class PriceBook {
  readonly #cash: Map<Hex, CashKind>;
  readonly #reference: ReferencePrice;
  readonly #histories: TokenHistories;
  readonly #numbering: RecordNumbering;
  #needsReference = true;

  constructor(chain: Chain, limits?: HistoryLimits) {
    this.#cash = cashOf(chain);
    this.#reference = new ReferencePrice(chain);
    this.#numbering = numberingOf(chain);
    this.#histories = new TokenHistories((token) => this.#cash.has(token), limits);
  }

  /**
   * Returns the tokens whose history is not in memory and must be restored from the store. Marks the
   * histories of the other tokens as used now.
   */
  missing(tokens: Iterable<Hex>): Hex[] {
    return this.#histories.missing(tokens);
  }

  /**
   * @param history ascending by recordIndex, without duplicates. It has at least all trades of the 24 h
   * before `asOf`, the last HISTORY_TRADES trades, and the last MOST_VOTES accepted and the last MOST_VOTES
   * rejected ones. Rejected trades here are those worth MIN_TRADE_USD or more that have a tick_1 price but no
   * robust price. If mayLackVotes() returns true for these, the history also has, for each verdict, the last
   * MOST_VOTES trades that `Votes` keeps.
   * @param asOf unix seconds; no later than the next block to price
   */
  restore(token: Hex, history: readonly PastTrade[], asOf: number): void {
    this.#histories.restore(token, history, asOf);
  }

  /**
   * Returns true until restoreReference() is called, and again once clear() or rollbackTo() drops the
   * reference price.
   */
  needsReference(): boolean {
    return this.#needsReference;
  }

  restoreReference(history: ReferenceHistory): void {
    this.#reference.restore(history);
    this.#needsReference = false;
  }

  /**
   * Prices the next block and adds its trades to the histories. The history of every token in its swaps and
   * ERC-20 transfers must be in memory.
   *
   * @param transactions all transactions of the block, in order
   */
  price(
    block: Block,
    transactions: readonly TransactionEvents[],
    tokenAt: (address: Hex) => Token,
  ): PricedBlock {
    const priced: PricedBlock = { trades: [], transferUsd: new Map(), feeUsd: [] };
    this.#reference.advance(block.timestamp);
    for (const { transaction, events } of transactions) {
      priced.feeUsd[transaction.transactionIndex] = this.#feeUsd(transaction.fee);
      for (const event of events) {
        if (event.kind === "erc20") priced.transferUsd.set(event.logIndex, this.#transferUsd(event, tokenAt));
        if (event.kind === "swap")
          this.#priceSwap({ block, transaction, swap: event, tokenAt }, priced.trades);
      }
    }
    return priced;
  }

  /**
   * Drops the histories and the reference price if they depend on blocks above the given one, which is now
   * the newest.
   */
  rollbackTo(block: { number: number; timestamp: number }): void {
    this.#histories.rollbackTo(block);
    if (this.#reference.newestBlock > block.number) this.#clearReference();
  }

  /** Drops everything. */
  clear(): void {
    this.#histories.clear();
    this.#clearReference();
  }

  /**
   * Keeps memory within its limits: drops the least recently used histories. Must be called after price() and
   * before the next missing().
   *
   * @param committedBlock newest block whose rows are in the store; default: the newest priced block
   */
  evict(committedBlock = Number.POSITIVE_INFINITY): void {
    this.#histories.evict(committedBlock);
  }

  #clearReference(): void {
    this.#reference.clear();
    this.#needsReference = true;
  }

  #feeUsd(fee: bigint): number | null {
    return this.#reference.price === null ? null : toUnits(fee, NATIVE_DECIMALS) * this.#reference.price;
  }

  #priceSwap(chainSwap: ChainSwap, priced: PricedTrade[]): void {
    const trades = tradesOf(chainSwap.swap, this.#cash);
    for (const trade of trades) this.#updateReference(trade, chainSwap);
    const prices = this.#pricesAt(chainSwap);
    const valued = trades.map((legs) => ({ legs, value: tradeValue(legs, prices) }));
    for (const trade of valued) priced.push(this.#record(trade, chainSwap, priced.length));
  }

  /**
   * Updates the reference price and the pegs of stablecoins. A swap in a reference pool counts towards the
   * reference price at which it is itself valued. A swap of two stablecoins counts towards their pegs.
   */
  #updateReference({ traded, quote }: TradeLegs, { block, transaction, swap, tokenAt }: ChainSwap): void {
    if (this.#cash.get(quote.token) !== "stable") return;
    const amountUsd = unitsOf(quote, tokenAt);
    const trade = {
      token: traded.token,
      quote: quote.token,
      pool: swap.pool.address,
      trader: transaction.from,
      priceTick1: quotient(amountUsd, unitsOf(traded, tokenAt)),
      amountUsd,
      timestamp: block.timestamp,
      blockNumber: block.number,
    };
    const kind = this.#cash.get(traded.token);
    if (kind === "native") this.#reference.record(traded.token, trade);
    if (kind === "stable") this.#reference.recordStable(trade);
  }

  #pricesAt({ block, tokenAt }: ChainSwap): PricesInForce {
    const historyOf = (token: Hex) => this.#histories.get(token);
    return { cash: this.#cash, reference: this.#reference.price, historyOf, tokenAt, now: block.timestamp };
  }

  /** @param ordinal index of the trade among the block's trades */
  #record({ legs, value }: ValuedTrade, chainSwap: ChainSwap, ordinal: number): PricedTrade {
    const { block, transaction, swap, tokenAt } = chainSwap;
    const { traded, quote, side } = legs;
    const history = this.#histories.get(traded.token);
    const amountToken = unitsOf(traded, tokenAt);
    const trade: PastTrade = {
      recordIndex: recordIndexOf(this.#numbering, block.number, ordinal),
      blockNumber: block.number,
      timestamp: block.timestamp,
      pool: swap.pool.address,
      trader: transaction.from,
      quote: quote.token,
      side,
      amountToken,
      amountUsd: value.usd,
      priceTick1: quotient(value.usd, amountToken),
      accepted: false,
    };
    trade.accepted = value.byOwnPrice ? isWorthCounting(trade) : this.#isAccepted(trade, history);
    history.record(trade, this.#cash.has(trade.quote));
    return {
      trade,
      transaction,
      swap,
      token: traded.token,
      amountQuote: unitsOf(quote, tokenAt),
      reference: this.#reference.price,
      windows: history.windows.figures(),
    };
  }

  /**
   * Returns whether the trade's price is accepted. A stablecoin that lost its peg is still valued at 1 USD,
   * so it sets no price for a token that got a price from other cash within the last day.
   */
  #isAccepted(trade: PastTrade, history: TokenHistory): boolean {
    const isFallen = (coin: Hex) => this.#reference.isFallen(coin);
    if (isFallen(trade.quote) && history.hasPriceWithout(isFallen, trade.timestamp)) return false;
    return history.accepts(trade, this.#cash.has(trade.quote));
  }

  /**
   * Returns the value of a transfer at the robust price in force. Before the first one, cash has the value
   * that it has in swaps.
   */
  #transferUsd({ token, value }: Erc20Transfer, tokenAt: (address: Hex) => Token): number | null {
    const { decimals } = tokenAt(token);
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
