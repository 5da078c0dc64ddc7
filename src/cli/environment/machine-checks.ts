import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { nearestExisting } from "../../storage/directory/data-directory.ts";
import { freeBytes } from "../../storage/directory/disk-space.ts";
import { ENGINE_NEEDS } from "../../storage/engines/embedded-engine.ts";
import { oldestNode } from "../package-folder.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { isOlder } from "./version-order.ts";

const GIB = 2 ** 30;

/**
 * Peak memory of indexing according to docs/sizing.md: with the defaults, and with all settings that reduce
 * it.
 */
const USUAL_MEMORY = 1.2 * GIB;
const LEAST_MEMORY = 0.62 * GIB;

/**
 * Disk estimates from docs/sizing.md: a million logs take 0.3 to 0.4 GB, and a merge temporarily needs as
 * much space as the largest part.
 */
const USUAL_DISK = 10 * GIB;
const LEAST_DISK = 1 * GIB;

/**
 * Number of open files needed for client connections and the engine's files. The engine's documentation
 * recommends far more than 256, the limit in some shells.
 */
const USUAL_OPEN_FILES = 4_096;

const ENGINE_START_MS = 60_000;

export function checkNode(running = process.versions.node): Check {
  const oldest = oldestNode();
  if (!isOlder(running, oldest)) return ok("Node.js", running);
  return fail("Node.js", running, `Quarry needs ${oldest} or newer. Install it from https://nodejs.org.`);
}

export interface EngineCheck {
  check: Check;
  /** The embedded engine's version; null if it does not load. */
  version: string | null;
}

/** Loads the engine in another process, because it may crash on an old processor or system. */
export async function checkEngine(): Promise<EngineCheck> {
  const chdb = createRequire(import.meta.url).resolve("chdb");
  const script = `process.stdout.write(require(${JSON.stringify(chdb)}).query("SELECT version()", "TSV"))`;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
      timeout: ENGINE_START_MS,
    });
    const version = stdout.trim();
    return { check: ok("embedded engine", `chDB ${version} loads`), version };
  } catch (error) {
    const reason = firstLine((error as { stderr?: string }).stderr ?? "") ?? (error as Error).message;
    return { check: fail("embedded engine", `chDB does not load: ${reason}`, ENGINE_NEEDS), version: null };
  }
}

function firstLine(text: string): string | undefined {
  return text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => /error|cannot|signal/i.test(line));
}

/** Checks the free memory, within the limit of the container if there is one. */
export function checkMemory(freeBytes = process.availableMemory()): Check {
  const found = `${gib(freeBytes)} free for this process`;
  const advice =
    "Add memory, stop other processes, or reduce the memory that indexing needs: --batch-blocks 10 and " +
    "NODE_OPTIONS=--max-old-space-size=256 (docs/sizing.md).";
  if (freeBytes < LEAST_MEMORY) return fail("memory", found, advice);
  return freeBytes < USUAL_MEMORY ? warn("memory", found, advice) : ok("memory", found);
}

export async function checkDisk(data: string): Promise<Check> {
  const folder = nearestExisting(resolve(data));
  const free = await freeBytes(folder);
  const found = `${gib(free)} free in ${folder}`;
  const advice =
    "Free some space, or choose another disk with --data: a million logs take 0.3 to 0.4 GB (docs/sizing.md).";
  if (free < LEAST_DISK) return fail("disk", found, advice);
  return free < USUAL_DISK ? warn("disk", found, advice) : ok("disk", found);
}

/** Checks the directory for temporary files, which hold the parts of answers that do not fit in memory. */
export async function checkTemporary(answerMiB: number): Promise<Check> {
  const folder = tmpdir();
  const free = await freeBytes(folder);
  const found = `${gib(free)} free in ${folder}`;
  if (free >= answerMiB * 2 ** 20) return ok("temporary files", found);
  const advice = `An answer may take ${answerMiB} MiB. Free some space, set TMPDIR to another folder, or lower --answer-size.`;
  return warn("temporary files", found, advice);
}

export async function checkOpenFiles(): Promise<Check> {
  const { stdout } = await promisify(execFile)("sh", ["-c", "ulimit -n"]);
  const limit = stdout.trim() === "unlimited" ? Number.POSITIVE_INFINITY : Number(stdout);
  const found = `at most ${stdout.trim()} at once`;
  if (limit >= USUAL_OPEN_FILES) return ok("open files", found);
  return warn(
    "open files",
    found,
    `Raise the limit before you start Quarry: ulimit -n ${USUAL_OPEN_FILES} (LimitNOFILE in systemd).`,
  );
}

function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}
