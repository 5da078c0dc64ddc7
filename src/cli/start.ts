import { Command } from "commander";
import { createLogger } from "../lib/log.ts";
import { chainNamed } from "./chain-named.ts";
import { withIndexer } from "./index-chain.ts";
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
    const logger = createLogger(settings.logLevel);
    const chain = chainNamed(chains, settings.chain);
    const store = await openStore(settings);
    const signal = shutdownSignal();
    const progress = progressView(logger);
    try {
      const chainStore = await openForWriting(store.engine, chain);
      const opened = { chain, store, chainStore, signal, logger };
      await withIndexer(
        settings,
        opened,
        async (indexer) => {
          const api = await listen(settings, {
            engine: store.engine,
            logger,
            writers: [chainStore],
            indexing: (name) => (name === chain.name ? indexer.state : null),
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
