import { TOKENS } from "../random-chain.ts";
import type { AskAtRandom } from "./question.ts";

const SORTS = ["volume_usd", "trades", "traders", "price_change_pct", "liquidity_usd", "created_timestamp"];

/** Often requests the same few lists, like pages that are open. */
export const screens: AskAtRandom = (random) => ({
  path: "/v1/screener",
  body: {
    kind: random.pick(["token", "pool"]),
    window: random.pick(["1h", "24h", "7d"]),
    ...(random.below(2) === 0
      ? {}
      : {
          sortby: random.pick(SORTS),
          order: random.pick(["asc", "desc"]),
          ...random.pick([
            { min_trades: 2 },
            { max_age: "30d" },
            { min_liquidity_usd: 1 },
            { size: 2, page: 2 },
          ]),
          ...random.pick([{}, { show_spam: true }, { token_address: random.some(TOKENS, 3) }]),
        }),
  },
});
