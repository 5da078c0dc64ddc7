import type { Chain } from "../../../src/chains/chain.ts";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { Indexer } from "../../../src/ingest/indexer.ts";
import { openRpcSource } from "../../../src/sources/rpc-source.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import type { ChainStore, Engine } from "../../../src/storage/store.ts";
import { bundleCounts, MAINNET } from "../nodes/bundles.ts";
import { startReplayNode } from "../nodes/replay/replay-node.ts";

interface Blocks {
  /** The node's URL. */
  url: string;
  /** Default: 0. */
  from?: number;
  to: number;
}

/** Indexes blocks of a node, as the service does. */
export async function indexBlocks(
  engine: Engine,
  chain: Chain,
  { url, from = 0, to }: Blocks,
): Promise<ChainStore> {
  const logger = { info() {}, warn() {} };
  const { signal } = new AbortController();
  const store = await openChainStore(engine, chain.name);
  const source = await openRpcSource({ urls: [url], chain, verify: true, logger, signal });
  await new Indexer({ chain, source, store, engine, from, to, signal, logger }).run();
  await source.close();
  return store;
}

/** Indexes the recorded blocks of mainnet. */
export async function indexMainnet(engine: Engine): Promise<ChainStore> {
  const { first: from, last: to } = bundleCounts(MAINNET);
  const node = await startReplayNode([MAINNET]);
  try {
    return await indexBlocks(engine, ethereum, { url: node.url, from, to });
  } finally {
    await node.stop();
  }
}
