import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { ChainStore } from "../../../src/storage/store.ts";
import { BARE_CHAIN } from "../../support/nodes/bare-chain.ts";
import { EXCERPT } from "../../support/nodes/bundles.ts";
import { recordedBlocks } from "../../support/nodes/recording.ts";
import { RecordedMarket } from "./support/recorded-market.ts";

const BUNDLE = join(EXCERPT, "ekubo-v3");
const BATCH = "/v1/market-api/batch-latest-pool-tvl";
const HISTORY = "/v1/market-api/pool-tvl-history";

/**
 * A pool's tokens in the Core. For each token: its balance, and the part of it that is saved for other
 * owners, in base units.
 */
type Held = [string, string][];

/** A recorded market. Each token is in only one pool. */
interface Recording {
  core: Hex;
  pools: { pool: Hex }[];
  /** The tokens in the Core after each block, by pool. */
  state: { block: number; held: Record<Hex, Held> }[];
}

const recording: Recording = JSON.parse(
  gunzipSync(readFileSync(join(BUNDLE, "balances.json.gz"))).toString(),
);
const POOLS = recording.pools.map(({ pool }) => pool);
const BLOCKS = recordedBlocks(BUNDLE);
const LAST = BLOCKS.at(-1)?.number ?? 0;

function chainNamed(name: string): Chain {
  const deployment = { factory: recording.core, initCodeHash: null, fee: null, firstBlock: 0 };
  const deployments = [{ ...deployment, protocol: "ekubo_v3", family: "ekubo" as const }];
  return { ...BARE_CHAIN, name, finality: { kind: "depth", blocks: 1000 }, deployments };
}

const CHAIN = chainNamed("recorded");

describe("the balances of pools in the real Core of Ekubo, version 3", () => {
  let market: RecordedMarket;
  let store: ChainStore;

  beforeAll(async () => {
    market = await RecordedMarket.open(BUNDLE);
    store = await market.index(CHAIN);
  });

  afterAll(() => market?.close());

  const amountsAfter = (block: number, chain = CHAIN) => market.amountsAfter(chain, POOLS, block);

  /** Returns the amount of each token that the Core holds for a pool. */
  const inCore = (held: Held = []) => held.map(([has, saved]) => BigInt(has) - BigInt(saved));

  const heldAfter = (block: number) => recording.state.find((one) => one.block === block)?.held ?? {};

  /**
   * Expects the balances after each block to equal the recorded ones. Returns the number of distinct balances
   * over all pools.
   */
  async function expectSame(): Promise<number> {
    const seen = new Set<string>();
    for (const pool of POOLS) {
      const over = await market.amountsOver(CHAIN, pool);
      // The pools are created in the first blocks.
      for (const [i, { number }] of BLOCKS.entries()) {
        const expected = inCore(recording.state[i]?.held[pool]);
        expect([number, pool, over[i] ?? [0n, 0n]]).toEqual([number, pool, expected]);
        if (over[i] !== undefined) seen.add(`${pool} ${over[i]}`);
      }
      expect((await amountsAfter(LAST)).get(pool)).toEqual(inCore(heldAfter(LAST)[pool]));
    }
    return seen.size;
  }

  it("are the Core's tokens after every block", async () => {
    expect((await amountsAfter(LAST)).size).toBe(POOLS.length);
    expect(await expectSame()).toBeGreaterThan(80);
  });

  it("match batch-latest-pool-tvl and pool-tvl-history", async () => {
    const latest = await market.post(CHAIN, BATCH, {
      pool_address: POOLS,
      timestamp: BLOCKS.at(-1)?.timestamp,
    });
    for (const [i, pool] of POOLS.entries()) {
      const held = inCore(heldAfter(LAST)[pool]);
      const { token_0_address, token_0_balance, token_1_balance } = latest[i];
      // The chain's wrapped coin is not a contract in these blocks, so it has no decimals.
      const isNative = token_0_address === CHAIN.wrappedNative;
      for (const [j, balance] of [token_0_balance, token_1_balance].entries()) {
        if (j === 0 && isNative) continue;
        const ratios = [6, 8, 18].map((decimals) => (balance * 10 ** decimals) / Number(held[j]));
        expect([pool, j, ratios.some((ratio) => Math.abs(ratio - 1) < 1e-12)]).toEqual([pool, j, true]);
      }
    }
    const points = await market.post(CHAIN, HISTORY, { pool_address: POOLS[0], interval: "1m" });
    expect(points.length).toBeGreaterThan(0);
    for (const { as_of_timestamp: timestamp, token_0_balance } of points) {
      const [then] = await market.post(CHAIN, BATCH, { pool_address: [POOLS[0]], timestamp });
      expect(then.token_0_balance).toBe(token_0_balance);
    }
  });

  it("follow a rollback, and are healthy, including in memory", async () => {
    const block = BLOCKS.at(-30);
    if (block === undefined) expect.fail("too few blocks");
    await store.rollback({ number: block.number, hash: block.hash, timestamp: block.timestamp });
    const amounts = await amountsAfter(LAST);
    for (const pool of POOLS) expect(amounts.get(pool)).toEqual(inCore(heldAfter(block.number)[pool]));
    store = await market.index(CHAIN);
    await expectSame();
    expect(await market.findings(CHAIN)).toEqual([]);
  });

  it("are unknown in an index that starts after the creation of the pools", async () => {
    const late = chainNamed("late");
    await market.index(late, LAST - 50);
    expect((await amountsAfter(LAST, late)).size).toBe(0);
    for (const { token_0_balance } of await market.post(late, BATCH, { pool_address: POOLS }))
      expect(token_0_balance).toBeNull();
  });
});
