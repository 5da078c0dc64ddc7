import type { Command } from "commander";
import { pino } from "pino";
import { defaultSettings, type Settings } from "../../config/settings.ts";
import { BaseError } from "../../lib/error.ts";
import { holdsData } from "../../storage/directory/data-directory.ts";
import { LockHeld } from "../../storage/directory/process-lock.ts";
import { openStore, requireData } from "../open-store.ts";
import { API_SETTINGS, listen } from "../serving/serve.ts";

/** Settings that select where a query is sent. */
export const QUERY_TARGET_SETTINGS = ["url", "key", "port", "data", "clickhouse", "engineMemory"] as const;

type TargetSettings = Settings<(typeof QUERY_TARGET_SETTINGS)[number]>;
type ServiceSettings = TargetSettings & Settings<(typeof API_SETTINGS)[number]>;

/** A service that can run queries. */
export interface QueryTarget {
  url: string;
  /** Description of the service for the user. */
  description: string;
  close(): Promise<void>;
}

/**
 * Selects the service for a command: the one given by --url, or a running one on this machine, or the one
 * that has the data directory open, or else a temporary one in this process over the data directory or the
 * ClickHouse server.
 *
 * @param given the command's settings; missing settings of the service have their defaults
 */
export async function openQueryTarget(
  command: Command,
  given: TargetSettings & Partial<ServiceSettings>,
): Promise<QueryTarget> {
  const settings: ServiceSettings = { ...defaultSettings(API_SETTINGS), ...given };
  if (settings.url !== undefined) return running(settings.url);
  if (storeIsGiven(command)) return serviceOver(settings);
  const url = `http://127.0.0.1:${settings.port}`;
  if (await isListening(url)) return running(url);
  if (settings.clickhouse === undefined && !holdsData(settings.data)) {
    throw new NoService(url, settings.data);
  }
  return serviceOver(settings);
}

/**
 * Returns whether the command line gives the data directory or the server, which then has priority over
 * running services.
 */
function storeIsGiven(command: Command): boolean {
  return ["data", "clickhouse"].some((name) => command.getOptionValueSource(name) === "cli");
}

function running(url: string): QueryTarget {
  return {
    url: url.replace(/\/+$/, ""),
    description: `querying the service at ${url}`,
    close: async () => {},
  };
}

const PROBE_MS = 2_000;

/** Returns whether any server responds; the query itself will show whether it is Quarry. */
async function isListening(url: string): Promise<boolean> {
  try {
    await fetch(`${url}/health`, { signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError";
  }
}

/** Returns the service that has the store open, or a temporary one. */
async function serviceOver(settings: ServiceSettings): Promise<QueryTarget> {
  requireData(settings);
  try {
    return await ownService(settings);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    if (error.address === null) throw new DataInUse(error);
    const service = running(error.address);
    return { ...service, description: `${service.description}, which has ${settings.data} open` };
  }
}

async function ownService(settings: ServiceSettings): Promise<QueryTarget> {
  const store = await openStore(settings);
  try {
    const own = { ...settings, host: "127.0.0.1", port: 0, keys: undefined };
    const api = await listen(own, { ...store, logger: pino({ level: "silent" }) });
    const close = async () => {
      await api.close();
      await store.close();
    };
    const source = settings.clickhouse === undefined ? settings.data : "the ClickHouse server";
    return { url: api.url, description: `reading ${source} directly, without a service`, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

class NoService extends BaseError {
  constructor(url: string, data: string) {
    super(
      "bad-config",
      `no service responds at ${url}, and ${data} is not a data directory. Give a running service with --url, or a data ` +
        "directory with --data; `quarry demo` creates one to try.",
    );
  }
}

class DataInUse extends BaseError {
  constructor(cause: LockHeld) {
    super("data-directory", `${cause.message} If it is a service, give its URL with --url.`, { cause });
  }
}
