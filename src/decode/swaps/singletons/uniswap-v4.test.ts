import { decodeEventLog } from "viem";
import { describe, expect, it } from "vitest";
import { decodeBlocks } from "../../../../test/support/nodes/decoded-blocks.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { Pool } from "../../../schema/swap.ts";
import { hasForm } from "../../families/swap-family.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { NO_EVIDENCE } from "../../support/evidence.ts";
import {
  blockOf,
  DYNAMIC_FEE,
  DYNAMIC_ID,
  EVENTS,
  ID,
  initialize,
  POOL,
  SWAP,
  ZERO,
} from "../../support/v4-logs.ts";
import { uniswapV4 } from "./uniswap-v4.ts";

describe("Uniswap V4", () => {
  it("reads a swap from the pool's side, as an independent decoder does from the swapper's", () => {
    const [event] = uniswapV4.events;
    const { args } = decodeEventLog({ abi: EVENTS, data: SWAP.data, topics: SWAP.topics as [Hex, ...Hex[]] });
    const { amount0, amount1 } = args as { amount0: bigint; amount1: bigint };
    expect(event && hasForm(SWAP, event)).toBe(true);
    expect(event?.read(SWAP, POOL, NO_EVIDENCE)).toEqual({
      ...{ kind: "swap", logIndex: 4, pool: POOL },
      ...{ token0: POOL.token0, token1: POOL.token1, amount0: -amount0, amount1: -amount1 },
      amountsUnknown: null,
    });
    expect([-amount0, -amount1]).toEqual([100_000_000_000_000_000n, -299_833_585n]);
  });

  it("accepts a pool whose id is the hash of its key, with the native coin as the wrapped one", () => {
    const created = createdPool(initialize(ID, 500), ethereum, { number: 9, timestamp: 90 }, []);
    expect(created).toEqual({ ...POOL, createdBlock: 9, createdTimestamp: 90 });
  });

  it("reads no fee of a pool whose hooks set it", () => {
    const created = createdPool(initialize(DYNAMIC_ID, DYNAMIC_FEE), ethereum, null, []);
    expect(created).toMatchObject({ address: DYNAMIC_ID, fee: null });
  });

  it("rejects a pool of another key or of another contract", () => {
    expect(createdPool(initialize(ID, 501), ethereum, null, [])).toBeNull();
    const fake = { ...initialize(ID, 500), address: ZERO };
    expect(createdPool(fake, ethereum, null, [])).toBeNull();
  });

  it("finds the pool of a swap by its id, only in the listed singleton", () => {
    const pools = new Map<Hex, Pool | null>();
    const swaps = (...logs: Log[]) =>
      decodeBlocks([blockOf(...logs)], pools, ethereum)[0]?.transactions[0]?.events;
    expect(swaps(SWAP)).toEqual([]);
    expect(swaps(initialize(ID, 500), { ...SWAP, address: ZERO })).toMatchObject([
      { kind: "pool-creation", pool: { address: ID } },
    ]);
    expect(swaps(SWAP)).toMatchObject([{ kind: "swap", pool: { address: ID, createdBlock: 9 } }]);
  });
});
