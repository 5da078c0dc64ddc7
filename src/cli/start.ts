import { Command } from "commander";
import type { Settings } from "../config/settings.ts";
import { INDEX_SETTINGS, type ReadyIndexer, withIndexer } from "./indexing.ts";
import { addSettings, configOf } from "./options.ts";
import { API_SETTINGS, listen } from "./serve.ts";
import { aborted } from "./shutdown.ts";

const SETTING_NAMES = [...INDEX_SETTINGS, ...API_SETTINGS] as const;

/** `quarry start`: index and serve in one process. */
export function startCommand(): Command {
  const command = new Command("start").description("index a chain and serve the API, in one process");
  return addSettings(command, SETTING_NAMES).action(async () => {
    const config = configOf(command, SETTING_NAMES);
    await withIndexer(config, (ready) => serveAndIndex(config.settings, ready));
  });
}

async function serveAndIndex(
  settings: Settings<(typeof API_SETTINGS)[number]>,
  ready: ReadyIndexer,
): Promise<void> {
  const { indexer, engine, logger, signal } = ready;
  const api = await listen(settings, { engine, logger, indexed: ready });
  logger.info({ url: api.url }, `serving on ${api.url}`);
  try {
    await indexer.run();
    await aborted(signal);
  } finally {
    await api.close();
  }
}
