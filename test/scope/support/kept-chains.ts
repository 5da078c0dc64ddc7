import { ethereum } from "../../../src/chains/ethereum.ts";
import { asStored, openForWriting } from "../../../src/cli/open-store.ts";
import { BlockPipeline } from "../../../src/ingest/blocks/block-pipeline.ts";
import type { Block } from "../../../src/schema/block.ts";
import type { KeepLevel } from "../../../src/schema/scope.ts";
import { chainCommits } from "../../../src/storage/commits/commit-log.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { MAINNET } from "../../support/nodes/bundles.ts";
import { recordedBlocks, recordedCalls } from "../../support/nodes/recording.ts";

export const BLOCKS = recordedBlocks(MAINNET);
export const SOURCE = { call: recordedCalls(MAINNET), pastLogs: async () => null };

const BATCH_BLOCKS = 5;

/** Indexes the recorded blocks under a name. Each batch gets a new pipeline, as after a restart. */
export async function indexChain(engine: Engine, name: string, keep?: KeepLevel) {
  const facts = { ...ethereum, name };
  const store = await openForWriting(engine, facts, { keep });
  const chain = await asStored(engine, facts);
  for (let i = 0; i < BLOCKS.length; i += BATCH_BLOCKS) {
    const blocks = BLOCKS.slice(i, i + BATCH_BLOCKS) as [Block, ...Block[]];
    const pipeline = new BlockPipeline({ chain, source: SOURCE, engine });
    const batch = await pipeline.prepare(blocks, await store.committed());
    await store.commit({ ...batch, finalized: batch.lastBlock.number });
  }
  return { chain, store };
}

export async function readable(engine: Engine, name: string) {
  return {
    chain: await asStored(engine, { ...ethereum, name }),
    store: chainCommits(engine, name),
  };
}

/** The tables that every level holds in full. */
export const ALWAYS_KEPT = [
  "singleton_logs",
  "dex_trades",
  "wallet_trades",
  "pool_metadata",
  "token_metadata",
  "token_balances",
] as const;

export function among(checksums: Record<string, unknown>, tables: readonly string[]) {
  return Object.fromEntries(tables.map((table) => [table, checksums[table]]));
}
