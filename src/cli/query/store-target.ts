import { pino } from "pino";
import type { ChainServers } from "../../config/groups/chain-servers.ts";
import { defaultSettings, type Settings } from "../../config/settings.ts";
import { BaseError } from "../../lib/error.ts";
import { LockHeld } from "../../storage/directory/process-lock.ts";
import { requireData } from "../open-store.ts";
import { API_SETTINGS } from "../serving/api-settings.ts";
import { listen } from "../serving/serve.ts";
import { type OpenService, openService, withoutWebhooks } from "../serving/served-stores.ts";
import { type QueryTarget, runningTarget } from "./running-target.ts";
import type { QuerySettings } from "./target-settings.ts";

type ServiceSettings = QuerySettings & Settings<(typeof API_SETTINGS)[number]>;

/** Returns the service that has the store open, or a temporary service for the store. */
export async function storeTarget(given: QuerySettings, servers: ChainServers): Promise<QueryTarget> {
  const settings: ServiceSettings = { ...defaultSettings(API_SETTINGS), ...given };
  if (servers.size === 0) requireData(settings);
  try {
    return await temporaryService(settings, servers);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    if (error.address === null) throw new DataInUse(error);
    const service = runningTarget(error.address);
    return { ...service, description: `${service.description}, which has ${settings.data} open` };
  }
}

async function temporaryService(settings: ServiceSettings, servers: ChainServers): Promise<QueryTarget> {
  const service = await openService(settings, servers);
  try {
    const own = { ...settings, host: "127.0.0.1", port: 0, keys: undefined };
    const { directory, isReadOnly } = service.main.store;
    const logger = pino({ level: "silent" });
    const stores = withoutWebhooks(service);
    const api = await listen(own, { stores, directory, isReadOnly, logger });
    const close = async () => {
      await api.close();
      await service.close();
    };
    return { url: api.url, description: `reading ${sourceOf(service)} directly, without a service`, close };
  } catch (error) {
    await service.close();
    throw error;
  }
}

function sourceOf({ main, others }: OpenService): string {
  if (others.length > 0) return `${others.length + 1} stores`;
  return main.store.directory ?? "the ClickHouse server";
}

class DataInUse extends BaseError {
  constructor(cause: LockHeld) {
    super("data-directory", `${cause.message} If that process is a service, give its URL with --url.`, {
      cause,
    });
  }
}
