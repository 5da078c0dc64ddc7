import { randomNumbers } from "../serving/random.ts";
import type { StreamKeys } from "./stream-keys.ts";

type Subscription = Record<string, unknown>;

/** What the clients of a run subscribe to. */
export const MIXES = ["realistic", "unmatched"] as const;

export type Mix = (typeof MIXES)[number];

/** Subscriptions of every row of the largest tables: the client's buffer is full after some blocks. */
export const EVERYTHING: Subscription[] = [{ type: "trades" }, { type: "transfers" }, { type: "blocks" }];

/** Addresses that no row has. */
const NOWHERE = Array.from({ length: 1000 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, "dead")}`);

/** Chooses subscriptions as dashboards, bots and wallets would have them: busy keys are in many of them. */
export class SubscriptionMix {
  readonly #keys: StreamKeys;
  readonly #random: () => number;

  constructor(keys: StreamKeys, mix: Mix, seed = 1) {
    this.#keys =
      mix === "realistic" ? keys : { tokens: NOWHERE, pools: NOWHERE, traders: NOWHERE, wallets: NOWHERE };
    this.#random = randomNumbers(seed);
  }

  /** The subscriptions of one client. Mixes whose rows match nothing have no blocks. */
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

  /** The key of rank n in proportion to 1/n. */
  #one(kind: keyof StreamKeys): string {
    const keys = this.#keys[kind];
    return keys[Math.floor((keys.length + 1) ** this.#random()) - 1] ?? "";
  }

  #some(kind: keyof StreamKeys, most: number): string[] {
    return [...new Set(Array.from({ length: most }, () => this.#one(kind)))];
  }
}
