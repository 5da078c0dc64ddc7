import { Command } from "commander";
import type { Settings } from "../config/settings.ts";
import type { Indexer, IndexState } from "../ingest/indexer.ts";
import type { RpcSource } from "../sources/rpc/rpc-source.ts";
import { INDEX_SETTINGS, type ReadyIndexer, withIndexer } from "./indexing.ts";
import { addSettings, configOf } from "./options.ts";
import { listen } from "./serve.ts";
import { aborted } from "./shutdown.ts";

const SETTING_NAMES = [...INDEX_SETTINGS, "port", "host", "keys"] as const;

/** `quarry start`: index and serve in one process. */
export function startCommand(): Command {
  const command = new Command("start").description("index a chain and serve the API, in one process");
  return addSettings(command, SETTING_NAMES).action(async () => {
    const config = configOf(command, SETTING_NAMES);
    await withIndexer(config, (ready) => serveAndIndex(config.settings, ready));
  });
}

async function serveAndIndex(
  settings: Settings<"port" | "host" | "keys">,
  ready: ReadyIndexer,
): Promise<void> {
  const { indexer, source, chain, chainStore, engine, logger, signal } = ready;
  const api = await listen(settings, {
    engine,
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
}

/** An endpoint that does not answer shows before the indexer gives up waiting for it. */
function stateOf({ state }: Indexer, source: RpcSource): IndexState {
  return { ...state, message: state.message ?? source.trouble() };
}
