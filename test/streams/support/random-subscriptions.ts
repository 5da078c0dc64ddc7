import { isHex } from "../../../src/lib/hex.ts";
import type { Random } from "../../serving/random.ts";
import type { Fields } from "./reconstruction.ts";

/** Values that occur in the rows of a chain, for filters that match some of the rows. */
export interface Subjects {
  tokens: readonly string[];
  pools: readonly string[];
  traders: readonly string[];
  /** Senders and recipients of transfers. */
  wallets: readonly string[];
  /** The usual value of a trade and of a transfer, in USD. */
  tradeUsd: number;
  transferUsd: number;
  /** Lengths of candles. */
  intervals: readonly string[];
}

/** Draws one to four subscriptions of any types, with random filters. */
export function randomSubscriptions(random: Random, subjects: Subjects): Fields[] {
  const { tokens, pools, traders, wallets, tradeUsd, transferUsd, intervals } = subjects;
  // The other pools have ids, to which nothing can be transferred.
  const contracts = pools.filter((pool) => isHex(pool, 20));
  const isChosen = () => random.below(2) === 0;
  const some = (values: readonly string[]) =>
    isChosen() ? undefined : random.some(values, Math.ceil(values.length / 3));
  const least = (usd: number) => (isChosen() ? undefined : (usd * random.below(20)) / 10);
  const kinds: (() => Fields)[] = [
    () => ({ type: "trades", token_address: some(tokens), min_usd: least(tradeUsd), accepted: isChosen() }),
    () => ({ type: "trades", pool_address: some(pools), trader_address: some(traders) }),
    () => ({ type: "transfers", token_address: some(tokens), min_usd: least(transferUsd) }),
    () => ({ type: "transfers", standard: "erc721", wallet_address: some(wallets) }),
    () => ({ type: "transfers", from_address: some(wallets), to_address: some(contracts) }),
    () => ({ type: "blocks" }),
    () => ({ type: "tokens" }),
    () => ({ type: "pools", token_address: some(tokens) }),
    () => ({
      type: "prices",
      token_address: random.some(tokens, 3),
      price_type: random.pick(["price_token_usd_tick_1", "price_token_usd_robust_tick_1"]),
    }),
    () => ({
      type: "candles",
      token_address: random.pick(tokens),
      interval: random.pick(intervals),
      history: 1 + random.below(5),
    }),
    () => ({ type: "pool_state", pool_address: [random.pick(pools)] }),
  ];
  return Array.from({ length: 1 + random.below(4) }, (_, i) => ({ id: `s${i}`, ...random.pick(kinds)() }));
}
