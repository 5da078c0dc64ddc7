import { Registry } from "prom-client";
import { queryQueue } from "../../api/admission/queues.ts";
import { processReporter } from "../../api/operations/process-report.ts";
import type { ChainServers } from "../../config/groups/chain-servers.ts";
import type { ServerSetting } from "../../config/groups/server-settings.ts";
import type { Settings } from "../../config/settings.ts";
import { aborted } from "../../lib/async/abort.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { createLogger, type Logger } from "../../lib/log.ts";
import type { ReadableChain } from "../../reads/snapshot/snapshot.ts";
import { usageFolderOf } from "../keys/key-access.ts";
import type { OpenStore } from "../open-store.ts";
import { logAddressChanges } from "../server-addresses.ts";
import { startTracing } from "../tracing/start-tracing.ts";
import type { PrimaryLink, WorkerLink } from "../workers/messages.ts";
import { ServiceReports, WorkerReports } from "../workers/process-reports.ts";
import { admitQueries } from "../workers/shared-admission.ts";
import { SharedQueue } from "../workers/shared-queue.ts";
import { SummedMetrics, WorkerRegistry } from "../workers/summed-metrics.ts";
import { workerLimits, workerPart } from "../workers/worker-limits.ts";
import { runWorker } from "../workers/worker-process.ts";
import { WorkerSlot } from "../workers/worker-slot.ts";
import type { API_SETTINGS } from "./api-settings.ts";
import { addLaterChains } from "./later/later-chains.ts";
import { measureAddresses, measureMerges } from "./metrics/engine-metrics.ts";
import { measureChains, measureDisk, measureProcess } from "./metrics/metrics.ts";
import { limitsOf, listen, type RunningApi, warnIfOpen, warnIfReadOnly, warnOfGaps } from "./serve.ts";
import {
  connectService,
  type OpenService,
  openService,
  readableChains,
  type ServiceStores,
  type SharedStore,
  shareService,
  storesOf,
  withoutWebhooks,
} from "./served-stores.ts";

export type ServeSetting =
  | (typeof API_SETTINGS)[number]
  | "data"
  | ServerSetting
  | "engineMemory"
  | "workerTimeout"
  | "otlpEndpoint"
  | "logLevel";

export interface ServiceOptions {
  settings: Settings<ServeSetting>;
  servers: ChainServers;
  workers: number;
  logger: Logger;
  signal: AbortSignal;
}

/** The options with which a worker is started. */
interface WorkerOptions {
  settings: Settings<ServeSetting>;
  workers: number;
  /** Where the worker finds the stores. Only the first worker has the right to deliver webhooks. */
  stores: ServiceStores<SharedStore>;
}

/**
 * Time for a worker to exit after its last request. In this time, the worker must close the engine's
 * connections and the log.
 */
const LAST_WORK_MS = 3_000;

/**
 * Serves from several processes. This one, the primary, holds the stores, admits the workers' SQL queries,
 * and sums their metrics, so that limits and metrics cover the whole service.
 */
export async function serveWithWorkers(options: ServiceOptions): Promise<void> {
  const service = await openService(options.settings, options.servers);
  try {
    warnIfReadOnly(service, options.logger);
    await service.main.store.publishEngine();
    await superviseWorkers(options, service);
  } finally {
    await service.close();
  }
}

async function superviseWorkers(
  { settings, workers, logger, signal }: ServiceOptions,
  service: OpenService,
): Promise<void> {
  const { store } = service.main;
  const chains = await readableChains(service);
  warnOfGaps(service, chains, logger);
  warnIfOpen(settings, logger);
  const add = async (readable: ReadableChain) => void chains.push(readable);
  const metrics = serviceMetrics(service, chains, logger);
  const limits = limitsOf(settings);
  const queue = queryQueue(limits);
  const address = new PublishedAddress(store, logger);
  const usageFolder = usageFolderOf(settings, store) ?? undefined;
  const options: WorkerOptions = {
    settings: { ...settings, usageFolder },
    ...{ workers, stores: await shareService(service) },
  };
  const reports = new ServiceReports(
    processReporter({ queues: { query: queue }, served: null, clock: systemClock }),
  );
  const attach = (link: WorkerLink, worker: number) => {
    metrics.add(link);
    reports.add(link, worker);
    admitQueries(link, queue);
    address.follow(link);
  };
  const stopMs = limits.shutdownMs + LAST_WORK_MS;
  const hungMs = settings.workerTimeout * 1000;
  const slots = Array.from(
    { length: workers },
    (_, i) => new WorkerSlot(i + 1, { options, attach, stopMs, hungMs, logger }),
  );
  try {
    const started = Promise.all(slots.map((slot) => slot.start()));
    await Promise.race([started, aborted(signal)]);
    if (signal.aborted) return;
    await address.publish();
    for (const slot of slots) void slot.keepRunning();
    void addLaterChains({ stores: service, chains, add, logger, signal });
    await aborted(signal);
  } finally {
    await Promise.all(slots.map((slot) => slot.stop()));
  }
}

/** Returns the metrics of the service. The stores are measured here once, not in every worker. */
function serviceMetrics(
  service: OpenService,
  chains: readonly ReadableChain[],
  logger: Logger,
): SummedMetrics {
  const { engine, directory } = service.main.store;
  const registry = new Registry();
  const engines = storesOf(service).map((store) => store.engine);
  for (const each of engines) logAddressChanges(each, logger);
  measureProcess(registry);
  measureAddresses(engines, registry);
  measureChains(chains, () => null, registry);
  measureDisk(directory, registry);
  measureMerges(directory === null ? null : engine, registry);
  return new SummedMetrics(registry);
}

/**
 * Publishes the service's URL, and does so again when it changes: with port 0, the system chooses another
 * port if all workers have exited before a new one listens.
 */
class PublishedAddress {
  readonly #store: OpenStore;
  readonly #logger: Logger;
  #newest = "";
  #published: string | null = null;

  constructor(store: OpenStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  follow(link: WorkerLink): void {
    link.onMessage((message) => {
      if (message.kind !== "listening") return;
      this.#newest = message.url;
      if (this.#published !== null) void this.publish();
    });
  }

  async publish(): Promise<void> {
    const url = this.#newest;
    if (url === this.#published) return;
    this.#published = url;
    await this.#store.publishAddress(url);
    this.#logger.info({ url }, `serving on ${url}`);
  }
}

/** Serves as a worker until the primary process or the signal stops it. */
export function serveAsWorker(signal: AbortSignal): Promise<void> {
  return runWorker(signal, (options, worker, link) => listenAsWorker(options as WorkerOptions, worker, link));
}

async function listenAsWorker(
  { settings, workers, stores }: WorkerOptions,
  worker: number,
  link: PrimaryLink,
): Promise<Pick<RunningApi, "url" | "close">> {
  // Only the first worker delivers webhooks. If it exits, the primary process replaces it.
  const service = await connectService(worker === 1 ? stores : withoutWebhooks(stores));
  const part = {
    number: worker,
    limits: workerLimits(limitsOf(settings), worker, workers),
    queryQueue: new SharedQueue(link),
    metrics: new WorkerRegistry(link),
    reports: new WorkerReports(link),
  };
  const logger = createLogger(settings.logLevel).child({ worker });
  for (const { engine } of storesOf(service)) logAddressChanges(engine, logger);
  const tracing = await startTracing(settings, logger);
  const servingMemory = workerPart(settings.servingMemory, worker, workers);
  const api = await listen({ ...settings, servingMemory }, { stores: service, logger, worker: part });
  return {
    url: api.url,
    close: async () => {
      await api.close();
      // Both must end within LAST_WORK_MS, and the last spans may take two seconds.
      await Promise.all([service.close(), tracing.stop()]);
    },
  };
}
