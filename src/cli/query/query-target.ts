import type { Command } from "commander";
import { BaseError } from "../../lib/error.ts";
import { holdsData } from "../../storage/directory/data-directory.ts";
import { type QueryTarget, runningTarget } from "./running-target.ts";
import type { QueryConfig } from "./target-settings.ts";

/**
 * Returns the service for a command: the one given by --url, a running one on this machine, the one that has
 * the data directory open, or else a temporary one in this process for the data directory or the ClickHouse
 * servers.
 */
export async function openQueryTarget(
  command: Command,
  { settings, servers }: QueryConfig,
): Promise<QueryTarget> {
  if (settings.url !== undefined) return runningTarget(settings.url);
  if (storeIsGiven(command)) return serviceOver({ settings, servers: new Map() });
  const url = `http://127.0.0.1:${settings.port}`;
  if (await isListening(url)) return runningTarget(url);
  if (settings.clickhouse === undefined && servers.size === 0 && !holdsData(settings.data)) {
    throw new NoService(url, settings.data);
  }
  return serviceOver({ settings, servers });
}

/**
 * Returns whether the command line gives the data directory or the server, which then has priority over
 * running services and over the servers in the configuration file.
 */
function storeIsGiven(command: Command): boolean {
  return ["data", "clickhouse"].some((name) => command.getOptionValueSource(name) === "cli");
}

/** Loads the service's code on demand, because loading it takes much longer than a request does. */
async function serviceOver({ settings, servers }: QueryConfig): Promise<QueryTarget> {
  const { storeTarget } = await import("./store-target.ts");
  return storeTarget(settings, servers);
}

const PROBE_MS = 2_000;

/**
 * Returns whether a server listens at the URL, even if it responds slowly. The query itself will show whether
 * it is Quarry.
 */
async function isListening(url: string): Promise<boolean> {
  try {
    await fetch(`${url}/health`, { signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError";
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
