import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { link, readdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { BaseError } from "../../lib/error.ts";
import { meansFullDisk, systemCode } from "../../lib/system-error.ts";

/**
 * Processes that find a dead lock at the same time retry; one of them gets the lock within a few attempts.
 */
const MAX_ATTEMPTS = 50;
const RETRY_MS = 20;

interface Holder {
  pid: number;
  /** Distinguishes a process from a later one with the same id. */
  started: string;
  /** URL at which the process serves the API. */
  address?: string;
  /** Path of the socket on which it offers its engine. */
  socket?: string;
}

/** Where other processes find what the holder of a lock offers. */
export type Offers = Pick<Holder, "address" | "socket">;

/** A lock file that this process holds. */
export class HeldLock {
  readonly #file: string;
  #text: string;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  /** Adds what this process offers to the lock, for processes that find it held. */
  async publish(offers: Offers): Promise<void> {
    const text = JSON.stringify({ ...JSON.parse(this.#text), ...offers } satisfies Holder);
    await replace(this.#file, text);
    this.#text = text;
  }

  async release(): Promise<void> {
    const found = await read(this.#file);
    const isOwn = found === this.#text || found === linkTextOf(this.#text);
    if (isOwn) await rm(this.#file, { force: true });
  }
}

/**
 * Acquires a lock file for this process. The lock of a process that has ended is taken over.
 *
 * @throws LockHeld when a living process holds it
 */
export async function acquireLock(file: string): Promise<HeldLock> {
  const own: Holder = { pid: process.pid, started: (await startOf(process.pid)) ?? "unknown" };
  const text = JSON.stringify(own);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (await create(file, text)) return new HeldLock(file, text);
    const found = await read(file);
    if (found === undefined) continue;
    const holder = holderOf(found);
    if (holder !== undefined && (await isAlive(holder))) throw new LockHeld(file, holder);
    if (await takeOver(file, found, text)) return new HeldLock(file, text);
    await sleep(RETRY_MS);
  }
  throw new LockHeld(file, undefined);
}

/**
 * Only checks the lock.
 *
 * @throws LockHeld when a living process holds the lock
 */
export async function requireFree(file: string): Promise<void> {
  const found = await read(file);
  const holder = found === undefined ? undefined : holderOf(found);
  if (holder !== undefined && (await isAlive(holder))) throw new LockHeld(file, holder);
}

/** The file appears with its complete content, so that no process reads a partly written lock. */
async function create(file: string, text: string): Promise<boolean> {
  try {
    await createFile(file, text).catch((error) => createLink(file, text, error));
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function createFile(file: string, text: string): Promise<void> {
  const draft = await writeDraft(file, text);
  try {
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * On a full disk, the text becomes the target of a symbolic link, which file systems keep in the link itself
 * (ext4: up to 59 characters). So data on a full disk can still be served.
 */
async function createLink(file: string, text: string, failure: unknown): Promise<void> {
  if (!meansFullDisk(failure)) throw failure;
  await symlink(linkTextOf(text), file);
}

/** A lock's text in as few characters as a link may have: the start of the process is shortened. */
function linkTextOf(text: string): string {
  const holder = JSON.parse(text) as Holder;
  return JSON.stringify({ ...holder, started: shortened(holder.started) });
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readlink(file).catch((error) => {
      if (systemCode(error) !== "EINVAL") throw error;
      return readFile(file, "utf8");
    });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Must not be called for a lock that another living process may hold. */
async function replace(file: string, text: string): Promise<void> {
  const draft = draftOf(file);
  try {
    await writeFile(draft, text).catch(async (error) => {
      await rm(draft, { force: true });
      await createLink(draft, text, error);
    });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(file: string, text: string): Promise<string> {
  const draft = draftOf(file);
  try {
    await writeFile(draft, text);
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function draftOf(file: string): string {
  return `${file}.${randomUUID()}`;
}

/**
 * Replaces a dead lock with ours. Several processes may find the same dead lock, so each first claims it with
 * a file whose name is derived from the lock's text. Only the process that created the claim may replace the
 * lock, and only if the lock is unchanged. If a process dies with its claim, the claim with the next number
 * is used.
 *
 * @returns false if another process was quicker; the caller must retry
 */
async function takeOver(file: string, dead: string, own: string): Promise<boolean> {
  const digest = createHash("sha256").update(dead).digest("hex").slice(0, 16);
  for (let number = 0; ; number++) {
    const claim = `${file}.${digest}-${number}`;
    if (await create(claim, own)) return replaceDead(file, dead, own, claim);
    const claimant = await read(claim);
    if (claimant === undefined) return false;
    const holder = holderOf(claimant);
    if (holder !== undefined && (await isAlive(holder))) return false;
  }
}

async function replaceDead(file: string, dead: string, own: string, claim: string): Promise<boolean> {
  try {
    if ((await read(file)) !== dead) return false;
    await replace(file, own);
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    const { pid, started, address, socket } = JSON.parse(text) as Partial<Holder>;
    if (typeof pid !== "number" || typeof started !== "string") return undefined;
    return {
      ...{ pid, started },
      ...(typeof address === "string" ? { address } : {}),
      ...(typeof socket === "string" ? { socket } : {}),
    };
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
  const now = await startOf(pid);
  const isSame = now === undefined || now === started || shortened(now) === started;
  return isSame && !(await isDefunct(pid));
}

/** Short enough for a symbolic link: see `createLink`. */
function shortened(started: string): string {
  return createHash("sha256").update(started).digest("hex").slice(0, 16);
}

/**
 * A killed process stays listed until its parent reaps it; once its last thread has ended it holds nothing.
 */
async function isDefunct(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return fieldsAfterName(stat)[0] === "Z" && (await readdir(`/proc/${pid}/task`)).length <= 1;
  } catch {
    return false;
  }
}

/** Start time of a process in the system's own format; undefined if the system does not report it. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()} ${startTicks(stat)}`;
  } catch {
    return startByPs(pid);
  }
}

/** Field 22 of proc(5) stat. */
function startTicks(stat: string): string | undefined {
  return fieldsAfterName(stat)[19];
}

/** The fields of proc(5) stat from the third on. The name before them may contain blanks and parentheses. */
function fieldsAfterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

async function startByPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** `data-directory`; the message has the process id. */
export class LockHeld extends BaseError {
  /** URL of the holder's API; null if unknown. */
  readonly address: string | null;
  /** Socket of the holder's engine; null if it offers none. */
  readonly socket: string | null;

  constructor(file: string, holder: Holder | undefined) {
    const named = holder === undefined ? "another process that is starting" : `process ${holder.pid}`;
    super(
      "data-directory",
      `The data directory is in use by ${named} (lock ${file}). Stop that process, or use another --data directory.`,
    );
    this.address = holder?.address ?? null;
    this.socket = holder?.socket ?? null;
  }
}
