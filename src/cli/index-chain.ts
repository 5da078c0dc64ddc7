import { Command } from "commander";
import type { Chain } from "../chains/chain.ts";
import type { Settings } from "../config/settings.ts";
import { BATCH_LIMITS } from "../ingest/batches.ts";
import { Indexer } from "../ingest/indexer.ts";
import { BaseError } from "../lib/error.ts";
import { createLogger, type Logger } from "../lib/log.ts";
import { openRpcSource, type RpcSource } from "../sources/rpc/rpc-source.ts";
import type { Source } from "../sources/source.ts";
import type { ChainStore } from "../storage/store.ts";
import { chainNamed } from "./chain-named.ts";
import { type OpenStore, openForWriting, openStore } from "./open-store.ts";
import { addSettings, configOf } from "./options.ts";
import { progressView } from "./progress-bar.ts";
import { shutdownSignal, unlessAborted } from "./shutdown.ts";

const SETTING_NAMES = [
  "chain",
  "rpc",
  "from",
  "to",
  "data",
  "clickhouse",
  "verify",
  "batchBlocks",
  "logLevel",
] as const;

type IndexSettings = Settings<"rpc" | "from" | "to" | "verify" | "batchBlocks">;

/** `quarry index`: fetch, prove, decode, price and store; exits when `--to` is committed. */
export function indexCommand(): Command {
  const command = new Command("index").description("index a chain; resumes where it stopped");
  return addSettings(command, SETTING_NAMES).action(async () => {
    const { settings, chains } = configOf(command, SETTING_NAMES);
    requireRange(settings);
    const logger = createLogger(settings.logLevel);
    const chain = chainNamed(chains, settings.chain);
    const signal = shutdownSignal();
    const store = await openStore(settings);
    const progress = progressView(logger);
    try {
      const chainStore = await openForWriting(store.engine, chain);
      const opened = { chain, store, chainStore, signal, logger };
      await withIndexer(settings, opened, async (indexer) => indexer.run(), progress.update);
    } finally {
      progress.stop();
      await store.close();
    }
  });
}

export interface OpenChain {
  chain: Chain;
  store: OpenStore;
  chainStore: ChainStore;
  signal: AbortSignal;
  logger: Logger;
}

/** Runs something with an indexer over the configured endpoints, and closes these afterwards. */
export async function withIndexer(
  settings: IndexSettings,
  opened: OpenChain,
  use: (indexer: Indexer, source: RpcSource) => Promise<void>,
  onProgress?: ConstructorParameters<typeof Indexer>[0]["onProgress"],
): Promise<void> {
  const { chain, logger, signal, store, chainStore } = opened;
  const { rpc: urls, verify } = settings;
  const source = await unlessAborted(signal, () => openRpcSource({ urls, chain, verify, logger, signal }));
  if (source === null) return;
  try {
    const from = await unlessAborted(signal, () => firstBlock(settings, { source, chainStore, chain }));
    if (from === null) return;
    const indexer = new Indexer({
      chain,
      source,
      store: chainStore,
      engine: store.engine,
      from,
      to: settings.to ?? null,
      batchLimits: { ...BATCH_LIMITS, blocks: settings.batchBlocks },
      signal,
      logger,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    await use(indexer, source);
  } finally {
    await source.close();
  }
}

const DAY_MS = 86_400_000;

/**
 * Where to begin. Without --from: where the store ends; an empty one begins a day before the head.
 *
 * @throws EmptyRange when `to` is given and lies before
 */
async function firstBlock(
  { from, to }: Pick<IndexSettings, "from" | "to">,
  { source, chainStore, chain }: { source: Source; chainStore: ChainStore; chain: Chain },
): Promise<number> {
  if (from !== undefined) return from;
  const commit = await chainStore.committed();
  if (commit !== null) return commit.blockNumber + 1;
  const head = await source.head();
  const newestDay = Math.max(0, head.number - Math.round(DAY_MS / chain.blockTimeMs));
  if (to !== undefined && to < newestDay) {
    throw new EmptyRange(`the newest day, which begins at block ${newestDay}: give --from`, to);
  }
  return newestDay;
}

/** @throws EmptyRange, before anything is opened or created */
export function requireRange({ from, to }: Pick<IndexSettings, "from" | "to">): void {
  if (from !== undefined && to !== undefined && to < from) throw new EmptyRange(`--from ${from}`, to);
}

class EmptyRange extends BaseError {
  constructor(first: string, to: number) {
    super("bad-config", `--to ${to} lies before ${first}`);
  }
}
