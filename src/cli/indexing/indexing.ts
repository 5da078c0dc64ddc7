import type { Chain } from "../../chains/chain.ts";
import type { TokenList } from "../../chains/token-list.ts";
import type { Config } from "../../config/load-config.ts";
import { BATCH_LIMITS } from "../../ingest/blocks/batches.ts";
import { incompleteTokens } from "../../ingest/discovery/incomplete-tokens.ts";
import type { Extension } from "../../ingest/extension/extension.ts";
import { Indexer } from "../../ingest/indexer.ts";
import type { OpeningFinder } from "../../ingest/openings/opening-finder.ts";
import { unlessAborted, withAbort } from "../../lib/async/abort.ts";
import { createLogger, type Logger } from "../../lib/log.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import type { RpcSource } from "../../sources/rpc-source.ts";
import type { Source } from "../../sources/source.ts";
import type { ChainStore, Engine } from "../../storage/store.ts";
import { configuredChain } from "../configured-chain.ts";
import { asStored, type OpenStore, openRepaired, openStore } from "../open-store.ts";
import { logAddressChanges } from "../server-addresses.ts";
import { shutdownSignal } from "../shutdown.ts";
import { withTracing } from "../tracing/start-tracing.ts";
import { type BlockRange, EmptyRange, requireRange } from "./block-range.ts";
import { planExtension, runBoth } from "./extending.ts";
import type { INDEX_SETTINGS } from "./index-settings.ts";
import { IndexingView } from "./indexing-view.ts";
import { checkSource, type OpenSource, openSource } from "./open-source.ts";
import { openingFinder, requireTransfers } from "./openings.ts";
import { roomCheck } from "./room-check.ts";
import { readTokenLists } from "./token-lists.ts";

type IndexConfig = Config<(typeof INDEX_SETTINGS)[number]>;

/** An indexer that is ready to run, and its parts. */
export interface ReadyIndexer {
  indexer: Indexer;
  /** Finds balances before the first block; null if this search is off, or there is no endpoint. */
  openings: OpeningFinder | null;
  source: Pick<RpcSource, "endpoints" | "outage">;
  chain: Chain;
  engine: Engine;
  chainStore: ChainStore;
  /** The data directory; null if a server holds the tables. */
  directory: string | null;
  publishAddress: OpenStore["publishAddress"];
  /** Metadata of tokens from `--tokens`. */
  tokenList: TokenList;
  signal: AbortSignal;
  logger: Logger;
  view: IndexingView;
  /** The extension to earlier blocks in progress; null if there is none. */
  extension: Extension | null;
  /** Indexes, and extends the index if requested, until `--to` is reached or the process must stop. */
  run(): Promise<void>;
}

/**
 * Opens the configured store and endpoints, passes them to `use`, and closes them in any case. Does not call
 * `use` if the process must stop before that.
 *
 * @throws EmptyRange, UnknownChain, InvalidEndpointUrl, OnlyWebSockets, InvalidTokenList, NoTransfers before
 * anything is opened or created
 */
export async function withIndexer(
  config: IndexConfig,
  use: (ready: ReadyIndexer) => Promise<void>,
): Promise<void> {
  const { settings, chains } = config;
  requireRange(settings);
  requireTransfers(settings.chain, settings.openingBalances, { keep: settings.keep ?? "all", rawFrom: 0 });
  const configured = configuredChain(chains, settings.chain);
  checkSource(settings, configured);
  const tokenList = await readTokenLists(settings.tokens, configured);
  const logger = createLogger(settings.logLevel);
  const signal = shutdownSignal();
  const given = { settings, configured, tokenList, logger, signal };
  await withTracing(settings, logger, () => withStore(given, use));
}

interface Given {
  settings: IndexConfig["settings"];
  configured: ReturnType<typeof configuredChain>;
  tokenList: Awaited<ReturnType<typeof readTokenLists>>;
  logger: ReturnType<typeof createLogger>;
  signal: AbortSignal;
}

async function withStore(
  { settings, configured, tokenList, logger, signal }: Given,
  use: (ready: ReadyIndexer) => Promise<void>,
): Promise<void> {
  const store = await openStore(settings);
  const view = new IndexingView({ log: (fields, text) => logger.info(fields, text) });
  try {
    const { engine, directory, publishAddress } = store;
    logAddressChanges(engine, logger);
    await store.publishEngine();
    const warn = (reason: string, blocks: { first: number; last: number }) =>
      logger.warn({ chain: configured.name, ...blocks }, reason);
    const chainStore = await openRepaired(store, configured, warn, settings.keep);
    const chain = await asStored(engine, configured);
    const incomplete = await incompleteTokens(engine, chain.name, tokenList);
    if (incomplete !== null) logger.warn({ chain: chain.name, ...incomplete }, STAYS_INCOMPLETE);
    const { openCopy } = store;
    const opened = { chain, engine, chainStore, directory, publishAddress, tokenList, signal, logger, view };
    await withSource(settings, { ...opened, openCopy }, use);
  } finally {
    view.stop();
    await store.close();
  }
}

const STAYS_INCOMPLETE =
  "some stored tokens lack values that the lists of --tokens contain; lists apply only to new tokens. To complete " +
  "the stored tokens, stop this process and run quarry repair metadata";

async function withSource(
  settings: IndexConfig["settings"],
  opened: Omit<ReadyIndexer, "indexer" | "source" | "openings" | "extension" | "run"> &
    Pick<OpenStore, "openCopy">,
  use: (ready: ReadyIndexer) => Promise<void>,
): Promise<void> {
  const { chain, chainStore, directory, engine, logger, signal, view } = opened;
  const open = await unlessAborted(signal, () => openSource(settings, opened));
  if (open === null) return;
  const { source, node, files } = open;
  try {
    const planned = await unlessAborted(signal, () => planExtension(settings, open, opened));
    if (planned === null) return;
    const from = await unlessAborted(signal, () =>
      firstBlock({ ...settings, from: planned.from }, { source, files, chainStore, chain }),
    );
    if (from === null) return;
    // Opening balances are written only while twice the reserve is free, so that indexing can use the rest.
    const room = roomCheck(directory, 2 * settings.diskReserve);
    const openings = openingFinder(settings, { chain, store: chainStore, logger, ...room }, node);
    const indexer = new Indexer({
      chain,
      source,
      store: chainStore,
      engine,
      tokenList: opened.tokenList,
      from,
      ...(openings === null ? {} : { openings }),
      to: lastBlock(settings, open),
      batchLimits: { ...BATCH_LIMITS, blocks: settings.batchBlocks },
      ...roomCheck(directory, settings.diskReserve),
      ...(settings.stallAfter === undefined ? {} : { stallMs: settings.stallAfter * 1_000 }),
      signal,
      logger,
      onProgress: (progress) => view.update(progress),
    });
    const extension = planned.open === null ? null : await planned.open(indexer);
    const run = () => runBoth(indexer, extension, opened);
    await withAbort([signal], async (over) => {
      const finding = openings?.run(over.signal);
      try {
        await use({ ...opened, indexer, openings, extension, run, source: node ?? NO_ENDPOINTS });
      } finally {
        over.abort();
        await finding;
      }
    });
  } finally {
    await open.close();
  }
}

/**
 * Returns the last block to index; null to follow the head. Without an endpoint, indexing ends with the
 * files.
 */
function lastBlock({ to }: BlockRange, { node, files }: OpenSource): number | null {
  if (node !== null || files === null) return to ?? null;
  return Math.min(to ?? files.to, files.to);
}

/** Shown for a chain that is read only from files. */
const NO_ENDPOINTS: ReadyIndexer["source"] = { endpoints: () => [], outage: () => null };

/**
 * Returns the first block to index. Without --from, this is the block after the newest stored one; if none is
 * stored, it is the first block of the files or, without files, the block a day before the head.
 *
 * @throws EmptyRange if it is the block a day before the head, and `to` is lower
 */
async function firstBlock(
  { from, to }: BlockRange,
  {
    source,
    files,
    chainStore,
    chain,
  }: Pick<OpenSource, "files"> & { source: Pick<Source, "head"> } & Pick<
      ReadyIndexer,
      "chainStore" | "chain"
    >,
): Promise<number> {
  if (from !== undefined) return from;
  const commit = await chainStore.committed();
  if (commit !== null) return commit.blockNumber + 1;
  if (files !== null) return files.from;
  const head = await source.head();
  const newestDay = Math.max(0, head.number - Math.round((1_000 * DAY_SECONDS) / chain.blockTimeMs));
  if (to !== undefined && to < newestDay) {
    throw new EmptyRange(`the newest day, which starts at block ${newestDay}`, to);
  }
  return newestDay;
}
