import { Command } from "commander";
import { type Devnet, startDevnet } from "../../devnet/devnet.ts";
import { Indexer } from "../ingest/indexer.ts";
import { createLogger } from "../lib/log.ts";
import { openRpcSource } from "../sources/rpc/rpc-source.ts";
import { historyView, printBanner, printStep } from "./demo-screen.ts";
import { demoDirectory, type OpenStore, openForWriting, openStore } from "./open-store.ts";
import { addSettings, configOf } from "./options.ts";
import { listen } from "./serve.ts";
import { aborted, shutdownSignal } from "./shutdown.ts";

const SETTING_NAMES = ["data", "port", "host", "keys", "seed", "days", "endTime", "logLevel"] as const;

type DemoSettings = ReturnType<typeof configOf<(typeof SETTING_NAMES)[number]>>["settings"];

/**
 * While the history is mined, blocks come by the dozen a second; commits of a second's worth leave the
 * processor to the market. Live, there is a block every two seconds.
 */
const HISTORY_POLL_MS = 1_000;

/** `quarry demo`: a local chain with the real DEX contracts and a market of traders, indexed and served live. */
export function demoCommand(): Command {
  const command = new Command("demo").description("run a local chain with a live market, index and serve it");
  return addSettings(command, SETTING_NAMES).action(async () => {
    const { settings } = configOf(command, SETTING_NAMES, { logLevel: "warn" });
    const signal = shutdownSignal();
    printStep(`data directory ${settings.data}`);
    const store = await openStore({ data: settings.data });
    try {
      await runDemo(settings, store, signal);
    } finally {
      await store.close();
    }
  });
}

async function runDemo(settings: DemoSettings, store: OpenStore, signal: AbortSignal): Promise<void> {
  const devnet = await startDevnet({
    directory: demoDirectory(store.directory ?? settings.data),
    seed: settings.seed,
    days: settings.days,
    ...(settings.endTime === undefined ? {} : { endTime: settings.endTime }),
    onProgress: historyView(),
    signal,
  });
  try {
    await serveMarket(settings, { store, devnet, signal });
  } finally {
    await devnet.stop();
  }
}

interface Market {
  store: OpenStore;
  devnet: Devnet;
  signal: AbortSignal;
}

async function serveMarket(settings: DemoSettings, { store, devnet, signal }: Market): Promise<void> {
  const { chain } = devnet;
  const logger = createLogger(settings.logLevel);
  const chainStore = await openForWriting(store.engine, chain);
  const source = await openRpcSource({ urls: [devnet.url], chain, verify: true, logger });
  const indexer = new Indexer({
    chain,
    source,
    store: chainStore,
    engine: store.engine,
    from: (await chainStore.committed())?.firstBlock ?? 0,
    to: null,
    pollMs: HISTORY_POLL_MS,
    signal,
    logger,
  });
  try {
    const api = await listen(settings, {
      engine: store.engine,
      logger,
      writers: [chainStore],
      indexing: (name) => (name === chain.name ? indexer.state : null),
    });
    try {
      printStep(`API on ${api.url}`);
      const indexing = indexer.run();
      await Promise.race([indexing, welcome(indexer, devnet, { url: api.url, signal })]);
      await indexing;
      await aborted(signal);
    } finally {
      await api.close();
    }
  } finally {
    await source.close();
  }
}

/** When the history is indexed: says hello, and lets the market run live. */
async function welcome(indexer: Indexer, devnet: Devnet, at: { url: string; signal: AbortSignal }) {
  await devnet.historyDone;
  await indexer.caughtUp();
  if (at.signal.aborted) return;
  devnet.goLive();
  printBanner({ url: at.url, ...devnet.highlights, block: indexer.state.head ?? 0 });
}
