import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../../src/api/http/server.ts";
import { post } from "../../../src/api/support/http.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { checkChain } from "../../../src/doctor/check/check-chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readPoolStates } from "../../../src/reads/pools/fill-pools.ts";
import { readPools } from "../../../src/reads/pools/pool-state.ts";
import {
  readVaultAmounts,
  readVaultAmountsOver,
  wholeVaultPools,
} from "../../../src/reads/pools/vaults/vault-pools.ts";
import { readSnapshot, type Snapshot } from "../../../src/reads/snapshot/snapshot.ts";
import { commitTrades, hashOf, hexOf } from "../../../src/reads/support/market.ts";
import { FEE_CONTROLLER_CHANGED } from "../../../src/schema/events/vault-events.ts";
import { recordIndexOf } from "../../../src/schema/record-index.ts";
import { poolAmounts } from "../../../src/serving/pools/vault-balances.ts";
import { ServingState } from "../../../src/serving/serving-state.ts";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../../src/storage/store.ts";
import { indexBlocks } from "../../support/engine/index-blocks.ts";
import { BARE_CHAIN } from "../../support/nodes/bare-chain.ts";
import { EXCERPT } from "../../support/nodes/bundles.ts";
import { recordedBlocks } from "../../support/nodes/recording.ts";
import { type ReplayNode, startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import { temporaryFolder } from "../../support/processes/processes.ts";

const BUNDLE = join(EXCERPT, "balancer-v3");
const BATCH = "/v1/market-api/batch-latest-pool-tvl";
const HISTORY = "/v1/market-api/pool-tvl-history";

/** What the Vault holds of each token for a pool: its balance, swap fees and yield fees, in base units. */
type Held = [string, string, string][];

interface Recording {
  vault: Hex;
  controller: Hex;
  factory: Hex;
  pools: { pool: Hex; tokens: Hex[] }[];
  /** What the Vault's views return after each block, by pool. */
  state: { block: number; held: Record<Hex, Held> }[];
}

const recording: Recording = JSON.parse(
  gunzipSync(readFileSync(join(BUNDLE, "balances.json.gz"))).toString(),
);
const POOLS = recording.pools.map(({ pool }) => pool);
const BLOCKS = recordedBlocks(BUNDLE);
const [FIRST, LAST] = [BLOCKS[0]?.number ?? 0, BLOCKS.at(-1)?.number ?? 0];

function chainWith(name: string, feeControllers: Hex[]): Chain {
  const { factory, vault } = recording;
  const deployment = { factory, vault, feeControllers, initCodeHash: null, fee: null, firstBlock: 0 };
  const deployments = [{ ...deployment, protocol: "balancer_v3", family: "balancer-v3" as const }];
  return { ...BARE_CHAIN, name, finality: { kind: "depth", blocks: 1000 }, deployments };
}

const CHAIN = chainWith("recorded", [recording.controller]);

describe("the balances of pools in the real Vault of Balancer V3", () => {
  const folder = temporaryFolder();
  let node: ReplayNode;
  let engine: Engine;
  let store: ChainStore;

  beforeAll(async () => {
    node = await startReplayNode([BUNDLE], { chainId: CHAIN.chainId });
    engine = await openEmbeddedEngine({ path: folder.path });
    store = await index(CHAIN);
  });

  afterAll(async () => {
    await engine?.close();
    await node?.stop();
    folder.remove();
  });

  const index = (chain: Chain, from = FIRST) => indexBlocks(engine, chain, { url: node.url, from, to: LAST });

  async function read<T>(chain: Chain, run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const reader = { engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] };
    return (await readSnapshot(reader, chain.name, {}, run)).answer;
  }

  const amountsAfter = (block: number, chain = CHAIN) =>
    read(chain, async (snapshot) =>
      readVaultAmounts(snapshot, wholeVaultPools(await readPools(snapshot, POOLS), chain), block),
    );

  /** Returns what the Vault's views say that it holds. */
  const inVault = (held: Held) => held.map((parts) => parts.reduce((sum, part) => sum + BigInt(part), 0n));

  /** Compares the balances after each block. Returns how many were different from the block before. */
  async function expectSame(): Promise<number> {
    const [first, last] = [BLOCKS[0]?.timestamp ?? 0, BLOCKS.at(-1)?.timestamp ?? 0];
    const points = { first, last, intervalSeconds: 1 };
    const seen = new Set<string>();
    for (const pool of POOLS) {
      const over = await read(CHAIN, async (snapshot) => {
        const [one] = wholeVaultPools(await readPools(snapshot, [pool]), CHAIN);
        return one === undefined ? [] : readVaultAmountsOver(snapshot, one, points);
      });
      for (const [i, { number, timestamp }] of BLOCKS.entries()) {
        const held = recording.state[i]?.held[pool];
        const expected = held && inVault(held);
        expect([number, pool, over[timestamp - first]]).toEqual([number, pool, expected]);
        if (expected !== undefined) seen.add(`${pool} ${expected}`);
      }
      expect((await amountsAfter(LAST)).get(pool)).toEqual(inVault(recording.state.at(-1)?.held[pool] ?? []));
    }
    return seen.size;
  }

  async function withServer<T>(chain: Chain, run: (app: FastifyInstance) => Promise<T>): Promise<T> {
    const app = await createServer({
      ...{ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] },
    });
    const answer = await run(app);
    await app.close();
    return answer;
  }

  it("are the pool's own tokens and the fees that are not collected, after every block", async () => {
    const fees = recording.state.flatMap(({ held }) => Object.values(held).flat());
    for (const kind of [1, 2]) expect(fees.some((parts) => parts[kind] !== "0")).toBe(true);
    expect(await expectSame()).toBeGreaterThan(80);
  });

  it("are those of batch-latest-pool-tvl and pool-tvl-history, now and in the past", async () => {
    const timestamp = BLOCKS.at(-1)?.timestamp;
    const answers = await withServer(CHAIN, async (app) => {
      const { body } = await post(app, BATCH, { pool_address: POOLS, timestamp, chain: CHAIN.name });
      const given = { pool_address: POOLS[0], interval: "1m", max_size: 1000, chain: CHAIN.name };
      return { latest: body.data, history: (await post(app, HISTORY, given)).body.data };
    });
    const last = recording.state.at(-1)?.held ?? {};
    for (const [i, { tokens, pool }] of recording.pools.entries()) {
      const { token_0_address, token_0_balance, token_1_balance } = answers.latest[i];
      expect(token_0_address).toBe(tokens[0]);
      const held = inVault(last[pool] ?? []);
      for (const [j, balance] of [token_0_balance, token_1_balance].entries())
        expect(
          [6, 18].some((decimals) => Math.abs((balance * 10 ** decimals) / Number(held[j]) - 1) < 1e-12),
        ).toBe(true);
    }
    expect(answers.history.length).toBeGreaterThan(0);
    for (const point of answers.history) expect(point.token_0_balance).toBeGreaterThan(0);
  });

  it("follow a rollback, and are healthy", async () => {
    const block = BLOCKS.at(-30);
    if (block === undefined) expect.fail("too few blocks");
    await store.rollback({ number: block.number, hash: block.hash, timestamp: block.timestamp });
    const expected = recording.state.find((one) => one.block === block.number)?.held ?? {};
    const amounts = await amountsAfter(LAST);
    for (const pool of POOLS) expect(amounts.get(pool)).toEqual(inVault(expected[pool] ?? []));
    store = await index(CHAIN);
    await expectSame();
    const commit = await chainCommits(engine, CHAIN.name).committed();
    if (commit === null) expect.fail("nothing is indexed");
    expect(await checkChain({ engine, chain: CHAIN, commit })).toEqual([]);
  });

  it("are unknown if the Vault's fee controller is not listed, or if the index starts later", async () => {
    const other = chainWith("unlisted", [`0x${"9".repeat(40)}`]);
    await index(other);
    expect((await amountsAfter(LAST, other)).size).toBe(0);
    const none = chainWith("none", []);
    await index(none);
    expect((await amountsAfter(LAST, none)).size).toBe(0);
    const late = chainWith("late", [recording.controller]);
    await index(late, LAST - 50);
    expect((await amountsAfter(LAST, late)).size).toBe(0);
    const { body } = await withServer(late, (app) =>
      post(app, BATCH, { pool_address: POOLS, chain: "late" }),
    );
    for (const answer of body.data) expect(answer.token_0_balance).toBeNull();
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
    const states = await read(CHAIN, (snapshot) => readPoolStates(snapshot, POOLS, { rows: null }));
    for (const [pool, state] of states) serving.parts.pools.set(pool, state, LAST);
  }

  /** Appends a block in which a contract reports a new fee controller. */
  async function append(address: Hex, controller: Hex, number: number, at: number): Promise<void> {
    const log = {
      ...{ timestamp: at, address, block_hash: hashOf(number), block_number: number, data: "0x" as const },
      ...{ log_index: 0, record_index: recordIndexOf(number, 0), topic_0: FEE_CONTROLLER_CHANGED },
      ...{ topic_1: `0x${"0".repeat(24)}${controller.slice(2)}` as const, topic_2: null, topic_3: null },
      ...{ transaction_hash: hashOf(7), transaction_index: 0 },
    };
    const trades = [{ token: hexOf(0xe1), at, price: null }];
    await commitTrades(store, trades, { firstBlock: number, rows: { logs: [log] } });
  }
});
