import { pino } from "pino";
import { defaultSettings, type Settings } from "../../config/settings.ts";
import { BaseError } from "../../lib/error.ts";
import { LockHeld } from "../../storage/directory/process-lock.ts";
import { openStore, requireData } from "../open-store.ts";
import { API_SETTINGS } from "../serving/api-settings.ts";
import { listen } from "../serving/serve.ts";
import { type QueryTarget, runningTarget } from "./running-target.ts";
import type { QuerySettings } from "./target-settings.ts";

type ServiceSettings = QuerySettings & Settings<(typeof API_SETTINGS)[number]>;

/** Returns the service that has the store open, or a temporary one over it. */
export async function storeTarget(given: QuerySettings): Promise<QueryTarget> {
  const settings: ServiceSettings = { ...defaultSettings(API_SETTINGS), ...given };
  requireData(settings);
  try {
    return await temporaryService(settings);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    if (error.address === null) throw new DataInUse(error);
    const service = runningTarget(error.address);
    return { ...service, description: `${service.description}, which has ${settings.data} open` };
  }
}

async function temporaryService(settings: ServiceSettings): Promise<QueryTarget> {
  const store = await openStore({ ...settings, mayBeReadOnly: true });
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

class DataInUse extends BaseError {
  constructor(cause: LockHeld) {
    super("data-directory", `${cause.message} If it is a service, give its URL with --url.`, { cause });
  }
}
