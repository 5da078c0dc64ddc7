import { mkdir, rename } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import type { KeyUsage, UsageByKey } from "../../api/keys/key-usage.ts";
import { BaseError } from "../../lib/error.ts";
import type { Logger } from "../../lib/log.ts";
import { fileReason, systemCode } from "../../lib/system-error.ts";
import { fileMark } from "./file-mark.ts";
import { readUsage, totalUsage, usageFiles, writeUsage } from "./usage-files.ts";

/**
 * How often a process records its counts and reads the counts of other processes. A crash loses at most the
 * counts since the last record.
 */
const RECORD_MS = 5_000;

/**
 * Identifies a process of a service: no two processes that run at the same time have the same host, port and
 * worker.
 */
export interface ServicePlace {
  host: string;
  port: number;
  /** Number of the worker; 0 if the service has no workers. */
  worker: number;
}

export interface RecordedUsage {
  /** Records the counts for the last time. */
  close(): Promise<void>;
}

/** @throws UsageFolderNotWritable */
export async function requireUsageFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((cause) => {
    throw new UsageFolderNotWritable(folder, cause);
  });
}

interface RecordOptions {
  folder: string;
  place: ServicePlace;
  logger: Logger;
  /** Reads a file; default: `readUsage`. */
  read?: typeof readUsage;
}

/**
 * Records how much each key uses, and adds the counts that other processes of the service recorded. Each
 * process writes a file of its own, so none waits for another and no count is lost. If a file cannot be
 * written or read, the failure is logged and the file is tried again later.
 */
export async function recordUsage(
  usage: KeyUsage,
  { folder, place, logger, read = readUsage }: RecordOptions,
): Promise<RecordedUsage> {
  const recorder = new UsageRecorder(usage, { folder, name: nameOf(place), logger, read });
  usage.isRecorded = true;
  let running = recorder.sync();
  await running;
  const timer = setInterval(() => {
    if (recorder.isSyncing) return;
    running = recorder.sync();
  }, RECORD_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
      await recorder.sync();
    },
  };
}

/**
 * Returns the name of a process's file. A restarted process uses the file of its predecessor, and continues
 * its counts.
 */
function nameOf({ host, port, worker }: ServicePlace): string {
  return `${`${hostname()}-${host}-${port}-${worker}`.replace(/[^\w.-]/g, "_")}.json`;
}

interface ReadFile {
  /** Differs after every change to the file; null if it could not be read. */
  mark: string | null;
  usage: UsageByKey;
}

class UsageRecorder {
  isSyncing = false;
  readonly #usage: KeyUsage;
  readonly #folder: string;
  readonly #name: string;
  readonly #logger: Logger;
  readonly #readUsage: typeof readUsage;
  /** The month in which the process started, until its recorded counts are read; null afterwards. */
  #unresumed: string | null;
  /**
   * The usage that was recorded last, by month. A `Usage` object is replaced when it changes, so it is enough
   * to compare references.
   */
  readonly #recorded = new Map<string, UsageByKey>();
  #others = new Map<string, ReadFile>();
  #hasFailed = false;

  constructor(usage: KeyUsage, options: Required<Omit<RecordOptions, "place">> & { name: string }) {
    this.#usage = usage;
    this.#folder = options.folder;
    this.#name = options.name;
    this.#logger = options.logger;
    this.#readUsage = options.read;
    this.#unresumed = usage.month;
  }

  /**
   * Continues the counts of the month in which the process started. An invalid file is kept under another
   * name. A file that cannot be read now may be valid, so nothing is recorded until it can be read.
   */
  async #resume(): Promise<void> {
    const month = this.#unresumed;
    if (month === null) return;
    await this.#resumeIn(month);
    this.#unresumed = null;
  }

  async #resumeIn(month: string): Promise<void> {
    const path = this.#pathIn(month);
    try {
      this.#usage.resume(month, await this.#readUsage(path));
    } catch (error) {
      const code = systemCode(error);
      if (code === "ENOENT") return;
      if (code !== "") throw error;
      const kept = `${path}.damaged`;
      this.#logger.error({ err: error, path, kept }, "a record of key usage cannot be read");
      await rename(path, kept).catch(() => {});
    }
  }

  async sync(): Promise<void> {
    this.isSyncing = true;
    try {
      await this.#resume();
      for (const month of this.#usage.countedMonths) await this.#record(month);
      await this.#readOthers(this.#usage.month);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) {
        this.#logger.error({ err: error }, "key usage cannot be recorded; will retry");
      }
      this.#hasFailed = true;
    } finally {
      this.isSyncing = false;
    }
  }

  async #record(month: string): Promise<void> {
    const own = new Map(this.#usage.ownIn(month));
    if (!isSame(own, this.#recorded.get(month))) {
      const path = this.#pathIn(month);
      await mkdir(dirname(path), { recursive: true });
      await writeUsage(path, own);
      this.#recorded.set(month, own);
    }
    this.#usage.forget(month);
    if (month !== this.#usage.month) this.#recorded.delete(month);
  }

  async #readOthers(month: string): Promise<void> {
    const found = new Map<string, ReadFile>();
    for (const path of await usageFiles(this.#folder, month)) {
      if (basename(path) === this.#name) continue;
      const read = await this.#read(path);
      if (read !== undefined) found.set(path, read);
    }
    this.#others = found;
    this.#usage.setOthers(month, totalUsage([...found.values()].map(({ usage }) => usage)));
  }

  /**
   * Reads another process's file if it has changed, or could not be read before. If it cannot be read, the
   * previous counts are kept.
   */
  async #read(path: string): Promise<ReadFile | undefined> {
    const known = this.#others.get(path);
    const mark = await fileMark(path);
    if (mark === "") return undefined;
    if (known?.mark === mark) return known;
    try {
      return { mark, usage: await this.#readUsage(path) };
    } catch (error) {
      if (known?.mark !== null)
        this.#logger.error({ err: error, path }, "a record of key usage cannot be read");
      return { mark: null, usage: known?.usage ?? new Map() };
    }
  }

  #pathIn(month: string): string {
    return join(this.#folder, month, this.#name);
  }
}

function isSame(a: UsageByKey, b: UsageByKey | undefined): boolean {
  return b !== undefined && a.size === b.size && [...a].every(([key, used]) => b.get(key) === used);
}

class UsageFolderNotWritable extends BaseError {
  constructor(folder: string, cause: unknown) {
    super(
      "bad-config",
      `key usage cannot be recorded in ${folder}: ${fileReason(cause)}. Set --usage-folder to a writable folder.`,
      { cause },
    );
  }
}
