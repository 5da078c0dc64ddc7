import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { hashOf, hexOf, type Trade } from "../../src/reads/support/market.ts";
import type { Deliverer } from "../../src/webhooks/delivery/deliverer.ts";
import { Random } from "../serving/random.ts";
import type { Received } from "./support/receiver.ts";
import { AT, FIRST, OTHER, TOKEN, until, WebhookMarket } from "./support/webhook-market.ts";

const STEPS = 40;
const LEVEL = 100;
const UNWATCHED = hexOf(11);

let market: WebhookMarket;

beforeAll(async () => {
  market = await WebhookMarket.open();
});
afterAll(() => market?.close());
beforeEach(() => market.begin());
afterEach(() => market.end());

interface Watch {
  id: string;
  token_address: Trade["token"];
  price_type: "price_token_usd_robust_tick_1" | "price_token_usd_tick_1";
  direction: "up" | "down" | "both";
}

const WATCHES: readonly Watch[] = [
  { id: "both", token_address: TOKEN, price_type: "price_token_usd_robust_tick_1", direction: "both" },
  { id: "up", token_address: OTHER, price_type: "price_token_usd_tick_1", direction: "up" },
  { id: "down", token_address: OTHER, price_type: "price_token_usd_robust_tick_1", direction: "down" },
];

interface Block {
  trades: readonly Trade[];
  fork: number;
}

const FIRST_TRADES = [TOKEN, OTHER].map((token) => ({ token, at: AT, price: 2 }));

/** The blocks on the chain of all tests. */
const chain = new Map<number, Block>([[FIRST, { trades: FIRST_TRADES, fork: 0 }]]);

/** Extends and forks the chain at random. */
class RandomForks {
  readonly #random: Random;
  /** All blocks up to this one were on the chain when the webhook began, and have stayed on it. */
  oldest = Number.POSITIVE_INFINITY;
  /** The highest block of all forks. */
  #highest = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  async extend(): Promise<void> {
    const trades = Array.from({ length: 1 + this.#random.below(3) }, () => this.#trade());
    chain.set(market.next, { trades, fork: market.fork });
    await market.commit(trades);
    this.#highest = Math.max(this.#highest, market.next - 1);
  }

  /**
   * Extends the chain to a block number that no fork has had. Once this block is delivered, everything is
   * delivered.
   */
  async finish(): Promise<void> {
    const end = this.#highest + 1;
    while (market.next <= end) await this.extend();
  }

  #trade(): Trade {
    const price = () => this.#random.pick([90, 99, LEVEL, 101, 110, null]);
    const token = this.#random.pick([TOKEN, OTHER, UNWATCHED]);
    return { ...market.trade(1), token, usd: 10, amount: 1, price: price(), robust: price() };
  }

  async rollBack(): Promise<void> {
    const number = Math.max(FIRST + 1, market.next - 2 - this.#random.below(4));
    const known = chain.get(number);
    if (known === undefined || number >= market.next - 1) return;
    const timestamp = AT + 12 * (number - FIRST);
    await market.store.rollback({ number, hash: hashOf(number, known.fork), timestamp });
    for (const block of chain.keys()) if (block > number) chain.delete(block);
    market.next = number + 1;
    market.fork++;
    this.oldest = Math.min(this.oldest, number);
  }

  /** Returns the crossings that a receiver must have at the end. */
  crossings(): Crossings {
    const found: Crossings = new Map();
    for (const watch of WATCHES) {
      let before: boolean | null = null;
      for (const [block, { trades }] of [...chain].sort(([a], [b]) => a - b)) {
        const prices = trades.flatMap((trade) => priceOf(trade, watch) ?? []);
        const isAbove: boolean | null = prices.length === 0 ? before : Number(prices.at(-1)) >= LEVEL;
        const direction = isAbove ? "up" : "down";
        const isWanted = watch.direction === "both" || watch.direction === direction;
        if (before !== null && isAbove !== before && isWanted && block > this.oldest)
          found.set(block, { ...found.get(block), [watch.id]: [direction, prices.at(-1)] });
        before = isAbove;
      }
    }
    return found;
  }
}

/** The direction and the price of each crossing, by block and rule. */
type Crossings = Map<number, Record<string, unknown>>;

function priceOf({ token, price, robust = price }: Trade, watch: Watch): number | null | undefined {
  if (token !== watch.token_address) return null;
  return watch.price_type === "price_token_usd_tick_1" ? price : robust;
}

/** Returns the crossings that a receiver has if it follows docs/webhooks.md. */
function received(requests: readonly Received[]): Crossings {
  const kept: Crossings = new Map();
  for (const { body } of requests) {
    const block = Number(body.block);
    if (body.event === "rollback") for (const known of kept.keys()) if (known > block) kept.delete(known);
    if (body.event !== "block") continue;
    const data = Object.entries(body.data).map(([rule, [crossing]]) => {
      return [rule, [crossing?.direction, crossing?.price]];
    });
    kept.set(block, Object.fromEntries(data));
  }
  return kept;
}

const sorted = (crossings: Crossings) => [...crossings].sort(([a], [b]) => a - b);

/** Resolves when a process has delivered a block with the number of the newest block. */
async function delivered(deliverer: Deliverer): Promise<void> {
  await until(async () => {
    if (market.clock.pending > 0) await market.clock.advance(1_000);
    return deliverer.runners[0]?.block === market.next - 1;
  });
}

it.each([1, 2, 3])(
  "a receiver knows exactly the crossings of the chain, after reorgs and restarts (%i)",
  async (seed) => {
    const random = new Random(seed);
    const forks = new RandomForks(random);
    for (let i = 0; i < 3; i++) await forks.extend();
    const rules = WATCHES.map((watch) => ({ ...watch, type: "price_crosses", level: LEVEL }));
    let { deliverer } = await market.start(rules);
    forks.oldest = market.next - 1;
    for (let step = 0; step < STEPS; step++) {
      const chance = random.below(10);
      if (chance < 2) await forks.rollBack();
      else await forks.extend();
      if (chance === 9) await delivered(deliverer);
      if (chance !== 8) continue;
      await deliverer.close();
      for (let i = random.below(4); i > 0; i--)
        await (random.below(2) === 0 ? forks.extend() : forks.rollBack());
      deliverer = await market.deliver();
    }
    await forks.finish();
    await delivered(deliverer);
    expect(sorted(received(market.receiver.requests))).toEqual(sorted(forks.crossings()));
  },
  240_000,
);
