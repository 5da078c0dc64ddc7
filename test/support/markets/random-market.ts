import type { Hex } from "../../../src/lib/hex.ts";
import type { Swap } from "../../../src/schema/swap.ts";
import { seeded } from "../seeded.ts";
import * as market from "./market.ts";

const { ALPHA, ALPHA_BETA, ALPHA_USDC, ALPHA_WETH, BETA_USDC, GAMMA_BETA, MUTE_USDC, USDC_DAI } = market;
const { block, REFERENCES, swap, transfer } = market;

/** The pools, most traded first. */
export const POOLS = [
  ALPHA_USDC,
  ALPHA_WETH,
  ...REFERENCES,
  ALPHA_BETA,
  BETA_USDC,
  GAMMA_BETA,
  MUTE_USDC,
  USDC_DAI,
];
/** Fair prices in USD. Trades are made around them. */
export const FAIR = new Map([
  [market.USDC, 1],
  [market.DAI, 1],
  [market.WETH, 2000],
  [ALPHA, 3],
  [market.BETA, 0.02],
  [market.GAMMA, 50],
  [market.MUTE, 1],
]);

const DUST = swap(ALPHA_USDC, -0.1, 0.3);

/**
 * Makes a swap near fair prices. Occasionally the price is far off, or the swap is tiny or huge. `level`
 * scales ALPHA's fair price.
 */
function marketSwap(random: () => number, level: number): Swap {
  const pool = POOLS[Math.floor(random() ** 2 * POOLS.length)] ?? ALPHA_USDC;
  const outlier = random() < 0.15 ? 10 ** (2 * random() - 1) : 1;
  const factor = outlier * (0.97 + 0.06 * random());
  const usd = 10 ** (4 * random() - 0.5) * (random() < 0.02 ? 1e4 : 1);
  const fair = (token: Hex) => (FAIR.get(token) ?? 1) * (token === ALPHA ? level : 1);
  const amount0 = usd / fair(pool.token0);
  const amount1 = (usd * factor) / fair(pool.token1);
  return random() < 0.5 ? swap(pool, -amount0, amount1) : swap(pool, amount0, -amount1);
}

/**
 * Makes a swap between stablecoins. `par` is the price of one in the other: 1, or a tenth off during a depeg.
 */
function stableSwap(random: () => number, par: number): Swap {
  const usd = 10 ** (3 * random());
  const price = par * (0.997 + 0.006 * random());
  return random() < 0.5 ? swap(USDC_DAI, -usd, usd * price) : swap(USDC_DAI, usd, -usd * price);
}

/** Makes many swaps of stablecoins. One wallet makes all of them, or a different wallet makes each. */
function stableBurst(random: () => number, par: number): market.Act[] {
  const isCrowd = random() < 0.5;
  return Array.from({ length: 40 }, (_, i) => ({
    trader: isCrowd ? 20 + i : 10,
    events: [stableSwap(random, par)],
  }));
}

/**
 * Makes a chain whose blocks are `pace` seconds apart on average. Some have the same time as the block
 * before.
 */
export function marketChain(
  seed: number,
  { blocks, pace }: { blocks: number; pace: number },
): market.MarketBlock[] {
  const random = seeded(seed);
  let timestamp = 1_700_000_000;
  let level = 1;
  let par = 1;
  return Array.from({ length: blocks }, (_, number) => {
    timestamp += Math.floor(2 * pace * random());
    if (random() < 0.03) level *= 10 ** (2 * random() - 1);
    if (random() < 0.02) par = [0.9, 1, 1.1][Math.floor(3 * random())] ?? 1;
    const acts: market.Act[] = Array.from({ length: Math.floor(4 * random()) }, () => ({
      trader: Math.floor(8 * random()),
      events: [marketSwap(random, level), transfer(ALPHA, 10n ** 15n), marketSwap(random, level)],
    }));
    if (random() < 0.5) acts.push({ trader: Math.floor(8 * random()), events: [stableSwap(random, par)] });
    if (random() < 0.1) acts.push(...stableBurst(random, par));
    // Adds dust, which pushes accepted and rejected trades out of the last hundred.
    if (random() < 0.1) acts.push({ trader: 9, events: Array.from({ length: 60 }, () => DUST) });
    return block(number + 1, timestamp, acts);
  });
}
