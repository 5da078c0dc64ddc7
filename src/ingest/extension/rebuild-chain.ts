import { scopeOf } from "../../chains/chain.ts";
import { isSameMetadata, type TokenList } from "../../chains/token-list.ts";
import { hexText, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Token } from "../../schema/swap.ts";
import { wasRewritten } from "../../storage/commits/commit-log.ts";
import { copyOf } from "../../storage/extension/chain-copy.ts";
import { copyOrigin } from "../../storage/extension/extension-log.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { storedTokens } from "../caches/token-cache.ts";
import { Indexer } from "../indexer.ts";
import type { IndexOptions } from "../steps/index-context.ts";
import { ExtendedSource } from "./extended-source.ts";

export interface RebuildOptions
  extends Pick<
    IndexOptions,
    | "chain"
    | "source"
    | "engine"
    | "signal"
    | "logger"
    | "tokenList"
    | "requireRoom"
    | "onProgress"
    | "batchLimits"
  > {
  store: ChainStore;
  /** The store of the copy. */
  copy: ChainStore;
}

/**
 * Indexes a chain again from its stored rows, with different token metadata, into a hidden copy. The copy's
 * tables then replace the chain's tables, in one step for readers. Nothing else may write to the chain in the
 * meantime.
 *
 * @returns the new commit; null if no block is committed, or if the signal aborts first. In these cases, the
 * part of the copy built so far remains
 */
export async function rebuildChain(options: RebuildOptions): Promise<Commit | null> {
  const { store, copy, chain, engine, source } = options;
  const newest = await store.committed();
  if (newest === null) return null;
  const { firstBlock, blockNumber } = newest;
  const isWhole = scopeOf(chain).keep === "all";
  const turn = () => Promise.resolve();
  const indexer = new Indexer({
    ...options,
    chain: { ...chain, name: copyOf(chain.name) },
    original: chain.name,
    source: new ExtendedSource({ source, engine, store, firstStored: firstBlock, isWhole, turn }),
    store: copy,
    from: firstBlock,
    to: blockNumber,
    stallMs: Number.POSITIVE_INFINITY,
  });
  await indexer.run();
  const copied = await copy.committed();
  return copied === null || copied.blockNumber < blockNumber ? null : store.exchange(copied);
}

/**
 * Returns whether a copy that an interrupted run began can be continued. That is the case if no block of the
 * chain has been rolled back or replaced since, an endpoint is available now if and only if one was then, and
 * the copy's tokens have the list's metadata or, if they are not listed, the chain's metadata.
 */
export async function isCopyUsable(
  engine: Engine,
  chain: string,
  { tokenList, hasNode }: { tokenList: TokenList; hasNode: boolean },
): Promise<boolean> {
  const origin = await copyOrigin(engine, chain);
  if (origin === null || origin.hasNode !== hasNode) return false;
  if (await wasRewritten(engine, chain, origin)) return false;
  const isAsListed = (token: Token) => isSameMetadata(token, tokenList.get(token.address) ?? token);
  const listed = await storedTokens(engine, copyOf(chain), [...tokenList.keys()]);
  const changed = await engine.query<Pick<Token, "address">>(changedTokensQuery(chain));
  return listed.every(isAsListed) && changed.every(({ address }) => tokenList.has(address));
}

function changedTokensQuery(chain: string): Sql {
  // Compares text, so that two missing values are equal.
  const metadata = sql`toString(tuple(token_symbol, token_name, decimals))`;
  return sql`SELECT ${hexText(sql`token_address`)} AS address FROM ${engineTable(copyOf(chain), "token_metadata")}
    WHERE (token_address, ${metadata}) NOT IN
      (SELECT token_address, ${metadata} FROM ${engineTable(chain, "token_metadata")})`;
}
