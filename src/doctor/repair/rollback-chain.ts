import type { Chain } from "../../chains/chain.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import { storedBlock } from "../../ingest/reorg/stored-block.ts";
import type { Hex } from "../../lib/hex.ts";
import { copyOf } from "../../storage/extension/chain-copy.ts";
import { storedExtension } from "../../storage/extension/extension-log.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import { commitsTable, engineTable } from "../../storage/tables/ddl.ts";

export interface RollbackChainOptions {
  engine: Engine;
  chain: Chain;
  store: ChainStore;
  /** Reopens the chain after it was emptied. */
  reopen: () => Promise<ChainStore>;
}

/**
 * Rolls back all blocks from a given block on.
 *
 * @returns the store to use from now on
 */
export async function rollbackChain(from: number, options: RollbackChainOptions): Promise<ChainStore> {
  const { engine, chain, store } = options;
  const commit = await store.committed();
  if (commit === null || from > commit.blockNumber) return store;
  if (from <= commit.firstBlock) return rollbackWholeChain(commit, options);
  const before = await storedBlock(engine, chain.name, from - 1);
  if (before === null) return rollbackChain(from - 1, options);
  await store.rollback(before);
  return store;
}

export interface RollbackCopyOptions extends Pick<RollbackChainOptions, "engine" | "chain"> {
  /** Opens the store of the copy that an unfinished extension to earlier blocks builds. */
  openCopy(chain: string): Promise<ChainStore>;
}

/**
 * Rolls back all blocks from a given block on in the copy of an unfinished extension, if there is one. Must
 * be called before these blocks are changed in the chain itself: otherwise an interruption could leave them
 * in the copy, which later replaces the chain.
 */
export async function rollbackCopy(
  from: number,
  { engine, chain, openCopy }: RollbackCopyOptions,
): Promise<void> {
  if ((await storedExtension(engine, chain.name))?.state !== "building") return;
  const reopen = () => openCopy(chain.name);
  const copied = { ...chain, name: copyOf(chain.name) };
  await rollbackChain(from, { engine, chain: copied, store: await reopen(), reopen });
}

/**
 * Placeholder for a parent hash that is not stored. No block has this hash, so the indexer uses the one that
 * its source reports.
 */
const UNKNOWN_HASH: Hex = `0x${"0".repeat(64)}`;

async function rollbackWholeChain(commit: Commit, options: RollbackChainOptions): Promise<ChainStore> {
  const { engine, chain, store, reopen } = options;
  const { firstBlock, timestamp } = commit;
  if (firstBlock === 0) {
    // There is no block before block 0 to roll back to. Without commits, the store empties its tables.
    await store.maintain((guarded) => guarded.execute(sql`TRUNCATE TABLE ${commitsTable(chain.name)}`));
    return reopen();
  }
  const [row] = await engine.query<{ hash: Hex }>(sql`SELECT concat('0x', lower(hex(parent_hash))) AS hash
    FROM ${engineTable(chain.name, "blocks")} WHERE block_number = ${integer(firstBlock)} LIMIT 1`);
  await store.rollback({ number: firstBlock - 1, hash: row?.hash ?? UNKNOWN_HASH, timestamp });
  return store;
}
