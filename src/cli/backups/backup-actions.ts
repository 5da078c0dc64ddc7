import { backupBytes } from "../../backups/backup-store.ts";
import { allBackups, type Manifest, NoBackups, selectedBackup } from "../../backups/records/manifest.ts";
import { openTarget } from "../../backups/targets/open-target.ts";
import type { BackupTarget } from "../../backups/targets/target.ts";
import { type DamagedFile, verifyBackups } from "../../backups/verify-backup.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import { shutdownSignal } from "../shutdown.ts";
import { sizeText } from "../terminal/sizes.ts";
import { type Columns, tableOf } from "../terminal/text-table.ts";
import type { ActionName } from "./action-names.ts";
import { manifestJson } from "./backup-text.ts";
import { ByteProgress } from "./byte-progress.ts";
import { EXIT_FAILED, reportProblems } from "./report-problems.ts";

export interface ActionFlags {
  place: string;
  endpoint: string | undefined;
  id: string | undefined;
  json: boolean;
}

export const ACTIONS: Record<ActionName, (flags: ActionFlags) => Promise<void>> = {
  list: listBackups,
  verify,
};

/** Prints all backups in a folder or bucket. */
async function listBackups({ place, endpoint, json }: ActionFlags): Promise<void> {
  const target = openTarget(place, { endpoint, env: process.env });
  const { manifests, problems } = await allBackups(target);
  if (manifests.length === 0 && problems.length === 0) throw new NoBackups(target.place);
  const text = json
    ? JSON.stringify(manifests.map((manifest) => manifestJson(manifest, backupBytes(manifest))))
    : tableOf(COLUMNS, manifests.flatMap(rowsOf));
  process.stdout.write(`${text}\n`);
  reportProblems(problems.map(({ message }) => message));
}

interface ListedChain {
  manifest: Manifest;
  chain: Manifest["chains"][number];
}

/** Returns one row for each chain of a backup. */
function rowsOf(manifest: Manifest): ListedChain[] {
  return manifest.chains.map((chain) => ({ manifest, chain }));
}

const COLUMNS: Columns<ListedChain> = {
  backup: ({ manifest }) => manifest.id,
  made: ({ manifest }) => new Date(manifest.created_at * 1000).toISOString(),
  chain: ({ chain }) => chain.name,
  "first block": ({ chain }) => String(chain.first_block),
  "last block": ({ chain }) => String(chain.last_block),
  "block time": ({ chain }) => new Date(chain.last_timestamp * 1000).toISOString(),
  size: ({ manifest }) => sizeText(backupBytes(manifest)),
};

/** Checks every byte of one backup, or of all backups, and prints the damaged files. */
async function verify({ place, endpoint, id, json }: ActionFlags): Promise<void> {
  const target = openTarget(place, { endpoint, env: process.env });
  const { manifests, problems } = await chosen(target, id);
  if (manifests.length === 0 && problems.length === 0) throw new NoBackups(target.place);
  const signal = shutdownSignal();
  const view = new ByteProgress("verifying");
  const onProgress = (progress: { doneBytes: number; totalBytes: number }) => view.update(progress);
  try {
    const damaged = await unlessAborted(signal, () =>
      verifyBackups({ target, manifests, signal, onProgress }),
    );
    view.stop();
    if (damaged === null) return view.interrupted();
    const ids = manifests.map((manifest) => manifest.id);
    process.stdout.write(
      json
        ? `${JSON.stringify({ backups: ids, damaged, problems: problems.map(({ message }) => message) })}\n`
        : textOf(ids, damaged),
    );
    reportProblems(problems.map(({ message }) => message));
    if (damaged.length > 0) process.exitCode = EXIT_FAILED;
  } finally {
    view.stop();
  }
}

async function chosen(target: BackupTarget, id: string | undefined) {
  if (id === undefined) return allBackups(target);
  return { manifests: [await selectedBackup(target, id)], problems: [] };
}

function textOf(ids: readonly string[], damaged: readonly DamagedFile[]): string {
  const lines = damaged.map(
    ({ file, problem, backups }) => `${file} is ${problem}; needed by ${backups.join(", ")}\n`,
  );
  const checked = ids.length === 1 ? `backup ${ids[0]}` : `${ids.length} backups`;
  const result = damaged.length === 0 ? "every file is intact" : damagedText(damaged.length);
  return `${lines.join("")}Checked ${checked}: ${result}\n`;
}

function damagedText(count: number): string {
  return count === 1 ? "1 damaged file" : `${count} damaged files`;
}
