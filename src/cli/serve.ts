import { Command } from "commander";
import { createServer } from "../api/server.ts";
import type { Settings } from "../config/settings.ts";
import type { IndexState } from "../ingest/indexer.ts";
import { BaseError } from "../lib/error.ts";
import { createLogger, type Logger } from "../lib/log.ts";
import type { ChainStore, Engine } from "../storage/store.ts";
import { openForReading, openStore } from "./open-store.ts";
import { addSettings, configOf } from "./options.ts";
import { aborted, shutdownSignal } from "./shutdown.ts";

const SETTING_NAMES = ["data", "clickhouse", "port", "host", "keys", "logLevel"] as const;

/** `quarry serve`: answers questions about what a data directory or a server holds. */
export function serveCommand(): Command {
  const command = new Command("serve").description("serve the API over what is indexed");
  return addSettings(command, SETTING_NAMES).action(async () => {
    const { settings } = configOf(command, SETTING_NAMES);
    const logger = createLogger(settings.logLevel);
    const signal = shutdownSignal();
    const store = await openStore(settings);
    try {
      const api = await listen(settings, { engine: store.engine, logger });
      logger.info({ url: api.url }, `serving on ${api.url}`);
      await aborted(signal);
      await api.close();
    } finally {
      await store.close();
    }
  });
}

interface ApiParts {
  engine: Engine;
  logger: Logger;
  /** Stores that the same process writes. */
  writers?: readonly ChainStore[];
  /** What the indexer of the same process knows of a chain; null where none runs. */
  indexing?: (chain: string) => IndexState | null;
}

/** Starts the API and tells its address. */
export async function listen(
  settings: Settings<"port" | "host" | "keys">,
  parts: ApiParts,
): Promise<{ url: string; close(): Promise<void> }> {
  const chains = await openForReading(parts.engine, parts.writers);
  if (chains.length === 0) {
    parts.logger.warn("no chain is indexed here, so there is nothing to ask: is this the right place?");
  }
  const server = await createServer({
    engine: parts.engine,
    chains,
    logger: parts.logger,
    ...(settings.keys === undefined ? {} : { apiKeys: settings.keys }),
    ...(parts.indexing === undefined ? {} : { indexing: indexingStates(parts.indexing) }),
  });
  try {
    const url = await server.listen({ port: settings.port, host: settings.host });
    return { url, close: () => server.close() };
  } catch (cause) {
    await server.close();
    throw new CannotListen(settings, cause);
  }
}

/** What is indexed can be asked for whatever the indexer is at; its message shows in `/v1/status`. */
function indexingStates(stateOf: (chain: string) => IndexState | null) {
  return (chain: string) => {
    const state = stateOf(chain);
    if (state === null) return null;
    const { head, finalized, message } = state;
    return { head, finalized, ready: true, ...(message === null ? {} : { message }) };
  };
}

class CannotListen extends BaseError {
  constructor({ host, port }: { host: string; port: number }, cause: unknown) {
    const taken = (cause as NodeJS.ErrnoException).code === "EADDRINUSE";
    const reason = taken ? "the port is in use by another process" : (cause as Error).message;
    super(
      "bad-config",
      `cannot listen on ${host}:${port}: ${reason}. Choose another with --port or QUARRY_PORT.`,
      {
        cause,
      },
    );
  }
}
