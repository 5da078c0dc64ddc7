import type { Command } from "commander";
import { pino } from "pino";
import { defaultSettings, type Settings } from "../../config/settings.ts";
import { BaseError } from "../../lib/error.ts";
import { holdsData } from "../../storage/directory/data-directory.ts";
import { LockHeld } from "../../storage/directory/process-lock.ts";
import { openStore, requireData } from "../open-store.ts";
import { API_SETTINGS, listen } from "../serving/serve.ts";

/** What a command needs to be told to find who answers. */
export const QUERY_TARGET_SETTINGS = ["url", "key", "port", "data", "clickhouse", "engineMemory"] as const;

type AskingSettings = Settings<(typeof QUERY_TARGET_SETTINGS)[number]>;
type ServiceSettings = AskingSettings & Settings<(typeof API_SETTINGS)[number]>;

/** A service that answers queries. */
export interface QueryTarget {
  url: string;
  /** For the one who asked: what it is that answers. */
  told: string;
  close(): Promise<void>;
}

/**
 * Who answers a command: the service that is named, or a running one on this machine, or the one that has the data
 * directory open, or else one of our own over that or the ClickHouse server, for as long as it takes.
 *
 * @param given the command's settings; what it does not have of a service's own is as the service has it by default
 */
export async function openQueryTarget(
  command: Command,
  given: AskingSettings & Partial<ServiceSettings>,
): Promise<QueryTarget> {
  const settings: ServiceSettings = { ...defaultSettings(API_SETTINGS), ...given };
  if (settings.url !== undefined) return running(settings.url);
  if (storeIsNamed(command)) return serviceOver(settings);
  const url = `http://127.0.0.1:${settings.port}`;
  if (await answers(url)) return running(url);
  if (settings.clickhouse === undefined && !holdsData(settings.data)) {
    throw new NoService(url, settings.data);
  }
  return serviceOver(settings);
}

/** Whether the data directory or the server was named on the command line: then it is what is meant. */
function storeIsNamed(command: Command): boolean {
  return ["data", "clickhouse"].some((name) => command.getOptionValueSource(name) === "cli");
}

function running(url: string): QueryTarget {
  return { url: url.replace(/\/+$/, ""), told: `asking the service at ${url}`, close: async () => {} };
}

const PROBE_MS = 2_000;

/** Whatever has the port is asked; what it answers will tell whether it is Quarry. */
async function answers(url: string): Promise<boolean> {
  try {
    await fetch(`${url}/health`, { signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError";
  }
}

/** The service that has the store open, or one of our own where none has. */
async function serviceOver(settings: ServiceSettings): Promise<QueryTarget> {
  requireData(settings);
  try {
    return await ownService(settings);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    if (error.address === null) throw new DataInUse(error);
    const service = running(error.address);
    return { ...service, told: `${service.told}, which has ${settings.data} open` };
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
    const place = settings.clickhouse === undefined ? settings.data : "the ClickHouse server";
    return { url: api.url, told: `no service asked: reading ${place} itself`, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

class NoService extends BaseError {
  constructor(url: string, data: string) {
    super(
      "bad-config",
      `nobody answers at ${url}, and ${data} is no data directory. Name a running service with --url, or a data ` +
        "directory with --data; `quarry demo` makes one to try.",
    );
  }
}

class DataInUse extends BaseError {
  constructor(cause: LockHeld) {
    super("data-directory", `${cause.message} If it is a service, name its address with --url.`, { cause });
  }
}
