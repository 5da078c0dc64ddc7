import { availableParallelism } from "node:os";
import { Command } from "commander";
import { aborted } from "../../lib/async/abort.ts";
import { createLogger } from "../../lib/log.ts";
import { openStore } from "../open-store.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { shutdownSignal } from "../shutdown.ts";
import { isWorker } from "../workers/worker-slot.ts";
import { requirePort } from "./port.ts";
import { API_SETTINGS, listen } from "./serve.ts";
import { type ServiceOptions, serveAsWorker, serveWithWorkers } from "./serve-workers.ts";
import { deliveryRight } from "./webhooks.ts";

const SETTING_NAMES = ["data", "clickhouse", "engineMemory", ...API_SETTINGS, "workers", "logLevel"] as const;

/** `quarry serve`: serves the API over a data directory or a ClickHouse server. */
export function serveCommand(): Command {
  const command = new Command("serve").description("serve an indexed chain");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["the data in ./mainnet", "quarry serve --data ./mainnet --port 8080"],
    ["the data on a ClickHouse server", "quarry serve --clickhouse http://user:password@host:8123/quarry"],
  ]);
  return command.action(async () => {
    const signal = shutdownSignal();
    if (isWorker()) return serveAsWorker(signal);
    const { settings } = configOf(command, SETTING_NAMES);
    await requirePort(settings.host, settings.port);
    const logger = createLogger(settings.logLevel);
    const workers = settings.workers ?? defaultWorkers(settings.clickhouse);
    const serve = workers === 1 ? serveAlone : serveWithWorkers;
    await serve({ settings, workers, logger, signal });
  });
}

/** Maximum value of --workers. */
const MAX_WORKERS = 64;

/**
 * The threads of the embedded engine use all cores, so more processes would only cost time
 * (bench/RESULTS.md).
 */
function defaultWorkers(clickhouse: string | undefined): number {
  return clickhouse === undefined ? 1 : Math.min(availableParallelism(), MAX_WORKERS);
}

async function serveAlone({ settings, logger, signal }: ServiceOptions): Promise<void> {
  const store = await openStore(settings);
  try {
    const webhooks = deliveryRight(store.directory !== null);
    const api = await listen(settings, { ...store, logger, webhooks });
    await store.publishAddress(api.url);
    await store.publishEngine();
    logger.info({ url: api.url }, `serving on ${api.url}`);
    await aborted(signal);
    await api.close();
  } finally {
    await store.close();
  }
}
