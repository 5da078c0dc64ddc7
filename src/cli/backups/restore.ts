import type { Manifest } from "../../backups/records/manifest.ts";
import { selectedBackup } from "../../backups/records/manifest.ts";
import { type RestoredChain, restoreStore } from "../../backups/restore-store.ts";
import { openTarget } from "../../backups/targets/open-target.ts";
import type { Settings } from "../../config/settings.ts";
import { unlessAborted, withAbort } from "../../lib/async/abort.ts";
import { openRestoredDirectory } from "../../storage/directory/restored-directory.ts";
import { openEmbeddedEngine } from "../../storage/engines/embedded-engine.ts";
import { WEBHOOK_TABLES } from "../../webhooks/records/webhook-records.ts";
import { shutdownSignal } from "../shutdown.ts";
import { chainText } from "./backup-text.ts";
import { ByteProgress } from "./byte-progress.ts";

export interface RestoreFlags {
  place: string;
  id: string | undefined;
  endpoint: string | undefined;
  hasWebhooks: boolean;
  json: boolean;
}

type StoreSettings = Settings<"data" | "engineMemory">;

/** Restores a backup into a new data directory, and prints what it restored. */
export async function restore(settings: StoreSettings, flags: RestoreFlags): Promise<void> {
  const target = openTarget(flags.place, { endpoint: flags.endpoint, env: process.env });
  const manifest = await selectedBackup(target, flags.id);
  const signal = shutdownSignal();
  const view = new ByteProgress("restoring");
  try {
    const chains = await withAbort([signal], (stop) =>
      unlessAborted(signal, () => restoreInto(settings, flags, { target, manifest, stop, view })),
    );
    view.stop();
    if (chains === null) view.interrupted();
    else print(manifest, chains, { data: settings.data, json: flags.json });
  } finally {
    view.stop();
  }
}

interface RunOptions {
  target: ReturnType<typeof openTarget>;
  manifest: Manifest;
  stop: AbortController;
  view: ByteProgress;
}

/** Restores a backup. If it fails, removes everything that it has written. */
async function restoreInto(
  { data, engineMemory }: StoreSettings,
  { hasWebhooks }: RestoreFlags,
  { target, manifest, stop, view }: RunOptions,
): Promise<RestoredChain[]> {
  const onLost = (error: Error) => stop.abort(error);
  const directory = await openRestoredDirectory(data, { onLost });
  const memory = engineMemory === undefined ? {} : { memoryBytes: engineMemory * 2 ** 20 };
  try {
    return await restoreStore({
      target,
      manifest,
      directory,
      openEngine: (path) => openEmbeddedEngine({ path, ...memory }),
      storeTables: hasWebhooks ? WEBHOOK_TABLES : [],
      signal: stop.signal,
      onProgress: (progress) => view.update(progress),
    });
  } catch (error) {
    await directory.abandon();
    throw error;
  } finally {
    await directory.release();
  }
}

function print(
  { id }: Manifest,
  chains: readonly RestoredChain[],
  { data, json }: { data: string; json: boolean },
): void {
  const lines = chains.map((chain) => `  ${chainText(chain)}, ${chain.rows} rows\n`).join("");
  process.stdout.write(
    json
      ? `${JSON.stringify({ backup: id, data, chains })}\n`
      : `Restored backup ${id} into ${data}:\n${lines}`,
  );
}
