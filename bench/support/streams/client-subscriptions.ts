import { randomNumbers } from "../serving/random.ts";
import type { StreamKeys } from "./stream-keys.ts";

type Subscription = Record<string, unknown>;

/** Kinds of subscriptions that the clients of a run can have. */
export const MIXES = ["realistic", "unmatched"] as const;

export type Mix = (typeof MIXES)[number];

/**
 * Subscriptions to every trade, ERC-20 transfer and block. They fill the client's buffer after a few blocks.
 */
export const EVERYTHING: Subscription[] = [{ type: "trades" }, { type: "transfers" }, { type: "blocks" }];

/** Addresses that are in no row. */
const NOWHERE = Array.from({ length: 1000 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, "dead")}`);

/** Chooses subscriptions like those of dashboards, bots and wallets. Many of them have busy keys. */
export class SubscriptionMix {
  readonly #keys: StreamKeys;
  readonly #random: () => number;

  constructor(keys: StreamKeys, mix: Mix, seed = 1) {
    this.#keys =
      mix === "realistic" ? keys : { tokens: NOWHERE, pools: NOWHERE, traders: NOWHERE, wallets: NOWHERE };
    this.#random = randomNumbers(seed);
  }

  /** Returns the subscriptions of one client. There are none to blocks, because every block would match. */
  ofClient(count: number): Subscription[] {
    const kinds: (() => Subscription)[] = [
      () => ({ type: "trades", token_address: [this.#one("tokens")] }),
      () => ({ type: "candles", token_address: this.#one("tokens"), interval: "1m" }),
      () => ({ type: "prices", token_address: this.#some("tokens", 20) }),
      () => ({ type: "transfers", wallet_address: this.#some("wallets", 5) }),
      () => ({ type: "trades", pool_address: [this.#one("pools")] }),
      () => ({ type: "pool_state", pool_address: this.#some("pools", 2) }),
      () => ({ type: "trades", trader_address: this.#some("traders", 5) }),
      () => ({ type: "candles", token_address: this.#one("tokens"), interval: "1h" }),
      () => ({ type: "trades", token_address: this.#some("tokens", 5), min_usd: 10_000 }),
      () => ({ type: "transfers", token_address: [this.#one("tokens")], min_usd: 50_000 }),
    ];
    return Array.from({ length: count }, (_, i) => ({ id: `s${i}`, ...kinds[i % kinds.length]?.() }));
  }

  /** Returns a random key. The key of rank n has a probability in proportion to 1/n. */
  #one(kind: keyof StreamKeys): string {
    const keys = this.#keys[kind];
    return keys[Math.floor((keys.length + 1) ** this.#random()) - 1] ?? "";
  }

  #some(kind: keyof StreamKeys, most: number): string[] {
    return [...new Set(Array.from({ length: most }, () => this.#one(kind)))];
  }
}
