import { HISTORY_ACCEPTED, HISTORY_REJECTED, isWorthCounting, type PastTrade } from "./past-trade.ts";
import { isAccepted, type Level, levelOf, type Observation, withoutRepeats } from "./robust-price.ts";
import { TokenWindows } from "./windows.ts";

/** All that the next trade of one token depends on: a pure function of its past trades. */
export class TokenHistory {
  readonly windows = new TokenWindows();
  readonly #accepted: Observation[] = [];
  readonly #rejected: Observation[] = [];
  #level: Level | null = null;
  #levelBlock = -1;
  #newestBlock = -1;

  /** USD per token in force: the latest accepted trade's; null before the first. */
  get robustPrice(): number | null {
    return this.#accepted.at(-1)?.price ?? null;
  }

  /** Record index of the latest accepted trade; -1 before the first. */
  get robustIndex(): number {
    return this.#accepted.at(-1)?.recordIndex ?? -1;
  }

  /** Block of the newest trade; -1 before the first. */
  get newestBlock(): number {
    return this.#newestBlock;
  }

  /** Whether the robust rule believes the price of a trade that is not recorded yet. */
  accepts(trade: PastTrade): boolean {
    const observation = observationOf(trade);
    if (observation === null || !isWorthCounting(trade)) return false;
    return isAccepted(observation, {
      level: this.#levelFor(trade.blockNumber),
      recent: () => this.#recent(),
    });
  }

  /** Trades come in chain order, each with its verdict. */
  record(trade: PastTrade, forCash: boolean): void {
    const { timestamp, amountUsd: usd, amountToken, priceTick1, accepted, side } = trade;
    const token = priceTick1 === null ? null : amountToken;
    this.windows.push({ timestamp, usd, token, accepted, buy: side === "buy", forCash });
    this.#newestBlock = trade.blockNumber;
    if (accepted) keep(this.#accepted, trade, HISTORY_ACCEPTED);
    else if (isWorthCounting(trade)) keep(this.#rejected, trade, HISTORY_REJECTED);
  }

  /**
   * The level as it was before the block, so that no block can bend the level that its own trades are
   * measured by. A token's first block has none before it, and makes it as it goes.
   */
  #levelFor(block: number): Level | null {
    if (block !== this.#levelBlock || this.#firstBlock(block)) this.#level = levelOf(this.#accepted);
    this.#levelBlock = block;
    return this.#level;
  }

  #firstBlock(block: number): boolean {
    return (this.#accepted[0]?.blockNumber ?? block) === block && this.#accepted.length < HISTORY_ACCEPTED;
  }

  #recent(): Observation[] {
    return [...withoutRepeats(this.#accepted), ...this.#rejected].sort(
      (a, b) => a.recordIndex - b.recordIndex,
    );
  }
}

function observationOf(trade: PastTrade): Observation | null {
  const { priceTick1: price, amountUsd: usd } = trade;
  if (price === null || usd === null) return null;
  const { recordIndex, blockNumber, timestamp, transactionHash, trader } = trade;
  return { recordIndex, blockNumber, timestamp, transactionHash, trader, price, usd };
}

function keep(list: Observation[], trade: PastTrade, most: number): void {
  const observation = observationOf(trade);
  if (observation === null) return;
  list.push(observation);
  if (list.length > most) list.shift();
}
