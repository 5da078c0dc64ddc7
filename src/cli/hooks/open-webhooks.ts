import type { Settings } from "../../config/settings.ts";
import { BaseError } from "../../lib/error.ts";
import { storedChains } from "../../storage/commits/chain-registry.ts";
import { LockHeld } from "../../storage/directory/process-lock.ts";
import type { Engine } from "../../storage/store.ts";
import { WebhookRecords } from "../../webhooks/records/webhook-records.ts";
import { connectStore, openStore, requireData } from "../open-store.ts";

export const STORE_SETTINGS = ["data", "clickhouse", "engineMemory"] as const;

type StoreSettings = Settings<(typeof STORE_SETTINGS)[number]>;

export interface OpenWebhooks {
  records: WebhookRecords;
  /** Names of the indexed chains. */
  chains: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens the webhooks of a ClickHouse server or of a data directory. If a service has the directory open, its engine is
 * used through the socket that the lock names, which only the service's user can open.
 *
 * @throws NoDataDirectory, NotReachable
 */
export async function openWebhooks(settings: StoreSettings): Promise<OpenWebhooks> {
  requireData(settings);
  const { engine, close } = await openEngine(settings);
  try {
    const chains = (await storedChains(engine)).map(({ name }) => name);
    return { records: new WebhookRecords(engine), chains, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openEngine(settings: StoreSettings): Promise<{ engine: Engine; close(): Promise<void> }> {
  try {
    return await openStore(settings);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    if (error.socket === null) throw new NotReachable(error);
    return connectStore({ socket: error.socket });
  }
}

/** `data-directory` */
class NotReachable extends BaseError {
  constructor(cause: LockHeld) {
    super(
      "data-directory",
      `${cause.message} A service that has started lets this command use its database; ` +
        "quarry index, doctor and rewind do not, so wait until they end.",
      { cause },
    );
  }
}
