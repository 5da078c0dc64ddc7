import type { Config } from "../../config/load-config.ts";
import type { Settings } from "../../config/settings.ts";
import { aborted } from "../../lib/async/abort.ts";
import type { INDEX_SETTINGS } from "../indexing/index-settings.ts";
import { type ReadyIndexer, withIndexer } from "../indexing/indexing.ts";
import { LiveFigures } from "../indexing/live-figures.ts";
import type { API_SETTINGS } from "./api-settings.ts";
import { requirePort } from "./port.ts";
import { listen } from "./serve.ts";
import { oneStore } from "./served-stores.ts";
import { deliveryRight } from "./webhooks.ts";

type ApiSetting = (typeof API_SETTINGS)[number];

/** Indexes a chain and serves it, until the process must stop. */
export async function startService(
  config: Config<(typeof INDEX_SETTINGS)[number] | ApiSetting>,
): Promise<void> {
  await requirePort(config.settings.host, config.settings.port);
  await withIndexer(config, (ready) => serveAndIndex(config.settings, ready));
}

async function serveAndIndex(settings: Settings<ApiSetting>, ready: ReadyIndexer): Promise<void> {
  const { engine, directory, logger, signal, view } = ready;
  const stores = oneStore(engine, deliveryRight({ directory }));
  const api = await listen(settings, { stores, directory, logger, indexed: ready });
  await ready.publishAddress(api.url);
  logger.info({ url: api.url }, `serving on ${api.url}`);
  view.follow(new LiveFigures({ ...ready, metrics: api.metrics }));
  try {
    await ready.run();
    await aborted(signal);
  } finally {
    await api.close();
  }
}
