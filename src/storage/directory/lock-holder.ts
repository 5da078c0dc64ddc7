import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { systemCode } from "../../lib/system-error.ts";

/** The process that holds a lock, as the lock file describes it. */
export interface Holder {
  pid: number;
  /** Start of the process, which distinguishes it from a later one with the same id. */
  started: string;
  /**
   * Identifies the boot of the machine and the PID namespace in which the id is valid; absent in locks of
   * older versions.
   */
  place?: string;
  /** URL at which the process serves the API. */
  address?: string;
  /** Socket at which it offers the engine to other processes of the same user. */
  socket?: string;
}

/** How the process that holds a lock can be reached. */
export type Reachable = Pick<Holder, "address" | "socket">;

export async function thisProcess(): Promise<Holder> {
  const [started = "unknown", place] = await Promise.all([startOf(process.pid), thisPlace()]);
  return { pid: process.pid, started, place };
}

/** Parses the text of a lock; undefined for any other text. */
export function holderOf(text: string): Holder | undefined {
  try {
    const { pid, started, place, address, socket } = JSON.parse(text) as Partial<Holder>;
    if (typeof pid !== "number" || typeof started !== "string") return undefined;
    return {
      ...{ pid, started },
      ...(typeof place === "string" && { place }),
      ...(typeof address === "string" && { address }),
      ...(typeof socket === "string" && { socket }),
    };
  } catch {
    return undefined;
  }
}

/** Returns the text of a lock. */
export function textOf(holder: Holder): string {
  return JSON.stringify(holder);
}

/**
 * Returns the text of a lock without the address and the socket. It has at most 59 characters, so ext4 can
 * store it in the inode of a symbolic link.
 */
export function shortTextOf({ pid, started, place }: Holder): string {
  return JSON.stringify({ pid, started: digestOf(started), place });
}

/** Returns whether two holders are the same process. */
export function isSameHolder(a: Holder, b: Holder): boolean {
  return a.pid === b.pid && a.place === b.place && isSameStart(a.started, b.started);
}

/**
 * Returns whether the process cannot be looked up from here, for example because it is in another container.
 */
export function isElsewhere(holder: Holder, own: Holder): boolean {
  return holder.place !== undefined && holder.place !== own.place;
}

/** Returns whether the process is running. Must not be called for a holder that is elsewhere. */
export async function isRunning({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: a process with this id runs under another user. It may be a later process than the holder.
    if (systemCode(error) !== "EPERM") return false;
  }
  const now = await startOf(pid);
  return (now === undefined || isSameStart(now, started)) && !(await isDefunct(pid));
}

function isSameStart(a: string, b: string): boolean {
  return a === b || digestOf(a) === b || a === digestOf(b);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/**
 * Returns a digest that identifies the machine and PID namespace in which a process id is valid. Every
 * machine gives its first PID namespace the same number, so the boot id is needed as well: together they
 * distinguish containers, and machines that share a disk. On systems without these, such as macOS, the host
 * name is used.
 */
async function thisPlace(): Promise<string> {
  try {
    return digestOf(`${await bootId()} ${await readlink("/proc/self/ns/pid")}`);
  } catch {
    return digestOf(`${process.platform} ${hostname()}`);
  }
}

async function bootId(): Promise<string> {
  return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
}

/**
 * Returns whether a process has ended but is still listed. A killed process stays listed until its parent
 * reaps it, but holds nothing once its last thread has ended.
 */
async function isDefunct(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return fieldsAfterName(stat)[0] === "Z" && (await readdir(`/proc/${pid}/task`)).length <= 1;
  } catch {
    return false;
  }
}

/**
 * Returns the start time of a process in the system's own format; undefined if the system does not report it.
 */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return `${await bootId()} ${startTicks(stat)}`;
  } catch {
    return startByPs(pid);
  }
}

/** Returns field 22 of /proc/PID/stat, the start time of the process; see proc(5). */
function startTicks(stat: string): string | undefined {
  return fieldsAfterName(stat)[19];
}

/**
 * Returns the fields of /proc/PID/stat from the third on. The name before them may contain spaces and
 * parentheses.
 */
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
