import { join } from "node:path";
import type { ApiOptions } from "../../api/http/server.ts";
import { KeyUsage } from "../../api/keys/key-usage.ts";
import type { Settings } from "../../config/settings.ts";
import { systemClock } from "../../lib/async/clock.ts";
import type { Logger } from "../../lib/log.ts";
import { type RecordedUsage, recordUsage, requireUsageFolder } from "./recorded-usage.ts";
import { watchKeys } from "./watched-keys.ts";

type KeySettings = Settings<"host" | "keys" | "keyFile" | "usageFolder">;

/** The keys of a service, and the record of their usage. */
export interface KeyAccess {
  /** The part of the API's options that concerns keys. */
  api: Pick<ApiOptions, "apiKeys" | "clientKeys" | "usage">;
  /** Starts recording. Must be called once the service listens on this port. */
  startRecording(port: number): Promise<void>;
  close(): Promise<void>;
}

interface AccessOptions {
  /** The folder for the record; null if nothing is recorded. */
  usageFolder: string | null;
  /** Number of this worker; 0 if the service has no workers. */
  worker: number;
  logger: Logger;
}

/**
 * Returns the folder in which the usage of keys is recorded; null if it is not recorded, because there are no
 * keys or no writable folder.
 *
 * @param store the store's data directory, and whether that directory is read-only
 */
export function usageFolderOf(
  { keys, keyFile, usageFolder }: Omit<KeySettings, "host">,
  { directory = null, isReadOnly = false }: { directory?: string | null; isReadOnly?: boolean },
): string | null {
  if (keys === undefined && keyFile === undefined) return null;
  return usageFolder ?? (directory === null || isReadOnly ? null : join(directory, "usage"));
}

/** @throws NoKeyFile, BadKeyFile, UsageFolderNotWritable */
export async function openKeyAccess(
  { host, keys, keyFile }: KeySettings,
  { usageFolder, worker, logger }: AccessOptions,
): Promise<KeyAccess> {
  const usage = new KeyUsage(systemClock);
  if (usageFolder !== null) await requireUsageFolder(usageFolder);
  const clientKeys = keyFile === undefined ? null : await watchKeys(keyFile, logger);
  let recorded: RecordedUsage | null = null;
  return {
    api: {
      usage,
      ...(keys === undefined ? {} : { apiKeys: keys }),
      ...(clientKeys === null ? {} : { clientKeys }),
    },
    async startRecording(port) {
      if (usageFolder === null) return;
      recorded = await recordUsage(usage, { folder: usageFolder, place: { host, port, worker }, logger });
    },
    async close() {
      clientKeys?.close();
      await recorded?.close();
    },
  };
}
