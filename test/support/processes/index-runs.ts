import { setTimeout as sleep } from "node:timers/promises";
import type { Chain } from "../../../src/chains/chain.ts";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { NO_TOKENS, type TokenList } from "../../../src/chains/token-list.ts";
import { hexText, sql } from "../../../src/engine-sql/sql-text.ts";
import { BATCH_LIMITS } from "../../../src/ingest/blocks/batches.ts";
import type { CacheLimits } from "../../../src/ingest/caches/block-caches.ts";
import { Indexer } from "../../../src/ingest/indexer.ts";
import type { BlockOrigin, BlockProof } from "../../../src/schema/block.ts";
import type { Token } from "../../../src/schema/swap.ts";
import type { Prover } from "../../../src/sources/prover/prover.ts";
import { openRpcSource, type RpcLimits } from "../../../src/sources/rpc-source.ts";
import type { Source } from "../../../src/sources/source.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { dropChain } from "../engine/drop-chain.ts";
import { type Checksums, checksums } from "../engine/table-checksums.ts";
import { temporaryFolder } from "./processes.ts";

interface Run {
  urls: string[];
  /** Default: Ethereum mainnet. */
  chain?: Chain;
  /** Maximum number of blocks in a commit. */
  batchBlocks?: number;
  from: number;
  to: number;
  /** Follows the chain's head, and stops when `to` is indexed. */
  isFollowing?: boolean;
  verify?: boolean;
  limits?: Partial<RpcLimits>;
  prover?: Prover;
  tokenList?: TokenList;
  cacheLimits?: CacheLimits;
  /** Wraps the source of the endpoints in another one. Closing the outer source closes both. */
  over?: (node: Source, signal: AbortSignal) => Promise<Source>;
}

/** How far a block was proven, and where the block came from. */
export interface StoredProof {
  proof: BlockProof;
  origin: BlockOrigin;
}

interface Indexed {
  tables: Checksums;
  /** The checksums of the tables without the proof of blocks. */
  withoutProofs: Checksums;
  /** Proofs in block order. */
  proofs: StoredProof[];
  tokens: Token[];
  warnings: string[];
}

export interface IndexRuns {
  /** Indexes a range of a chain into tables that are dropped afterwards. */
  index(run: Run): Promise<Indexed>;
  close(): Promise<void>;
}

/** Opens one engine for many consecutive index runs. Starting a process for each run would take seconds. */
export async function openIndexRuns(): Promise<IndexRuns> {
  const folder = temporaryFolder();
  const engine = await openEmbeddedEngine({ path: folder.path });
  return {
    index: (run) => indexedOnce(engine, run),
    close: async () => {
      await engine.close();
      folder.remove();
    },
  };
}

const NAME = "runs";

async function indexedOnce(engine: Engine, run: Run): Promise<Indexed> {
  const warnings: string[] = [];
  const logger = {
    info() {},
    warn: (_: object, message: string) => void warnings.push(message),
  };
  const chain = { ...(run.chain ?? ethereum), name: NAME };
  const { urls, limits = {}, verify = true, from, to, batchBlocks = BATCH_LIMITS.blocks } = run;
  const { tokenList = NO_TOKENS, cacheLimits } = run;
  const stop = new AbortController();
  const proving = run.prover === undefined ? {} : { prover: run.prover };
  const node = await openRpcSource({ urls, chain, verify, logger, limits, ...proving, signal: stop.signal });
  const source = (await run.over?.(node, stop.signal)) ?? node;
  try {
    const store = await openChainStore(engine, NAME);
    const indexer = new Indexer({
      ...{ chain, source, store, engine, tokenList, from, logger },
      ...(cacheLimits === undefined ? {} : { cacheLimits }),
      to: run.isFollowing === true ? null : to,
      signal: stop.signal,
      pollMs: 10,
      batchLimits: { ...BATCH_LIMITS, blocks: batchBlocks },
    });
    const running = indexer.run();
    await Promise.race([running, isCommitted(store, to, stop.signal)]);
    stop.abort();
    await running;
    return {
      tables: await checksums(engine, NAME),
      withoutProofs: await checksums(engine, NAME, false),
      proofs: await proofsOf(engine),
      tokens: await tokensOf(engine),
      warnings,
    };
  } finally {
    stop.abort();
    await source.close();
    await dropChain(engine, NAME);
  }
}

function tokensOf(engine: Engine): Promise<Token[]> {
  return engine.query(sql`SELECT ${hexText(sql`token_address`)} AS address, token_symbol AS symbol,
    token_name AS name, decimals FROM ${engineTable(NAME, "token_metadata")}`);
}

function proofsOf(engine: Engine): Promise<StoredProof[]> {
  return engine.query(sql`SELECT proof, origin FROM ${engineTable(NAME, "blocks")} ORDER BY block_number`);
}

async function isCommitted(store: ChainStore, block: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && ((await store.committed())?.blockNumber ?? 0) < block) await sleep(20);
}
