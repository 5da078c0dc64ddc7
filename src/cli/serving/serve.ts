import { Command } from "commander";
import type { Registry } from "prom-client";
import type { ApiLimits } from "../../api/admission/limits.ts";
import type { IndexingState } from "../../api/endpoint/endpoint.ts";
import { createServer } from "../../api/http/server.ts";
import type { Settings } from "../../config/settings.ts";
import type { Indexer } from "../../ingest/indexer.ts";
import { aborted } from "../../lib/abort.ts";
import { createLogger, type Logger } from "../../lib/log.ts";
import type { RpcSource } from "../../sources/rpc-source.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import type { ChainCommits, ChainStore, Engine } from "../../storage/store.ts";
import { openForReading, openStore } from "../open-store.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { builtExplorer } from "../package-folder.ts";
import { shutdownSignal } from "../shutdown.ts";
import { type MeasuredIndexer, measureChains, measureIndexer, processMetrics } from "./metrics.ts";
import { CannotListen, requirePort } from "./port.ts";

/** Settings of the API. */
export const API_SETTINGS = [
  "port",
  "host",
  "keys",
  "queryTime",
  "queryMemory",
  "concurrentQueries",
  "waitingQueries",
  "queryWait",
  "sqlRows",
  "sqlText",
  "sqlDepth",
  "answerSize",
  "answerMemory",
] as const;

const SETTING_NAMES = ["data", "clickhouse", "engineMemory", ...API_SETTINGS, "logLevel"] as const;

/** `quarry serve`: serves the API over a data directory or a ClickHouse server. */
export function serveCommand(): Command {
  const command = new Command("serve").description("serve an indexed chain");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["the data in ./mainnet", "quarry serve --data ./mainnet --port 8080"],
    ["the data on a ClickHouse server", "quarry serve --clickhouse http://user:password@host:8123/quarry"],
  ]);
  return command.action(async () => {
    const { settings } = configOf(command, SETTING_NAMES);
    await requirePort(settings.host, settings.port);
    const logger = createLogger(settings.logLevel);
    const signal = shutdownSignal();
    const store = await openStore(settings);
    try {
      const api = await listen(settings, { ...store, logger });
      await store.publishAddress(api.url);
      logger.info({ url: api.url }, `serving on ${api.url}`);
      await aborted(signal);
      await api.close();
    } finally {
      await store.close();
    }
  });
}

interface ListenOptions {
  engine: Engine;
  /**
   * Returns the commits of a chain that this process does not index; by default they are read for each
   * request.
   */
  commitsOf?(chain: string): ChainCommits;
  logger: Logger;
  /** The chain that this process indexes, if any. */
  indexed?: IndexedChain;
}

/** A chain that this process indexes, with the state that the API reads. */
export interface IndexedChain extends MeasuredIndexer {
  indexer: Pick<Indexer, "state" | "counters">;
  source: Pick<RpcSource, "endpoints" | "outage">;
  chainStore: ChainStore;
}

/** A running API. */
export interface RunningApi {
  url: string;
  metrics: Registry;
  close(): Promise<void>;
}

/** Starts the API. */
export async function listen(
  settings: Settings<(typeof API_SETTINGS)[number]>,
  options: ListenOptions,
): Promise<RunningApi> {
  const { engine, logger, indexed } = options;
  const commitsOf = options.commitsOf ?? ((chain) => chainCommits(engine, chain));
  // The writer knows the newest commit without a query.
  const chains = await openForReading(engine, (chain) =>
    chain === indexed?.chain.name ? indexed.chainStore : commitsOf(chain),
  );
  if (chains.length === 0) {
    logger.warn("no chain is indexed here, so there is nothing to query; check --data and --clickhouse");
  }
  const indexing = (chain: string) => (indexed?.chain.name === chain ? indexingState(indexed) : null);
  const metrics = processMetrics();
  measureChains(chains, indexing, metrics);
  if (indexed !== undefined) measureIndexer(indexed, metrics);
  const explorer = builtExplorer();
  if (explorer === null)
    logger.warn("the explorer is not built, so only the API is served; build it with: npm run build");
  const server = await createServer({
    engine,
    chains,
    logger,
    indexing,
    metrics,
    limits: limitsOf(settings),
    ...(settings.keys === undefined ? {} : { apiKeys: settings.keys }),
    ...(explorer === null ? {} : { explorer }),
  });
  try {
    const url = await server.listen({ port: settings.port, host: settings.host });
    return { url, metrics, close: () => server.close() };
  } catch (cause) {
    await server.close();
    throw new CannotListen(settings.host, settings.port, cause);
  }
}

function limitsOf(settings: Settings<(typeof API_SETTINGS)[number]>): Partial<ApiLimits> {
  return {
    queryTimeMs: settings.queryTime * 1000,
    queryMemoryBytes: settings.queryMemory * 2 ** 20,
    concurrentQueries: settings.concurrentQueries,
    waitingRequests: settings.waitingQueries,
    waitMs: settings.queryWait * 1000,
    sqlRows: settings.sqlRows,
    sqlTextBytes: settings.sqlText * 2 ** 10,
    sqlDepth: settings.sqlDepth,
    answerBytes: settings.answerSize * 2 ** 20,
    ...(settings.answerMemory === undefined ? {} : { answerMemoryBytes: settings.answerMemory * 2 ** 20 }),
  };
}

/** Indexed blocks can be queried in any state of the indexer; its message is part of `/v1/status`. */
function indexingState({ indexer, source }: IndexedChain): IndexingState {
  const { head, finalized, message, lastRollbackAt } = indexer.state;
  const { rollbacks: count, deepestRollback: deepest } = indexer.counters;
  return {
    head,
    finalized,
    ready: true,
    message,
    outage: source.outage(),
    endpoints: source.endpoints(),
    rollbacks: { count, deepest, lastAt: lastRollbackAt },
  };
}
