import { decodeEventLog, encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { bundlePath, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log } from "../../../schema/block.ts";
import type { Pool } from "../../../schema/swap.ts";
import { scanBlock } from "../../blocks/scan-block.ts";
import { confirmPools, judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { logsWith, movedBy, recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";

const ABI = parseAbi([
  "event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)",
  "event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)",
  "event PoolCreated(address indexed pool)",
]);
const TOPIC: Hex = "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b";
const VAULT: Hex = "0xba12222222228d8ba445958a75a0704d566bf2c8";
/** R/DAI and R/wstETH. One transaction swaps DAI for R and R for wstETH, and the Vault moves no R. */
const ROUTE = [
  "0x20a61b948e33879ce7f23e535cc7baa3bc66c5a9",
  "0x380aabe019ed2a9c2d632b51eddd30fd804d0fad",
] as const;
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const YES: Hex = `0x${"1".padStart(64, "0")}`;

const blocks = [MAINNET, bundlePath("eth-natives"), bundlePath("eth-covalent")].flatMap((bundle) =>
  recordedBlocks(bundle),
);
const logs = logsWith(blocks, TOPIC);
const argsOf = ({ data, topics }: Log) =>
  decodeEventLog({ abi: ABI, eventName: "Swap", data, topics: topics as [Hex, ...Hex[]], strict: true }).args;
const addressOf = (log: Log) => argsOf(log).poolId.slice(0, 42) as Hex;

const swapsIn = (given: readonly Block[], known?: Map<Hex, Pool>) =>
  recordedSwaps(given, "balancer-v2", known).map(({ swap }) => swap);

/** Judges a pool as if factory number `yes` confirmed it. */
function judged(address: Hex, tokens: readonly Hex[], yes: number): Pool | null | undefined {
  const candidate = { address, family: "balancer-v2" } as const;
  const id: Hex = `${address}${"7".padStart(24, "0")}`;
  const calls = poolCalls([candidate], ethereum);
  const results = calls.map((_, i) => (i === 0 ? id : i === yes + 1 ? YES : null));
  const { pools, followUps } = judgePools([candidate], results, ethereum);
  if (followUps.length === 0) return pools.get(address);
  expect(followUps[0]?.call).toEqual({ to: VAULT, data: `0xf94d4668${id.slice(2)}` });
  const registered = encodeAbiParameters(
    [{ type: "address[]" }, { type: "uint256[]" }, { type: "uint256" }],
    [tokens, tokens.map(() => 1n), 0n],
  );
  return confirmPools(followUps, [registered]).get(address);
}

describe("Balancer V2 on real blocks", () => {
  it("reads every swap as an independent decoder does, in pools that nonces prove or a deployment lists", () => {
    expect(logs.length).toBeGreaterThan(0);
    expect(swapsIn(blocks)).toMatchObject(
      logs.map((log) => {
        const { tokenIn, tokenOut, amountIn, amountOut } = argsOf(log);
        return {
          pool: { address: addressOf(log), protocol: "balancer_v2", fee: null },
          logIndex: log.logIndex,
          token0: tokenIn.toLowerCase(),
          token1: tokenOut.toLowerCase(),
          amount0: amountIn,
          amount1: -amountOut,
        };
      }),
    );
  });

  it("reads amounts that the Vault's transfers confirm, but for the middle of a route", () => {
    const [paysOnly, receivesOnly] = ROUTE;
    for (const recorded of recordedSwaps(blocks, "balancer-v2")) {
      const { address } = recorded.swap.pool;
      const moved = { in: address !== receivesOnly, out: address !== paysOnly };
      expect([address, movedBy(recorded, VAULT)]).toEqual([address, moved]);
    }
  });
});

describe("genuineness of Balancer V2 pools", () => {
  const [log] = logs as [Log];

  it("makes no swap of a pool that no listed factory created, nor of another contract's event", () => {
    const topics = [log.topics[0], `${FAKE}${log.topics[1]?.slice(42)}`, ...log.topics.slice(2)] as Hex[];
    const registered = withLogs(blocks, (one) => (one.topics[0] === TOPIC ? { ...one, topics } : one));
    expect(swapsIn(registered)).toEqual([]);
    const emitted = withLogs(blocks, (one) => (one.topics[0] === TOPIC ? { ...one, address: FAKE } : one));
    expect(swapsIn(emitted)).toEqual([]);
  });

  it("takes the word of listed factories only", () => {
    const tokens: [Hex, Hex] = [VAULT, `0x${"aa".repeat(20)}`];
    expect(judged(FAKE, tokens, -1)).toBeNull();
    expect(judged(FAKE, tokens, 0)?.tokens).toEqual(tokens);
  });

  it("leaves joins and exits out, and the pool's own shares out of its tokens", () => {
    const address = addressOf(log);
    const topic: Hex = `0x${address.slice(2).padStart(64, "0")}`;
    for (const side of [2, 3]) {
      const topics = log.topics.map((one, i) => (i === side ? topic : one));
      const joined = withLogs(blocks, (one) => (one.topics[0] === TOPIC ? { ...one, topics } : one));
      const pool = judged(address, [VAULT, address, FAKE], 0);
      expect(pool?.tokens).toEqual([VAULT, FAKE]);
      expect(swapsIn(joined, new Map(pool && [[address, pool]]))).toEqual([]);
    }
  });
});

describe("PoolCreated of Balancer V2", () => {
  const factory: Hex = "0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a";
  const poolId: Hex = `${FAKE}${"7".padStart(24, "0")}`;
  const tokens: Hex[] = [FAKE, `0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];
  const registration: Log = {
    address: VAULT,
    topics: encodeEventTopics({ abi: ABI, eventName: "TokensRegistered", args: { poolId } }) as Hex[],
    data: encodeAbiParameters([{ type: "address[]" }, { type: "address[]" }], [tokens, tokens]),
    logIndex: 0,
  };
  const creation: Log = {
    address: factory,
    topics: encodeEventTopics({ abi: ABI, eventName: "PoolCreated", args: { pool: FAKE } }) as Hex[],
    data: "0x",
    logIndex: 1,
  };
  const created = (given: Log[]) => {
    const [block] = blocks as [Block];
    const transactions = block.transactions.slice(0, 1).map((one) => ({ ...one, logs: given }));
    return scanBlock({ ...block, transactions }, ethereum).transactions.flatMap(
      ({ logs: scanned }) => scanned,
    );
  };

  it("announces a pool with the tokens that it registered in the Vault", () => {
    expect(created([registration, creation])).toMatchObject([
      { kind: "pool-creation", pool: { address: FAKE, factory, tokens: tokens.slice(1) } },
    ]);
  });

  it("announces nothing if another contract emits one of the two events", () => {
    expect(created([registration, { ...creation, address: FAKE }])).toEqual([]);
    expect(created([{ ...registration, address: FAKE }, creation])).toEqual([]);
    expect(created([creation])).toEqual([]);
  });
});
