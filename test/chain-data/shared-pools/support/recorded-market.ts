import { expect } from "vitest";
import { createServer } from "../../../../src/api/http/server.ts";
import { post } from "../../../../src/api/support/http.ts";
import type { Chain } from "../../../../src/chains/chain.ts";
import { checkChain } from "../../../../src/doctor/check/check-chain.ts";
import type { Finding } from "../../../../src/doctor/finding.ts";
import { hexBytes, identifier, sql } from "../../../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../../../src/lib/hex.ts";
import { readPools } from "../../../../src/reads/pools/pool-state.ts";
import type { PoolBalances } from "../../../../src/reads/pools/pool-value.ts";
import {
  readVaultAmounts,
  readVaultAmountsOver,
  wholeVaultPools,
} from "../../../../src/reads/pools/vaults/vault-pools.ts";
import { readSnapshot, type Snapshot } from "../../../../src/reads/snapshot/snapshot.ts";
import type { Block } from "../../../../src/schema/block.ts";
import { chainCommits } from "../../../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../../../src/storage/store.ts";
import { indexBlocks } from "../../../support/engine/index-blocks.ts";
import { BARE_CHAIN } from "../../../support/nodes/bare-chain.ts";
import { recordedBlocks } from "../../../support/nodes/recording.ts";
import { type ReplayNode, startReplayNode } from "../../../support/nodes/replay/replay-node.ts";
import { temporaryFolder } from "../../../support/processes/processes.ts";

interface Parts {
  blocks: readonly Block[];
  node: ReplayNode;
  engine: Engine;
  remove: () => void;
}

/** A recorded market whose pools are in one contract. A node replays its blocks. */
export class RecordedMarket {
  readonly #parts: Parts;

  /** @param bundle folder of the recording */
  static async open(bundle: string): Promise<RecordedMarket> {
    const folder = temporaryFolder();
    const node = await startReplayNode([bundle], { chainId: BARE_CHAIN.chainId });
    const engine = await openEmbeddedEngine({ path: folder.path });
    return new RecordedMarket({ blocks: recordedBlocks(bundle), node, engine, remove: folder.remove });
  }

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Indexes a chain, from the given block or else from the first recorded one, to the end of the recording.
   */
  index(chain: Chain, from = this.#parts.blocks[0]?.number ?? 0): Promise<ChainStore> {
    const { blocks, node, engine } = this.#parts;
    return indexBlocks(engine, chain, { url: node.url, from, to: blocks.at(-1)?.number ?? 0 });
  }

  async read<T>(chain: Chain, run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const { engine } = this.#parts;
    return (await readSnapshot({ engine, chains: [this.#readable(chain)] }, chain.name, {}, run)).answer;
  }

  /** Reads the amounts of pools after a block. */
  amountsAfter(chain: Chain, pools: readonly Hex[], block: number): Promise<Map<Hex, PoolBalances>> {
    return this.read(chain, async (snapshot) =>
      readVaultAmounts(snapshot, wholeVaultPools(await readPools(snapshot, pools), chain), block),
    );
  }

  /** Reads the amounts of a pool after each block, as one series. */
  amountsOver(chain: Chain, pool: Hex): Promise<(PoolBalances | undefined)[]> {
    const { blocks } = this.#parts;
    const [first, last] = [blocks[0]?.timestamp ?? 0, blocks.at(-1)?.timestamp ?? 0];
    return this.read(chain, async (snapshot) => {
      const [one] = wholeVaultPools(await readPools(snapshot, [pool]), chain);
      if (one === undefined) return [];
      const over = await readVaultAmountsOver(snapshot, one, { first, last, intervalSeconds: 1 });
      return blocks.map(({ timestamp }) => over[timestamp - first]);
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the tests inspect answers of any shape
  async post(chain: Chain, path: string, body: object): Promise<any> {
    const app = await createServer({ engine: this.#parts.engine, chains: [this.#readable(chain)] });
    const answer = await post(app, path, { ...body, chain: chain.name });
    await app.close();
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  }

  /** Adds every stored log of a contract to the store once more, as a log of another contract. */
  async imitate({ name }: Chain, contract: Hex, imitator: Hex): Promise<void> {
    const [logs, from, to] = [identifier(`${name}_logs`), hexBytes(contract), hexBytes(imitator)];
    await this.#parts.engine.execute(
      sql`INSERT INTO ${logs} SELECT * REPLACE (${to} AS address) FROM ${logs} WHERE address = ${from}`,
    );
  }

  async findings(chain: Chain): Promise<Finding[]> {
    const { engine } = this.#parts;
    const commit = await chainCommits(engine, chain.name).committed();
    if (commit === null) expect.fail("nothing is indexed");
    return checkChain({ engine, chain, commit });
  }

  async close(): Promise<void> {
    const { engine, node, remove } = this.#parts;
    await engine.close();
    await node.stop();
    remove();
  }

  #readable(chain: Chain) {
    return { chain, store: chainCommits(this.#parts.engine, chain.name) };
  }
}
