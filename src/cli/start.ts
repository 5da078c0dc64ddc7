import { Command } from "commander";
import type { Indexer, IndexState } from "../ingest/indexer.ts";
import { createLogger } from "../lib/log.ts";
import type { RpcSource } from "../sources/rpc/rpc-source.ts";
import { chainNamed } from "./chain-named.ts";
import { requireRange, withIndexer } from "./index-chain.ts";
import { openForWriting, openStore } from "./open-store.ts";
import { addSettings, configOf } from "./options.ts";
import { progressView } from "./progress-bar.ts";
import { listen } from "./serve.ts";
import { aborted, shutdownSignal } from "./shutdown.ts";

const SETTING_NAMES = [
  "chain",
  "rpc",
  "from",
  "to",
  "data",
  "clickhouse",
  "verify",
  "batchBlocks",
  "port",
  "host",
  "keys",
  "logLevel",
] as const;

/** `quarry start`: index and serve in one process. */
export function startCommand(): Command {
  const command = new Command("start").description("index a chain and serve the API, in one process");
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
      await withIndexer(
        settings,
        opened,
        async (indexer, source) => {
          const api = await listen(settings, {
            engine: store.engine,
            logger,
            writers: [chainStore],
            indexing: (name) => (name === chain.name ? stateOf(indexer, source) : null),
          });
          logger.info({ url: api.url }, `serving on ${api.url}`);
          try {
            await indexer.run();
            await aborted(signal);
          } finally {
            await api.close();
          }
        },
        progress.update,
      );
    } finally {
      progress.stop();
      await store.close();
    }
  });
}

/** An endpoint that does not answer shows before the indexer gives up waiting for it. */
function stateOf({ state }: Indexer, source: RpcSource): IndexState {
  return { ...state, message: state.message ?? source.trouble() };
}
