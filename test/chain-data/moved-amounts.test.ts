import { describe, expect, it } from "vitest";
import { ethereum } from "../../src/chains/ethereum.ts";
import type { Hex } from "../../src/lib/hex.ts";
import type { PoolFamily } from "../../src/schema/pool-families.ts";
import type { DecodedEvent, Pool } from "../../src/schema/swap.ts";
import { MAINNET } from "../support/nodes/bundles.ts";
import { decodeBlocks } from "../support/nodes/decoded-blocks.ts";
import { recordedBlocks } from "../support/nodes/recording.ts";

/**
 * The amount of a token that a transaction moved into a pool (negative if out of it), and the amount that the
 * pool's swap events report.
 */
interface Flow {
  moved: bigint;
  swapped: bigint;
}

const transactions = decodeBlocks(recordedBlocks(MAINNET), new Map(), ethereum).flatMap((block) =>
  block.transactions.map(({ events }) => events),
);

/**
 * Returns the flows of a pool's tokens, for each transaction and each pool of the family in which the
 * transaction swaps but does not add or remove liquidity.
 */
function flowsOf(family: PoolFamily): Flow[] {
  return transactions.flatMap((events) => {
    const pools = new Set(
      events.flatMap((event) => (event.kind === "swap" && event.pool.family === family ? [event.pool] : [])),
    );
    return [...pools]
      .filter((pool) => !events.some((event) => isLiquidity(event, pool)))
      .flatMap((pool) => pool.tokens.flatMap((token) => (token === null ? [] : flowOf(token, pool, events))));
  });
}

function isLiquidity(event: DecodedEvent, { address }: Pool): boolean {
  const isOther = event.kind === "mint" || event.kind === "burn" || event.kind === "collect";
  return isOther && event.pool.address === address;
}

function flowOf(token: Hex, { address }: Pool, events: readonly DecodedEvent[]): Flow {
  const transfers = events.filter((event) => event.kind === "erc20").filter((one) => one.token === token);
  const swaps = events
    .filter((event) => event.kind === "swap")
    .filter(({ pool }) => pool.address === address);
  return {
    moved: sumOf(
      transfers,
      ({ from, to, value }) => amountIf(to === address, value) - amountIf(from === address, value),
    ),
    swapped: sumOf(
      swaps,
      ({ token0, token1, amount0, amount1 }) =>
        amountIf(token0 === token, amount0) + amountIf(token1 === token, amount1),
    ),
  };
}

const amountIf = (counts: boolean, amount: bigint) => (counts ? amount : 0n);

function sumOf<T>(items: readonly T[], amountOf: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + amountOf(item), 0n);
}

const differing = (flows: readonly Flow[]) => flows.filter(({ moved, swapped }) => moved !== swapped);

describe("the amounts of swaps in real blocks", () => {
  it("of Uniswap V2 equal the pools' transfers, except for tokens that move more or less than they report", () => {
    const flows = flowsOf("uniswap-v2");
    expect(flows.length).toBeGreaterThan(50);
    // In the full blocks, eight of 748 differ, because their tokens tax or reward transfers without a
    // Transfer event.
    expect(differing(flows).length / flows.length).toBeLessThanOrEqual(0.02);
  });

  it("of Uniswap V3 equal the pools' transfers, or are less than a payment", () => {
    const flows = flowsOf("uniswap-v3");
    expect(flows.length).toBeGreaterThan(50);
    // In the full blocks, eleven of 458 differ, because some routers pay more than the pool asks for.
    const others = differing(flows);
    expect(others.length / flows.length).toBeLessThanOrEqual(0.03);
    for (const { moved, swapped } of others) {
      expect(swapped > 0n && moved > swapped, `${moved} ${swapped}`).toBe(true);
    }
  });
});
