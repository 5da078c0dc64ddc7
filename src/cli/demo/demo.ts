import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { Indexer } from "../../ingest/indexer.ts";
import { aborted } from "../../lib/async/abort.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { createLogger } from "../../lib/log.ts";
import { openRpcSource } from "../../sources/rpc-source.ts";
import type { ChainStore } from "../../storage/store.ts";
import { IndexingView } from "../indexing/indexing-view.ts";
import { LiveFigures } from "../indexing/live-figures.ts";
import { roomCheck } from "../indexing/room-check.ts";
import { type OpenStore, openRepaired, openStore } from "../open-store.ts";
import { requirePort } from "../serving/port.ts";
import { listen } from "../serving/serve.ts";
import { oneStore } from "../serving/served-stores.ts";
import { shutdownSignal } from "../shutdown.ts";
import { historyView, printBanner, printResumed, printStep } from "./demo-screen.ts";
import type { DEMO_SETTINGS } from "./demo-settings.ts";
import { type Devnet, type DevnetPackage, loadDevnet } from "./devnet.ts";

/** Time allowed for stopping. It is longer than for other commands, because the chain must be saved. */
const STOP_MS = 60_000;

type DemoSettings = Settings<(typeof DEMO_SETTINGS)[number]>;

/**
 * While the history is mined, dozens of blocks arrive per second; one commit per second leaves most of the
 * CPU time to the market. By default, live blocks come only every two seconds.
 */
const HISTORY_POLL_MS = 1_000;

/** Runs, indexes and serves the demo's chain until the process must stop. */
export async function startDemo(settings: DemoSettings): Promise<void> {
  if ((settings.endTime ?? 0) > systemClock.now() / 1_000) throw new FutureEnd(settings.endTime);
  const local = await loadDevnet();
  await requirePort(settings.host, settings.port);
  const signal = shutdownSignal(STOP_MS);
  signal.addEventListener("abort", () =>
    printStep("stopping (press Ctrl-C again to stop at once; nothing is lost)"),
  );
  printStep(`data directory ${settings.data}`);
  const view = new IndexingView({ stream: process.stdout, log: (_, text) => printStep(text) });
  const store = await openStore(settings);
  try {
    await runDemo(settings, local, { store, signal, view });
  } catch (error) {
    if (!isInterruption(error, signal)) throw error;
  } finally {
    view.stop();
    await store.close();
  }
  printStep("stopped");
}

/** Returns whether an error is only an interruption: Ctrl-C aborts running work with an AbortError. */
function isInterruption(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === "AbortError";
}

async function runDemo(
  settings: DemoSettings,
  { chain, start, SavedStateError }: DevnetPackage,
  { store, signal, view }: Pick<Market, "store" | "signal" | "view">,
): Promise<void> {
  const directory = join(store.directory ?? settings.data, "demo-chain");
  const chainStore = await openRepaired(store, chain, (reason, { first, last }) =>
    printStep(`blocks ${first} to ${last}: ${reason}`),
  );
  if ((await chainStore.committed()) !== null && !existsSync(directory)) {
    throw new SavedStateError(directory, "is gone, but the tables still hold its blocks");
  }
  const devnet = await start({
    directory,
    seed: settings.seed,
    days: settings.days,
    blockTimeMs: settings.blockTime * 1_000,
    ...(settings.endTime === undefined ? {} : { endTime: settings.endTime }),
    onProgress: historyView(view.live),
    onResume: printResumed,
    signal,
  });
  try {
    await serveMarket(settings, { store, chainStore, devnet, signal, view });
  } catch (error) {
    if (error instanceof BaseError && error.code === "reorg-too-deep") {
      throw new SavedStateError(directory, "is not the one whose blocks the tables hold", error);
    }
    throw error;
  } finally {
    await devnet.stop();
  }
}

interface Market {
  store: OpenStore;
  chainStore: ChainStore;
  devnet: Devnet;
  signal: AbortSignal;
  view: IndexingView;
}

async function serveMarket(settings: DemoSettings, market: Market): Promise<void> {
  const { store, chainStore, devnet } = market;
  const { chain } = devnet;
  const logger = createLogger(settings.logLevel);
  // Stops the indexer before its parts are closed, however the demo ends.
  const over = new AbortController();
  const signal = AbortSignal.any([market.signal, over.signal]);
  const source = await openRpcSource({ urls: [devnet.url], chain, verify: true, logger, signal });
  const indexer = new Indexer({
    chain,
    source,
    store: chainStore,
    engine: store.engine,
    from: (await chainStore.committed())?.firstBlock ?? 0,
    to: null,
    pollMs: HISTORY_POLL_MS,
    ...roomCheck(store.directory, settings.diskReserve),
    signal,
    logger,
  });
  try {
    const indexed = { chain, indexer, source, chainStore };
    const { engine, directory } = store;
    const stores = oneStore(engine, "sole");
    const api = await listen(settings, { stores, directory, logger, indexed });
    try {
      await store.publishAddress(api.url);
      await store.publishEngine();
      printStep(`API on ${api.url}`);
      const indexing = indexer.run();
      const live = Promise.all([
        indexing,
        goLive(indexer, devnet, { url: api.url, blockTime: settings.blockTime }, signal).then(() =>
          market.view.follow(new LiveFigures({ indexer, chainStore, metrics: api.metrics })),
        ),
        aborted(signal),
      ]);
      try {
        await Promise.race([live, devnet.failed]);
      } finally {
        over.abort();
        await Promise.allSettled([indexing, live]);
      }
    } finally {
      await api.close();
    }
  } finally {
    await source.close();
  }
}

/** Prints the banner when the history is indexed, and starts the live market. */
async function goLive(
  indexer: Indexer,
  devnet: Devnet,
  shown: { url: string; blockTime: number },
  signal: AbortSignal,
): Promise<void> {
  await devnet.historyDone;
  await indexer.caughtUp();
  if (signal.aborted) return;
  devnet.goLive();
  printBanner({ ...shown, ...devnet.highlights, block: indexer.state.head ?? 0 });
}

class FutureEnd extends BaseError {
  constructor(endTime: number | undefined) {
    super(
      "bad-config",
      `--end-time (QUARRY_END_TIME) ${endTime} is in the future, so the market could not continue live until then. ` +
        "Give a past unix time in seconds, or leave it out.",
    );
  }
}
