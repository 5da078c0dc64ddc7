import { availableParallelism } from "node:os";
import type { Settings } from "../../config/settings.ts";
import { aborted } from "../../lib/async/abort.ts";
import { createLogger } from "../../lib/log.ts";
import { openStore } from "../open-store.ts";
import { requirePort } from "./port.ts";
import { listen, warnIfReadOnly } from "./serve.ts";
import { type ServiceOptions, serveWithWorkers } from "./serve-workers.ts";
import { deliveryRight } from "./webhooks.ts";

/** Serves a data directory or a ClickHouse server, alone or with workers, until the process must stop. */
export async function serveStore(
  settings: ServiceOptions["settings"] & Settings<"workers">,
  signal: AbortSignal,
): Promise<void> {
  await requirePort(settings.host, settings.port);
  const logger = createLogger(settings.logLevel);
  const workers = settings.workers ?? defaultWorkers(settings.clickhouse);
  const serve = workers === 1 ? serveAlone : serveWithWorkers;
  await serve({ settings, workers, logger, signal });
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
  const store = await openStore({ ...settings, mayBeReadOnly: true });
  try {
    warnIfReadOnly(store, logger);
    const api = await listen(settings, { ...store, logger, webhooks: deliveryRight(store) });
    await store.publishAddress(api.url);
    await store.publishEngine();
    logger.info({ url: api.url }, `serving on ${api.url}`);
    await aborted(signal);
    await api.close();
  } finally {
    await store.close();
  }
}
