import { Command } from "commander";
import type { Settings } from "../../config/settings.ts";
import { aborted } from "../../lib/async/abort.ts";
import { INDEX_SETTINGS, indexConfigOf, type ReadyIndexer, withIndexer } from "../indexing/indexing.ts";
import { LiveFigures } from "../indexing/live-figures.ts";
import { addExamples, addSettings } from "../options.ts";
import { requirePort } from "./port.ts";
import { API_SETTINGS, listen } from "./serve.ts";
import { deliveryRight } from "./webhooks.ts";

const SETTING_NAMES = [...INDEX_SETTINGS, ...API_SETTINGS] as const;

/** `quarry start`: indexes and serves in one process. */
export function startCommand(): Command {
  const command = new Command("start").description("index a chain and serve it in one process");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    [
      "the last day of Ethereum, then follow the head",
      "quarry start --rpc https://node.example --data ./mainnet",
    ],
    [
      "another chain, with a fallback endpoint",
      "quarry start --chain base --rpc https://a.example,https://b.example",
    ],
    [
      "for other machines, with an API key",
      "quarry start --rpc https://node.example --host 0.0.0.0 --keys A-LONG-RANDOM-SECRET",
    ],
  ]);
  return command.action(async () => {
    const config = indexConfigOf(command, SETTING_NAMES);
    await requirePort(config.settings.host, config.settings.port);
    await withIndexer(config, (ready) => serveAndIndex(config.settings, ready));
  });
}

async function serveAndIndex(
  settings: Settings<(typeof API_SETTINGS)[number]>,
  ready: ReadyIndexer,
): Promise<void> {
  const { engine, directory, logger, signal, view } = ready;
  const webhooks = deliveryRight(directory !== null);
  const api = await listen(settings, { engine, directory, logger, indexed: ready, webhooks });
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
