import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../../src/api/http/server.ts";
import { post } from "../../../src/api/support/http.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { checkChain } from "../../../src/doctor/check/check-chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readPools } from "../../../src/reads/pools/pool-state.ts";
import {
  readVaultAmounts,
  readVaultAmountsOver,
  wholeVaultPools,
} from "../../../src/reads/pools/vaults/vault-pools.ts";
import { readSnapshot, type Snapshot } from "../../../src/reads/snapshot/snapshot.ts";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../../src/storage/store.ts";
import { indexBlocks } from "../../support/engine/index-blocks.ts";
import { BARE_CHAIN } from "../../support/nodes/bare-chain.ts";
import { EXCERPT } from "../../support/nodes/bundles.ts";
import { recordedBlocks } from "../../support/nodes/recording.ts";
import { type ReplayNode, startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import { temporaryFolder } from "../../support/processes/processes.ts";

const BUNDLE = join(EXCERPT, "ekubo-v3");
const BATCH = "/v1/market-api/batch-latest-pool-tvl";
const HISTORY = "/v1/market-api/pool-tvl-history";

/** What the Core has of each token, and how much of it is saved for others, in base units. */
type Held = [string, string][];

/** Each token is in one pool only. */
interface Recording {
  core: Hex;
  pools: { pool: Hex }[];
  /** What the Core has after each block, by pool. */
  state: { block: number; held: Record<Hex, Held> }[];
}

const recording: Recording = JSON.parse(
  gunzipSync(readFileSync(join(BUNDLE, "balances.json.gz"))).toString(),
);
const POOLS = recording.pools.map(({ pool }) => pool);
const BLOCKS = recordedBlocks(BUNDLE);
const [FIRST, LAST] = [BLOCKS[0]?.number ?? 0, BLOCKS.at(-1)?.number ?? 0];

function chainNamed(name: string): Chain {
  const deployment = { factory: recording.core, initCodeHash: null, fee: null, firstBlock: 0 };
  const deployments = [{ ...deployment, protocol: "ekubo_v3", family: "ekubo" as const }];
  return { ...BARE_CHAIN, name, finality: { kind: "depth", blocks: 1000 }, deployments };
}

const CHAIN = chainNamed("recorded");

describe("the balances of pools in the real Core of Ekubo, version 3", () => {
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

  /** Returns what the Core has for a pool. */
  const inCore = (held: Held = []) => held.map(([has, saved]) => BigInt(has) - BigInt(saved));

  const heldAfter = (block: number) => recording.state.find((one) => one.block === block)?.held ?? {};

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
      // The pools are created in the first blocks.
      for (const [i, { number, timestamp }] of BLOCKS.entries()) {
        const amounts = over[timestamp - first];
        const expected = inCore(recording.state[i]?.held[pool]);
        expect([number, pool, amounts ?? [0n, 0n]]).toEqual([number, pool, expected]);
        if (amounts !== undefined) seen.add(`${pool} ${amounts}`);
      }
      expect((await amountsAfter(LAST)).get(pool)).toEqual(inCore(heldAfter(LAST)[pool]));
    }
    return seen.size;
  }

  async function post200(chain: Chain, path: string, body: object) {
    const app = await createServer({
      ...{ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] },
    });
    const answer = await post(app, path, { ...body, chain: chain.name });
    await app.close();
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  }

  it("are the Core's tokens after every block", async () => {
    expect((await amountsAfter(LAST)).size).toBe(POOLS.length);
    expect(await expectSame()).toBeGreaterThan(80);
  });

  it("are those of batch-latest-pool-tvl and pool-tvl-history", async () => {
    const latest = await post200(CHAIN, BATCH, {
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
    const points = await post200(CHAIN, HISTORY, { pool_address: POOLS[0], interval: "1m" });
    expect(points.length).toBeGreaterThan(0);
    for (const { as_of_timestamp: timestamp, token_0_balance } of points) {
      const [then] = await post200(CHAIN, BATCH, { pool_address: [POOLS[0]], timestamp });
      expect(then.token_0_balance).toBe(token_0_balance);
    }
  });

  it("follow a rollback, and are healthy, also in memory", async () => {
    const block = BLOCKS.at(-30);
    if (block === undefined) expect.fail("too few blocks");
    await store.rollback({ number: block.number, hash: block.hash, timestamp: block.timestamp });
    const amounts = await amountsAfter(LAST);
    for (const pool of POOLS) expect(amounts.get(pool)).toEqual(inCore(heldAfter(block.number)[pool]));
    store = await index(CHAIN);
    await expectSame();
    const commit = await chainCommits(engine, CHAIN.name).committed();
    if (commit === null) expect.fail("nothing is indexed");
    expect(await checkChain({ engine, chain: CHAIN, commit })).toEqual([]);
  });

  it("are unknown in an index that starts after the creation of the pools", async () => {
    const late = chainNamed("late");
    await index(late, LAST - 50);
    expect((await amountsAfter(LAST, late)).size).toBe(0);
    for (const { token_0_balance } of await post200(late, BATCH, { pool_address: POOLS }))
      expect(token_0_balance).toBeNull();
  });
});
