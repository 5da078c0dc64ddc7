import { join, relative, resolve } from "node:path";
import { type BackedUp, backUpStore } from "../../backups/backup-store.ts";
import { completeInterrupted } from "../../backups/snapshot/interrupted.ts";
import { openTarget } from "../../backups/targets/open-target.ts";
import type { BackupTarget } from "../../backups/targets/target.ts";
import type { Settings } from "../../config/settings.ts";
import { unlessAborted, withAbort } from "../../lib/async/abort.ts";
import { BaseError } from "../../lib/error.ts";
import { ENGINE_FOLDER } from "../../storage/directory/data-directory.ts";
import { lockFrozen } from "../../storage/directory/frozen-files.ts";
import { LockHeld } from "../../storage/directory/process-lock.ts";
import { WEBHOOK_TABLES } from "../../webhooks/records/webhook-records.ts";
import { openEngine, requireData } from "../open-store.ts";
import { shutdownSignal } from "../shutdown.ts";
import { sizeText } from "../terminal/sizes.ts";
import { chainText, manifestJson } from "./backup-text.ts";
import { ByteProgress } from "./byte-progress.ts";
import { reportProblems } from "./report-problems.ts";

export interface BackupFlags {
  place: string;
  endpoint: string | undefined;
  keep: number | undefined;
  json: boolean;
}

type StoreSettings = Settings<"data" | "clickhouse" | "engineMemory">;

/** Backs up a data directory, through the process that has it open if there is one, and prints the result. */
export async function backUp(settings: StoreSettings, flags: BackupFlags): Promise<void> {
  if (settings.clickhouse !== undefined) throw new OnServer();
  requireData(settings);
  requireApart(settings.data, flags.place);
  const target = openTarget(flags.place, { endpoint: flags.endpoint, env: process.env });
  const signal = shutdownSignal();
  const view = new ByteProgress("backing up");
  try {
    // A lost lock ends the backup in the same way as a signal, but with an error.
    const backedUp = await withAbort([signal], async (stop) => {
      const onLost = (error: Error) => stop.abort(error);
      return unlessAborted(signal, () =>
        backUpLocked(settings, flags, { target, onLost, view, stop: stop.signal }),
      );
    });
    view.stop();
    if (backedUp === null) return view.interrupted();
    process.stdout.write(flags.json ? `${JSON.stringify(jsonOf(backedUp))}\n` : textOf(backedUp, target));
    // The new backup is complete, but until the problems are solved, no old backup is removed.
    reportProblems(backedUp.problems.map((problem) => `no old backup was removed: ${problem}`));
  } finally {
    view.stop();
  }
}

interface RunOptions {
  target: BackupTarget;
  onLost(error: Error): void;
  view: ByteProgress;
  stop: AbortSignal;
}

async function backUpLocked(
  settings: StoreSettings,
  { keep }: BackupFlags,
  { target, onLost, view, stop: signal }: RunOptions,
): Promise<BackedUp> {
  const sourceLock = await lockSource(settings.data, onLost);
  const closers = [() => sourceLock.release()];
  try {
    const targetLock = await target.lock(onLost);
    closers.unshift(() => targetLock.release());
    const { engine, close, isShared } = await openEngine(settings);
    closers.unshift(close);
    if (!isShared) await completeInterrupted(engine);
    return await backUpStore({
      engine,
      enginePath: join(resolve(settings.data), ENGINE_FOLDER),
      storeTables: WEBHOOK_TABLES.map(({ name }) => name),
      target,
      keep,
      signal,
      onProgress: (progress) => view.update(progress),
    });
  } finally {
    for (const close of closers) await close();
  }
}

async function lockSource(data: string, onLost: (error: Error) => void) {
  try {
    return await lockFrozen(resolve(data), { onLost });
  } catch (error) {
    throw error instanceof LockHeld ? new AlreadyRunning(data, error.holder) : error;
  }
}

/** Checks that the backups are not inside the data directory, because they would be lost with it. */
function requireApart(data: string, place: string): void {
  if (place.startsWith("s3://")) return;
  const path = relative(resolve(data), resolve(place));
  if (!path.startsWith("..") && resolve(place) !== path) throw new InsideData(place, data);
}

function jsonOf({ manifest, bytes, copiedBytes, removed, freedBytes, problems }: BackedUp) {
  return {
    ...manifestJson(manifest, bytes),
    copied_bytes: copiedBytes,
    removed,
    freed_bytes: freedBytes,
    ...(problems.length === 0 ? {} : { problems }),
  };
}

function textOf(backedUp: BackedUp, { place }: BackupTarget): string {
  const { manifest, bytes, copiedBytes, removed, freedBytes } = backedUp;
  const chains = manifest.chains.map((chain) => `  ${chainText(chain)}\n`).join("");
  const cleaned =
    removed.length === 0 ? "" : `Removed ${removed.join(", ")}: ${sizeText(freedBytes)} freed\n`;
  return (
    `Backup ${manifest.id} in ${place}: ${sizeText(bytes)}, ${sizeText(copiedBytes)} of it newly copied\n` +
    `${chains}${cleaned}`
  );
}

class OnServer extends BaseError {
  constructor() {
    super(
      "bad-config",
      "`quarry backup` copies the files of a data directory, but --clickhouse selects a server: use ClickHouse's " +
        "BACKUP there, or `quarry export all`.",
    );
  }
}

class AlreadyRunning extends BaseError {
  constructor(data: string, holder: string) {
    super("busy", `Another backup of ${data} is running (${holder}). Wait until it ends.`, {
      retryable: true,
    });
  }
}

class InsideData extends BaseError {
  constructor(place: string, data: string) {
    super(
      "bad-config",
      `${place} is inside the data directory ${data}. Choose a folder outside it, if possible on another disk.`,
    );
  }
}
