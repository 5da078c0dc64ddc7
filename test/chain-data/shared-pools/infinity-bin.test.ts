import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type DecodeEventLogReturnType, decodeEventLog, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Block, Log } from "../../../src/schema/block.ts";
import type { ChainStore } from "../../../src/storage/store.ts";
import { BARE_CHAIN } from "../../support/nodes/bare-chain.ts";
import { EXCERPT } from "../../support/nodes/bundles.ts";
import { recordedBlocks } from "../../support/nodes/recording.ts";
import { RecordedMarket } from "./support/recorded-market.ts";

const BUNDLE = join(EXCERPT, "infinity-bin");
const BATCH = "/v1/market-api/batch-latest-pool-tvl";
const HISTORY = "/v1/market-api/pool-tvl-history";

/** A recorded market. Each token is in only one pool. */
interface Recording {
  manager: Hex;
  pools: { pool: Hex }[];
  /** The sum of both tokens in the bins of each pool after each block, in base units, according to `getBin`. */
  state: { block: number; held: Record<Hex, [string, string]> }[];
}

const recording: Recording = JSON.parse(
  gunzipSync(readFileSync(join(BUNDLE, "balances.json.gz"))).toString(),
);
const POOLS = recording.pools.map(({ pool }) => pool);
const BLOCKS = recordedBlocks(BUNDLE);
const LAST = BLOCKS.at(-1)?.number ?? 0;

const EVENTS = parseAbi([
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks, uint24 fee, bytes32 parameters, uint24 activeId)",
  "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 activeId, uint24 fee, uint16 protocolFee)",
]);

function chainNamed(name: string, manager = recording.manager): Chain {
  const deployment = { factory: manager, initCodeHash: null, fee: null, firstBlock: 0 };
  const deployments = [
    { ...deployment, protocol: "pancakeswap_infinity_bin", family: "pancake-infinity-bin" as const },
  ];
  return { ...BARE_CHAIN, name, finality: { kind: "depth", blocks: 1000 }, deployments };
}

const CHAIN = chainNamed("recorded");

type Event = DecodeEventLogReturnType<typeof EVENTS>;

function eventsIn({ transactions }: Block): Event[] {
  const logs = transactions.flatMap((transaction) => transaction.logs);
  return logs.flatMap(({ topics, data }: Log) => {
    try {
      return decodeEventLog({ abi: EVENTS, topics: topics as [Hex, ...Hex[]], data });
    } catch {
      return [];
    }
  });
}

/**
 * Returns, for each block, the greatest difference in each token that rounding permits: one base unit of the
 * token that a swap pays, for each change of the active bin, if the swap pays a fee to the protocol.
 */
function tolerances(pool: Hex): [number, number][] {
  let active = 0;
  const sums: [number, number] = [0, 0];
  return BLOCKS.map((block) => {
    for (const { eventName, args } of eventsIn(block)) {
      if (args.id !== pool) continue;
      if (eventName === "Swap" && args.protocolFee > 0)
        sums[args.amount0 < 0n ? 0 : 1] += Math.abs(args.activeId - active);
      active = args.activeId;
    }
    return [...sums];
  });
}

describe("the balances of pools in the real BinPoolManager of PancakeSwap Infinity", () => {
  let market: RecordedMarket;
  let store: ChainStore;

  beforeAll(async () => {
    market = await RecordedMarket.open(BUNDLE);
    store = await market.index(CHAIN);
  });

  afterAll(() => market?.close());

  const inBins = (index: number, pool: Hex): bigint[] =>
    (recording.state[index]?.held[pool] ?? ["0", "0"]).map(BigInt);

  /** Returns the balances of a pool after each block, their differences from the real ones, and the limits. */
  async function differencesOf(pool: Hex) {
    const over = await market.amountsOver(CHAIN, pool);
    const limits = tolerances(pool);
    return BLOCKS.flatMap(({ number }, i) =>
      inBins(i, pool).map((expected, side) => {
        const amount = over[i]?.[side] ?? 0n;
        const limit = limits[i]?.[side] ?? 0;
        return { pool, number, side, amount, difference: Number(amount - expected), limit };
      }),
    );
  }

  it("are the sums of the pools' bins after every block, apart from rounded fees", async () => {
    const found = (await Promise.all(POOLS.map(differencesOf))).flat();
    expect(found.filter(({ difference, limit }) => Math.abs(difference) > limit)).toEqual([]);
    expect(new Set(found.map(({ pool, side, amount }) => `${pool} ${side} ${amount}`)).size).toBeGreaterThan(
      200,
    );
    const latest = await market.amountsAfter(CHAIN, POOLS, LAST);
    const last = found.filter(({ number }) => number === LAST);
    expect(POOLS.flatMap((pool) => latest.get(pool) ?? [])).toEqual(last.map(({ amount }) => amount));
    // The last pool pays no fees to the protocol, so nothing is rounded.
    const limits = POOLS.map((pool) => tolerances(pool).at(-1) ?? []);
    expect(limits.map(([first = 0, second = 0]) => first + second > 10)).toEqual([true, true, true, false]);
    expect(limits.at(-1)).toEqual([0, 0]);
  });

  it("match batch-latest-pool-tvl and pool-tvl-history", async () => {
    const timestamp = BLOCKS.at(-20)?.timestamp;
    const latest = await market.post(CHAIN, BATCH, { pool_address: POOLS, timestamp });
    for (const [i, pool] of POOLS.entries()) {
      const held = inBins(BLOCKS.length - 20, pool);
      const { token_0_address, token_0_balance, token_1_balance } = latest[i];
      // The chain's wrapped coin is not a contract in these blocks, so it has no decimals.
      const isNative = token_0_address === CHAIN.wrappedNative;
      for (const [j, balance] of [token_0_balance, token_1_balance].entries()) {
        if (j === 0 && isNative) continue;
        const ratios = [6, 18].map((decimals) => (balance * 10 ** decimals) / Number(held[j]));
        expect([pool, j, ratios.some((ratio) => Math.abs(ratio - 1) < 1e-5)]).toEqual([pool, j, true]);
      }
    }
    const until_timestamp = BLOCKS.at(-1)?.timestamp;
    const points = await market.post(CHAIN, HISTORY, {
      ...{ pool_address: POOLS[0], interval: "1m", until_timestamp },
    });
    expect(points.length).toBeGreaterThan(0);
    for (const { as_of_timestamp: at, token_0_balance } of points.slice(0, 12)) {
      const [then] = await market.post(CHAIN, BATCH, { pool_address: [POOLS[0]], timestamp: at });
      expect(then.token_0_balance).toBe(token_0_balance);
    }
  });

  it("follow a rollback, and are healthy", async () => {
    const block = BLOCKS.at(-30);
    if (block === undefined) expect.fail("too few blocks");
    const before = await market.amountsAfter(CHAIN, POOLS, block.number);
    const after = await market.amountsAfter(CHAIN, POOLS, LAST);
    await store.rollback({ number: block.number, hash: block.hash, timestamp: block.timestamp });
    expect(await market.amountsAfter(CHAIN, POOLS, LAST)).toEqual(before);
    expect(before).not.toEqual(after);
    store = await market.index(CHAIN);
    expect(await market.amountsAfter(CHAIN, POOLS, LAST)).toEqual(after);
    expect(await market.findings(CHAIN)).toEqual([]);
  });

  it("do not change with the same logs of another contract", async () => {
    const before = await market.amountsAfter(CHAIN, POOLS, LAST);
    const imitated = chainNamed("imitated");
    await market.index(imitated);
    await market.imitate(imitated, recording.manager, `0x${"fa".repeat(20)}`);
    expect(await market.amountsAfter(imitated, POOLS, LAST)).toEqual(before);
    expect(before.size).toBe(POOLS.length);
    // The manager itself is an imitation on a chain that does not list it.
    const foreign = chainNamed("foreign", `0x${"fa".repeat(20)}`);
    await market.index(foreign);
    expect((await market.amountsAfter(foreign, POOLS, LAST)).size).toBe(0);
  });

  it("are unknown in an index that starts after the creation of the pools", async () => {
    const late = chainNamed("late");
    await market.index(late, LAST - 50);
    expect((await market.amountsAfter(late, POOLS, LAST)).size).toBe(0);
    for (const { token_0_balance } of await market.post(late, BATCH, { pool_address: POOLS }))
      expect(token_0_balance).toBeNull();
  });
});
