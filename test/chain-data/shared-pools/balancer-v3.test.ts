import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readPoolStates } from "../../../src/reads/pools/fill-pools.ts";
import { commitTrades, hashOf, hexOf } from "../../../src/reads/support/market.ts";
import { FEE_CONTROLLER_CHANGED } from "../../../src/schema/events/vault-events.ts";
import { recordIndexOf } from "../../../src/schema/record-index.ts";
import { poolAmounts } from "../../../src/serving/pools/vaults/vault-balances.ts";
import { ServingState } from "../../../src/serving/serving-state.ts";
import type { ChainStore } from "../../../src/storage/store.ts";
import { BARE_CHAIN } from "../../support/nodes/bare-chain.ts";
import { EXCERPT } from "../../support/nodes/bundles.ts";
import { recordedBlocks } from "../../support/nodes/recording.ts";
import { RecordedMarket } from "./support/recorded-market.ts";

const BUNDLE = join(EXCERPT, "balancer-v3");
const BATCH = "/v1/market-api/batch-latest-pool-tvl";
const HISTORY = "/v1/market-api/pool-tvl-history";

/** A pool's tokens in the Vault. For each token: its balance, swap fees and yield fees, in base units. */
type Held = [string, string, string][];

interface Recording {
  vault: Hex;
  controller: Hex;
  factory: Hex;
  pools: { pool: Hex; tokens: Hex[] }[];
  /** Results of the Vault's views after each block, by pool. */
  state: { block: number; held: Record<Hex, Held> }[];
}

const recording: Recording = JSON.parse(
  gunzipSync(readFileSync(join(BUNDLE, "balances.json.gz"))).toString(),
);
const POOLS = recording.pools.map(({ pool }) => pool);
const BLOCKS = recordedBlocks(BUNDLE);
const LAST = BLOCKS.at(-1)?.number ?? 0;

function chainWith(name: string, feeControllers: Hex[]): Chain {
  const { factory, vault } = recording;
  const deployment = { factory, vault, feeControllers, initCodeHash: null, fee: null, firstBlock: 0 };
  const deployments = [{ ...deployment, protocol: "balancer_v3", family: "balancer-v3" as const }];
  return { ...BARE_CHAIN, name, finality: { kind: "depth", blocks: 1000 }, deployments };
}

const CHAIN = chainWith("recorded", [recording.controller]);

describe("the balances of pools in the real Vault of Balancer V3", () => {
  let market: RecordedMarket;
  let store: ChainStore;

  beforeAll(async () => {
    market = await RecordedMarket.open(BUNDLE);
    store = await market.index(CHAIN);
  });

  afterAll(() => market?.close());

  const amountsAfter = (block: number, chain = CHAIN) => market.amountsAfter(chain, POOLS, block);

  /** Returns the total amount of each token that the Vault holds for a pool, according to its views. */
  const inVault = (held: Held) => held.map((parts) => parts.reduce((sum, part) => sum + BigInt(part), 0n));

  /**
   * Expects the balances after each block to equal the recorded ones. Returns the number of distinct balances
   * over all pools.
   */
  async function expectSame(): Promise<number> {
    const seen = new Set<string>();
    for (const pool of POOLS) {
      const over = await market.amountsOver(CHAIN, pool);
      for (const [i, { number }] of BLOCKS.entries()) {
        const held = recording.state[i]?.held[pool];
        const expected = held && inVault(held);
        expect([number, pool, over[i]]).toEqual([number, pool, expected]);
        if (expected !== undefined) seen.add(`${pool} ${expected}`);
      }
      expect((await amountsAfter(LAST)).get(pool)).toEqual(inVault(recording.state.at(-1)?.held[pool] ?? []));
    }
    return seen.size;
  }

  it("are the pool's own tokens and the fees that are not collected, after every block", async () => {
    const fees = recording.state.flatMap(({ held }) => Object.values(held).flat());
    for (const kind of [1, 2]) expect(fees.some((parts) => parts[kind] !== "0")).toBe(true);
    expect(await expectSame()).toBeGreaterThan(80);
  });

  it("match batch-latest-pool-tvl and pool-tvl-history, now and in the past", async () => {
    const timestamp = BLOCKS.at(-1)?.timestamp;
    const latest = await market.post(CHAIN, BATCH, { pool_address: POOLS, timestamp });
    const given = { pool_address: POOLS[0], interval: "1m", max_size: 1000 };
    const history = await market.post(CHAIN, HISTORY, given);
    const last = recording.state.at(-1)?.held ?? {};
    for (const [i, { tokens, pool }] of recording.pools.entries()) {
      const { token_0_address, token_0_balance, token_1_balance } = latest[i];
      expect(token_0_address).toBe(tokens[0]);
      const held = inVault(last[pool] ?? []);
      for (const [j, balance] of [token_0_balance, token_1_balance].entries())
        expect(
          [6, 18].some((decimals) => Math.abs((balance * 10 ** decimals) / Number(held[j]) - 1) < 1e-12),
        ).toBe(true);
    }
    expect(history.length).toBeGreaterThan(0);
    for (const point of history) expect(point.token_0_balance).toBeGreaterThan(0);
  });

  it("follow a rollback, and are healthy", async () => {
    const block = BLOCKS.at(-30);
    if (block === undefined) expect.fail("too few blocks");
    await store.rollback({ number: block.number, hash: block.hash, timestamp: block.timestamp });
    const expected = recording.state.find((one) => one.block === block.number)?.held ?? {};
    const amounts = await amountsAfter(LAST);
    for (const pool of POOLS) expect(amounts.get(pool)).toEqual(inVault(expected[pool] ?? []));
    store = await market.index(CHAIN);
    await expectSame();
    expect(await market.findings(CHAIN)).toEqual([]);
  });

  it("are unknown if the Vault's fee controller is not listed, or if the index starts later", async () => {
    const other = chainWith("unlisted", [`0x${"9".repeat(40)}`]);
    await market.index(other);
    expect((await amountsAfter(LAST, other)).size).toBe(0);
    const none = chainWith("none", []);
    await market.index(none);
    expect((await amountsAfter(LAST, none)).size).toBe(0);
    const late = chainWith("late", [recording.controller]);
    await market.index(late, LAST - 50);
    expect((await amountsAfter(LAST, late)).size).toBe(0);
    for (const answer of await market.post(late, BATCH, { pool_address: POOLS }))
      expect(answer.token_0_balance).toBeNull();
  });

  it("are unknown from the block on in which the Vault gets a controller that is not listed", async () => {
    const [number, at] = [LAST + 1, (BLOCKS.at(-1)?.timestamp ?? 0) + 12];
    const serving = new ServingState(2 ** 22, undefined, [recording.vault]);
    serving.startAt(await store.committed());
    store.follow(serving);
    const inMemory = () => POOLS.map((pool) => serving.parts.pools.get(pool)?.inVault?.byToken.size ?? 0);
    const isKnown = async (block: number) => (await amountsAfter(block)).size === POOLS.length;
    await loadStates(serving);
    expect(inMemory().every((tokens) => tokens > 0)).toBe(true);
    await append(recording.vault, recording.controller, number, at);
    expect(await isKnown(number)).toBe(true);
    await append(`0x${"8".repeat(40)}`, `0x${"9".repeat(40)}`, number + 1, at + 12);
    expect(await isKnown(number + 1)).toBe(true);
    await loadStates(serving);
    await append(recording.vault, `0x${"9".repeat(40)}`, number + 2, at + 24);
    expect((await amountsAfter(number + 2)).size).toBe(0);
    expect(await isKnown(number + 1)).toBe(true);
    expect(inMemory()).toEqual(POOLS.map(() => 0));
    await loadStates(serving);
    expect(inMemory().every((tokens) => tokens > 0)).toBe(true);
    for (const pool of POOLS) {
      const state = serving.parts.pools.get(pool);
      expect(state?.inVault && poolAmounts(state, state.inVault.byToken)).toBeUndefined();
    }
  });

  async function loadStates(serving: ServingState): Promise<void> {
    const states = await market.read(CHAIN, (snapshot) => readPoolStates(snapshot, POOLS, { rows: null }));
    for (const [pool, state] of states) serving.parts.pools.set(pool, state, LAST);
  }

  /** Appends a block in which a contract reports a new fee controller. */
  async function append(address: Hex, controller: Hex, number: number, at: number): Promise<void> {
    const log = {
      ...{ timestamp: at, address, block_hash: hashOf(number), block_number: number, data: "0x" as const },
      ...{ log_index: 0, record_index: recordIndexOf("wide", number, 0), topic_0: FEE_CONTROLLER_CHANGED },
      ...{ topic_1: `0x${"0".repeat(24)}${controller.slice(2)}` as const, topic_2: null, topic_3: null },
      ...{ transaction_hash: hashOf(7), transaction_index: 0 },
    };
    const trades = [{ token: hexOf(0xe1), at, price: null }];
    await commitTrades(store, trades, { firstBlock: number, rows: { logs: [log] } });
  }
});
