import { availableParallelism } from "node:os";
import type { Config } from "../../config/load-config.ts";
import { aborted } from "../../lib/async/abort.ts";
import { createLogger } from "../../lib/log.ts";
import { logAddressChanges } from "../server-addresses.ts";
import { withTracing } from "../tracing/start-tracing.ts";
import { requirePort } from "./port.ts";
import { listen, warnIfReadOnly } from "./serve.ts";
import { type ServeSetting, type ServiceOptions, serveWithWorkers } from "./serve-workers.ts";
import { openService, storesOf, usesEmbeddedEngine } from "./served-stores.ts";

/**
 * Serves a data directory or a ClickHouse server, and chains on servers of their own, alone or with workers,
 * until the process must stop.
 */
export async function serveStore(
  { settings, servers }: Config<ServeSetting | "workers">,
  signal: AbortSignal,
): Promise<void> {
  await requirePort(settings.host, settings.port);
  const logger = createLogger(settings.logLevel);
  if (settings.clickhouse === undefined && !usesEmbeddedEngine(settings, servers)) {
    logger.info(
      { data: settings.data },
      "there is no data directory, so only chains with servers of their own are served",
    );
  }
  const workers = settings.workers ?? defaultWorkers(usesEmbeddedEngine(settings, servers));
  const serve = workers === 1 ? serveAlone : serveWithWorkers;
  await serve({ settings, servers, workers, logger, signal });
}

/** Maximum value of --workers. */
const MAX_WORKERS = 64;

/**
 * Returns the default of --workers. The threads of the embedded engine use all cores, so more processes would
 * only cost time (bench/RESULTS.md).
 */
function defaultWorkers(isEmbedded: boolean): number {
  return isEmbedded ? 1 : Math.min(availableParallelism(), MAX_WORKERS);
}

function serveAlone(options: ServiceOptions): Promise<void> {
  return withTracing(options.settings, options.logger, () => serveUntilStopped(options));
}

async function serveUntilStopped({ settings, servers, logger, signal }: ServiceOptions): Promise<void> {
  const service = await openService(settings, servers);
  const { store } = service.main;
  try {
    warnIfReadOnly(service, logger);
    for (const { engine } of storesOf(service)) logAddressChanges(engine, logger);
    const { directory, isReadOnly } = store;
    const api = await listen(settings, { stores: service, directory, isReadOnly, logger });
    await store.publishAddress(api.url);
    await store.publishEngine();
    logger.info({ url: api.url }, `serving on ${api.url}`);
    await aborted(signal);
    await api.close();
  } finally {
    await service.close();
  }
}
