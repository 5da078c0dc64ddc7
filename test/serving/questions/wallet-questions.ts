import { hexOf } from "../../../src/reads/support/market.ts";
import type { Random } from "../random.ts";
import { TRADERS } from "../random-chain.ts";
import type { AskAtRandom } from "./question.ts";

/** A wallet that never traded. */
const UNKNOWN_WALLET = hexOf(0xdead);

export const walletBatch: AskAtRandom = (random) => ({
  path: "/v1/wallet-api/batch-latest-total-performance",
  body: { wallet_address: random.some([...TRADERS, UNKNOWN_WALLET]), total_exclude: random.below(3) === 0 },
});

export const walletTotals: AskAtRandom = (random) => ({
  path: "/v1/wallet-api/latest-total-performance",
  body: oneWallet(random),
});

export const walletPerToken: AskAtRandom = (random) => ({
  path: "/v1/wallet-api/latest-performance-per-token",
  body: oneWallet(random),
});

function oneWallet(random: Random) {
  return {
    wallet_address: random.pick([...TRADERS, UNKNOWN_WALLET]),
    total_exclude: random.below(3) === 0,
    max_size_ok: random.below(2) === 0,
  };
}
