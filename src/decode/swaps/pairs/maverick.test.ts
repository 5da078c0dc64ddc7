import { decodeAbiParameters, encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { bundlePath, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { Erc20Transfer, Swap } from "../../../schema/swap.ts";
import { judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { NO_EVIDENCE } from "../../support/evidence.ts";
import { eventsOf } from "../../support/published-logs.ts";
import { logsWith, movedBy, recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";
import { maverickV1, maverickV2 } from "./maverick.ts";

const SWAP = parseAbi([
  "event Swap(address sender, address recipient, bool tokenAIn, bool exactOutput, uint256 amountIn, uint256 amountOut, int32 activeTick)",
]);
const TOPIC: Hex = "0x3b841dc9ab51e3104bda4f61b41e4271192d22cd19da5ee6e292dc8e2744f713";
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const TOKEN_A: Hex = `0x${"aa".repeat(20)}`;
const TOKEN_B: Hex = `0x${"bb".repeat(20)}`;
const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;

const blocks = [MAINNET, bundlePath("eth-natives")].flatMap((bundle) => recordedBlocks(bundle));
const logs = logsWith(blocks, TOPIC);

describe("Maverick V1 on real blocks", () => {
  const swaps = recordedSwaps(blocks, "maverick-v1");
  const inOf = ({ amount0, amount1 }: Swap) => (amount0 > 0n ? amount0 : amount1);

  it("reads every swap as an independent decoder does, in pools that the factories' nonces prove", () => {
    expect(logs.length).toBeGreaterThan(0);
    expect(encodeEventTopics({ abi: SWAP, eventName: "Swap" })).toEqual([TOPIC]);
    expect(swaps).toHaveLength(logs.length);
    for (const [i, { swap }] of swaps.entries()) {
      const { address, data, logIndex } = logs[i] as Log;
      const [, , tokenAIn, , amountIn, amountOut] = decodeAbiParameters(SWAP[0].inputs, data);
      const amounts = tokenAIn ? [amountIn, -amountOut] : [-amountOut, amountIn];
      expect(swap).toMatchObject({ pool: { address, protocol: "maverick_v1", fee: null }, logIndex });
      expect([swap.amount0, swap.amount1]).toEqual(amounts);
    }
  });

  it("reads amounts in units of the tokens, as the pool's transfers confirm", () => {
    for (const recorded of swaps) {
      const { swap, transfers } = recorded;
      const { address } = swap.pool;
      expect(movedBy(recorded, address).out).toBe(true);
      // In two of the real swaps, the pool receives one unit too much.
      const paid = transfers.filter(({ to }) => to === address).map(({ value }) => value - inOf(swap));
      expect(paid.some((excess) => excess === 0n || excess === 1n)).toBe(true);
    }
  });

  it("makes no swap of a contract that no factory created", () => {
    const copied = withLogs(blocks, (log) => (log.topics[0] === TOPIC ? { ...log, address: FAKE } : log));
    expect(recordedSwaps(copied, "maverick-v1")).toEqual([]);
  });

  it("finds no tokens where transfers of two tokens have the event's amount", () => {
    const [{ swap, transfers }] = swaps as [(typeof swaps)[number]];
    const { address } = swap.pool;
    const log = logs.find(
      ({ logIndex, address: emitter }) => logIndex === swap.logIndex && emitter === address,
    );
    const evidence = (more: Erc20Transfer[]) => ({ ...NO_EVIDENCE, transfers: [...transfers, ...more] });
    const proven = (more: Erc20Transfer[]) =>
      maverickV1.proof?.fromTransaction(address, log as Log, evidence(more), ethereum);
    expect(proven([])).toMatchObject({ token0: swap.token0, token1: swap.token1 });
    const rival = { kind: "erc20", logIndex: 0, token: FAKE, from: FAKE, to: address } as const;
    expect(proven([{ ...rival, value: inOf(swap) }])).toBeNull();
    expect(proven([{ ...rival, value: inOf(swap) + 2n }])).not.toBeNull();
  });
});

describe("Maverick V2", () => {
  const factory: Hex = "0x0a7e848aca42d879ef06507fca0e7b33a0a63c1e";
  const abi = parseAbi([
    "event PoolCreated(address poolAddress, uint8 protocolFeeRatio, uint256 feeAIn, uint256 feeBIn, uint256 tickSpacing, uint256 lookback, int32 activeTick, address tokenA, address tokenB, uint8 kinds, address accessor)",
    "event PoolSwap(address sender, address recipient, (uint256 amount, bool tokenAIn, bool exactOutput, int32 tickLimit) params, uint256 amountIn, uint256 amountOut)",
  ]);
  const created: Log = {
    address: factory,
    topics: encodeEventTopics({ abi, eventName: "PoolCreated" }) as Hex[],
    data: encodeAbiParameters(abi[0].inputs, [FAKE, 0, 1n, 1n, 1n, 1n, -1, TOKEN_A, TOKEN_B, 1, FAKE]),
    logIndex: 0,
  };
  const pool = createdPool(created, ethereum, null, [created]);

  it("reads PoolCreated of the listed factory only", () => {
    expect(pool).toMatchObject({ address: FAKE, factory, token0: TOKEN_A, token1: TOKEN_B, fee: null });
    expect(createdPool({ ...created, address: FAKE }, ethereum, null, [])).toBeNull();
  });

  it("reads PoolSwap in both directions", () => {
    const [event] = maverickV2.events;
    for (const tokenAIn of [true, false]) {
      const params = { amount: 7n, tokenAIn, exactOutput: false, tickLimit: -3 };
      const data = encodeAbiParameters(abi[1].inputs, [FAKE, FAKE, params, 5n, 4n]);
      const topics = encodeEventTopics({ abi, eventName: "PoolSwap" }) as Hex[];
      expect(topics).toEqual([event?.topic]);
      const swap = pool && event?.read({ address: FAKE, topics, data, logIndex: 3 }, pool, NO_EVIDENCE);
      const [amount0, amount1] = tokenAIn ? [5n, -4n] : [-4n, 5n];
      expect(swap).toMatchObject({ kind: "swap", token0: TOKEN_A, token1: TOKEN_B, amount0, amount1 });
    }
  });

  it("makes no swap of a contract that its factory did not announce", () => {
    const params = { amount: 7n, tokenAIn: true, exactOutput: false, tickLimit: -3 };
    const data = encodeAbiParameters(abi[1].inputs, [FAKE, FAKE, params, 5n, 4n]);
    const topics = encodeEventTopics({ abi, eventName: "PoolSwap" }) as Hex[];
    const swap = (address: Hex): Log => ({ address, topics, data, logIndex: 3 });
    const swapsIn = (...given: Log[]) => eventsOf(given, ethereum).filter(({ kind }) => kind === "swap");
    expect(swapsIn(created, swap(FAKE))).toHaveLength(1);
    expect(swapsIn(created, swap(TOKEN_A))).toEqual([]);
    expect(swapsIn({ ...created, address: TOKEN_A }, swap(FAKE))).toEqual([]);
  });

  it("accepts pools that the factory confirms, and no others", () => {
    const candidate = { address: FAKE, family: "maverick-v2" } as const;
    expect(poolCalls([candidate], ethereum).map(({ to }) => to)).toEqual([FAKE, FAKE, factory]);
    for (const [answer, isPool] of [
      [word("1"), true],
      [word("0"), false],
      [null, false],
    ] as const) {
      const { pools } = judgePools([candidate], [word(TOKEN_A), word(TOKEN_B), answer], ethereum);
      expect(pools.get(FAKE)?.token0).toBe(isPool ? TOKEN_A : undefined);
    }
  });
});
