import { Registry } from "prom-client";
import { LOCAL_PAGES } from "../../api/access/cors.ts";
import type { AdmissionQueue } from "../../api/admission/fair-queue.ts";
import { type ApiLimits, DEFAULT_LIMITS } from "../../api/admission/limits.ts";
import { listenOn } from "../../api/connections/listen.ts";
import type { IndexingState } from "../../api/endpoint/endpoint.ts";
import { createServer } from "../../api/http/server.ts";
import type { ReportExchange } from "../../api/operations/report-exchange.ts";
import type { Streams } from "../../api/streams/streams.ts";
import type { Settings } from "../../config/settings.ts";
import type { Extension } from "../../ingest/extension/extension.ts";
import type { Indexer } from "../../ingest/indexer.ts";
import type { OpeningFinder } from "../../ingest/openings/opening-finder.ts";
import type { Logger } from "../../lib/log.ts";
import { isLoopback } from "../../lib/names/host-name.ts";
import type { ReadableChain, Reader } from "../../reads/snapshot/snapshot.ts";
import type { RpcSource } from "../../sources/rpc-source.ts";
import type { ChainStore } from "../../storage/store.ts";
import { openKeyAccess, usageFolderOf } from "../keys/key-access.ts";
import type { OpenStore } from "../open-store.ts";
import { builtExplorer, version } from "../package-folder.ts";
import type { API_SETTINGS } from "./api-settings.ts";
import { addLaterChains } from "./later/later-chains.ts";
import { measureAbandoned, measureAddresses, measureMerges } from "./metrics/engine-metrics.ts";
import {
  type MeasuredIndexer,
  measureChains,
  measureDisk,
  measureIndexer,
  measureProcess,
} from "./metrics/metrics.ts";
import { measureServing } from "./metrics/serving-metrics.ts";
import { CannotListen } from "./port.ts";
import {
  type OpenService,
  readableChains,
  type ServiceStores,
  storesOf,
  warnOfMissing,
} from "./served-stores.ts";
import { keepServing, withServing } from "./serving-states.ts";
import { deliverWebhooks } from "./webhooks.ts";

interface ListenOptions {
  stores: ServiceStores;
  /** The data directory, whose disk is measured; null if a server holds the tables of the main store. */
  directory?: string | null;
  /** True if this process cannot write to the data directory. */
  isReadOnly?: boolean;
  logger: Logger;
  /** The chain that this process indexes, if any. */
  indexed?: IndexedChain;
  /** Absent: this process is the whole service. */
  worker?: WorkerPart;
}

/** A worker's part of the limits, and its connections to the rest of the service. */
export interface WorkerPart {
  /** From 1 to the number of workers. */
  number: number;
  limits: ApiLimits;
  queryQueue: AdmissionQueue;
  /** The process's own metrics; the primary process measures the chains. */
  metrics: Registry;
  reports: ReportExchange;
}

/** A chain that this process indexes, with the state that the API reads. */
export interface IndexedChain extends MeasuredIndexer {
  indexer: Pick<Indexer, "state" | "counters" | "ages">;
  source: Pick<RpcSource, "endpoints" | "outage">;
  /** Finds balances before the first block; null if this search is off. */
  openings?: Pick<OpeningFinder, "progress"> | null;
  chainStore: ChainStore;
  /** The extension to earlier blocks that this process is building, if any. */
  extension?: Pick<Extension, "current"> | null;
}

export interface RunningApi {
  url: string;
  metrics: Registry;
  close(): Promise<void>;
}

/** A reader to which chains can be added. */
interface OpenReader extends Reader {
  chains: ReadableChain[];
}

/** Starts the API. */
export async function listen(
  settings: Settings<(typeof API_SETTINGS)[number]>,
  options: ListenOptions,
): Promise<RunningApi> {
  const { logger, indexed, worker } = options;
  const reader = await openReader(options, settings.servingMemory * 2 ** 20);
  const indexing = (chain: string) => (indexed?.chain.name === chain ? indexingState(indexed) : null);
  const metrics = worker?.metrics ?? new Registry();
  measureProcess(metrics);
  measureServing(reader.chains, metrics);
  const engines = storesOf(options.stores).map(({ engine }) => engine);
  measureAbandoned(engines, metrics);
  measureAddresses(engines, metrics);
  if (worker === undefined) {
    measureChains(reader.chains, indexing, metrics);
    const directory = options.directory ?? null;
    measureDisk(directory, metrics);
    measureMerges(directory === null ? null : reader.engine, metrics);
    warnOfGaps(options.stores, reader.chains, logger);
    warnIfOpen(settings, logger);
  }
  if (indexed !== undefined) measureIndexer(indexed, metrics);
  const explorer = builtExplorer();
  const keys = await openKeyAccess(settings, {
    usageFolder: usageFolderOf(settings, options),
    worker: worker?.number ?? 0,
    logger,
  });
  const server = await createServer({
    ...reader,
    logger,
    logQueries: settings.logQueries,
    ...pagesOf(settings),
    indexing,
    metrics,
    version: version(),
    limits: worker?.limits ?? limitsOf(settings),
    ...(worker === undefined ? {} : { queryQueue: worker.queryQueue, reports: worker.reports }),
    ...keys.api,
    ...(settings.trustProxy === undefined ? {} : { trustProxy: settings.trustProxy }),
    ...(explorer === null ? {} : { explorer }),
  });
  const stop = new AbortController();
  const { signal } = stop;
  await keepServing(reader, { logger, signal });
  try {
    const listening = await listenOn(server, settings);
    await keys.startRecording(Number(new URL(listening.url).port));
    const stores = storesOf(options.stores);
    const servingBytes = settings.servingMemory * 2 ** 20;
    serveLaterChains(reader, options, { streams: server.streams, servingBytes, signal });
    const stopDelivering = deliverWebhooks(settings, {
      reader,
      stores,
      streams: server.streams,
      metrics,
      logger,
    });
    const close = async () => {
      await stopDelivering();
      stop.abort();
      await listening.close();
      await keys.close();
    };
    return { url: listening.url, metrics, close };
  } catch (cause) {
    stop.abort();
    await server.close();
    await keys.close();
    throw new CannotListen(settings.host, settings.port, cause);
  }
}

/** Creates the reader from which this process answers requests. Each worker of a service has its own. */
async function openReader({ stores, indexed }: ListenOptions, servingBytes: number): Promise<OpenReader> {
  // The writer knows the newest commit without a query.
  const chains = await readableChains(stores, (chain) =>
    chain === indexed?.chain.name ? indexed.chainStore : undefined,
  );
  return { engine: stores.main.engine, chains: await withServing(chains, servingBytes, indexed?.chainStore) };
}

interface LaterServing {
  streams: Streams;
  servingBytes: number;
  /** Ends all work for later chains, including chains that are being added. */
  signal: AbortSignal;
}

/** Adds chains to the reader when other processes have begun to index them. */
function serveLaterChains(
  reader: OpenReader,
  { stores, logger }: ListenOptions,
  { streams, servingBytes, signal }: LaterServing,
): void {
  const add = async (readable: ReadableChain) => {
    const chains = await withServing([readable], servingBytes, undefined);
    await keepServing({ ...reader, chains }, { logger, signal });
    if (signal.aborted) return;
    reader.chains.push(...chains);
    if (servingBytes > 0) streams.begin(readable.chain.name);
  };
  void addLaterChains({ stores, chains: reader.chains, add, logger, signal });
}

/** Logs the limitations of a service that cannot write to a store. */
export function warnIfReadOnly(service: OpenService, logger: Logger): void {
  for (const { store } of storesOf(service)) warnIfReadOnlyStore(store, logger);
}

function warnIfReadOnlyStore(
  { directory, isReadOnly }: Pick<OpenStore, "directory" | "isReadOnly">,
  logger: Logger,
): void {
  if (!isReadOnly) return;
  if (directory === null) {
    logger.info("the ClickHouse user is read-only, so this process delivers no webhooks");
    return;
  }
  logger.warn(
    { directory },
    "the data directory is read-only: its data is served unchanged, and no webhooks are delivered; no other process may write to it meanwhile",
  );
}

/** Logs what is missing when a service starts: chains, or the built explorer. */
export function warnOfGaps(stores: ServiceStores, chains: Reader["chains"], logger: Logger): void {
  warnOfMissing(stores, chains, logger);
  if (chains.length === 0) {
    logger.warn("no chain is indexed here, so there is nothing to query; check --data and --clickhouse");
  }
  if (builtExplorer() === null)
    logger.warn("the explorer is not built, so only the API is served; build it with: npm run build");
}

/** Warns that other machines can use the service without a key, for example after a typo in a variable. */
export function warnIfOpen(
  { host, keys, keyFile }: Settings<"host" | "keys" | "keyFile">,
  logger: Logger,
): void {
  if (isLoopback(host) || keys !== undefined || keyFile !== undefined) return;
  logger.warn(
    { host },
    "other machines can use this service without an API key; to admit only known clients, set --keys or --key-file",
  );
}

/**
 * Returns the hosts and origins of the web pages that may use the service. A service that listens only on
 * this machine often requires no key, so a page on the web must not be able to read it through a user's
 * browser.
 */
function pagesOf({
  host,
  allowedHosts,
  allowedOrigins,
}: Settings<"host" | "allowedHosts" | "allowedOrigins">) {
  const isLocal = isLoopback(host);
  const hosts = allowedHosts ?? (isLocal ? [] : undefined);
  return {
    ...(hosts === undefined ? {} : { allowedHosts: [...hosts, host] }),
    allowedOrigins: allowedOrigins ?? [isLocal ? LOCAL_PAGES : "*"],
  };
}

export function limitsOf(settings: Settings<(typeof API_SETTINGS)[number]>): ApiLimits {
  return {
    ...DEFAULT_LIMITS,
    slowAfterMs: settings.slowAfter * 1000,
    queryTimeMs: settings.queryTime * 1000,
    queryMemoryBytes: settings.queryMemory * 2 ** 20,
    concurrentQueries: settings.concurrentQueries,
    waitingRequests: settings.waitingQueries,
    waitMs: settings.queryWait * 1000,
    concurrentReads: settings.concurrentReads,
    longReads: settings.longReads,
    clientShare: settings.clientShare / 100,
    clientWaiting: settings.clientWaiting,
    clientUnreadBytes: settings.clientUnread * 2 ** 20,
    clientRate: settings.clientRate,
    clientBurst: settings.clientBurst,
    rejectionDelayMs: settings.rejectionDelay * 1000,
    delayedRejections: settings.delayedRejections,
    pipelinedRequests: settings.pipelinedRequests,
    streams: settings.streams,
    clientStreams: settings.clientStreams,
    clientSubscriptions: settings.clientSubscriptions,
    streamSubscriptions: settings.streamSubscriptions,
    clientStates: settings.clientStates,
    streamStates: settings.streamStates,
    clientFilters: settings.clientFilters,
    streamFilters: settings.streamFilters,
    streamBufferBytes: settings.streamBuffer * 2 ** 10,
    streamMemoryBytes: settings.streamMemory * 2 ** 20,
    sqlRows: settings.sqlRows,
    sqlTextBytes: settings.sqlText * 2 ** 10,
    sqlDepth: settings.sqlDepth,
    answerBytes: settings.answerSize * 2 ** 20,
    sqlCacheBytes: settings.sqlCacheMemory * 2 ** 20,
    connections: settings.connections,
    addressConnections: settings.addressConnections,
    headerMs: settings.headerTime * 1000,
    bodyMs: settings.bodyTime * 1000,
    // Half of this must hold one answer of the maximum size.
    answerDiskBytes: Math.max(settings.answerDisk, 2 * settings.answerSize) * 2 ** 20,
    clientDiskBytes: Math.max(settings.answerDiskClient, settings.answerSize) * 2 ** 20,
    readingBytesPerSecond: settings.readingRate * 2 ** 10,
    clientBodyBytes: settings.clientBodyMemory * 2 ** 20,
    ...(settings.bodyMemory === undefined ? {} : { bodyMemoryBytes: settings.bodyMemory * 2 ** 20 }),
    ...(settings.answerMemory === undefined ? {} : { answerMemoryBytes: settings.answerMemory * 2 ** 20 }),
  };
}

/**
 * Returns the state of the indexer for the API. `ready` is always true, because indexed blocks can be queried
 * in any state. The indexer's message is part of `/v1/status`.
 */
function indexingState({ indexer, source, openings, extension }: IndexedChain): IndexingState {
  const { head, finalized, message, stalled, diskFull, lastRollbackAt } = indexer.state;
  const { rollbacks: count, deepestRollback: deepest } = indexer.counters;
  const { seen, committed } = indexer.ages.recent;
  return {
    head,
    finalized,
    ready: true,
    message,
    outage: source.outage(),
    stalled: diskFull ?? stalled,
    endpoints: source.endpoints(),
    ages: { seen: seen.summary(), committed: committed.summary() },
    openings: openings?.progress ?? null,
    rollbacks: { count, deepest, lastAt: lastRollbackAt },
    extension: extension?.current() ?? null,
  };
}
