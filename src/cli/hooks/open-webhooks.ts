import type { ServerSetting } from "../../config/groups/server-settings.ts";
import type { Settings } from "../../config/settings.ts";
import type { StoredScope } from "../../schema/scope.ts";
import { storedChains } from "../../storage/commits/chain-registry.ts";
import { WebhookRecords } from "../../webhooks/records/webhook-records.ts";
import { openEngine } from "../open-store.ts";

type StoreSettings = Settings<"data" | ServerSetting | "engineMemory">;

export interface OpenWebhooks {
  records: WebhookRecords;
  /** The indexed chains by name, each with its stored scope. */
  chains: ReadonlyMap<string, StoredScope>;
  close(): Promise<void>;
}

/**
 * Opens the webhooks of a ClickHouse server, of a data directory, or of the service that has it open.
 *
 * @throws NoDataDirectory, EngineNotOffered
 */
export async function openWebhooks(settings: StoreSettings): Promise<OpenWebhooks> {
  const { engine, close } = await openEngine(settings);
  try {
    const stored = await storedChains(engine);
    const chains = new Map(stored.map(({ name, scope }) => [name, scope]));
    return { records: new WebhookRecords(engine), chains, close };
  } catch (error) {
    await close();
    throw error;
  }
}
