import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup";
const PROCESSES = "cgroup.procs";
const LOOK_MS = 200;
const MIB = 2 ** 20;

/** Files of the memory controller, by version of control groups. */
const VERSIONS = {
  1: { folder: join(ROOT, "memory"), limit: "memory.limit_in_bytes", used: /^rss (\d+)$/m },
  2: { folder: ROOT, limit: "memory.max", used: /^anon (\d+)$/m },
} as const;

/**
 * A memory limit for processes, like a container's: the kernel kills a process that exceeds it. Linux only,
 * for users who may create control groups.
 */
export class MemoryContainer {
  readonly #folder: string;
  readonly #used: RegExp;
  readonly #watch: NodeJS.Timeout;
  readonly #kept = new Set<string>();
  #peakBytes = 0;

  constructor(limitMib: number) {
    const { folder, limit, used } = VERSIONS[existsSync(VERSIONS[1].folder) ? 1 : 2];
    this.#folder = join(folder, `quarry-bench-${process.pid}`);
    this.#used = used;
    mkdirSync(this.#folder);
    writeFileSync(join(this.#folder, limit), String(limitMib * MIB));
    this.#watch = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Returns the arguments with which `/bin/sh` runs a command in the container. */
  argumentsFor(command: readonly string[]): string[] {
    const enter = `echo $$ > ${join(this.#folder, PROCESSES)}; exec "$@"`;
    return ["-c", enter, "sh", ...command];
  }

  /** From now on, moves a process out of the container if its command line contains this word. */
  keepOut(word: string): void {
    this.#kept.add(word);
  }

  /** Peak memory use of the processes so far, without cached files. */
  get peakMib(): number {
    return this.#peakBytes / MIB;
  }

  #look(): void {
    const [, bytes] = this.#used.exec(this.#read("memory.stat")) ?? [];
    this.#peakBytes = Math.max(this.#peakBytes, Number(bytes));
    for (const pid of this.#read(PROCESSES).split("\n").filter(Boolean)) {
      const command = commandLine(pid);
      const isOut = [...this.#kept].some((word) => command.includes(word));
      if (isOut) writeFileSync(join(this.#folder, "..", PROCESSES), pid);
    }
  }

  #read(file: string): string {
    return readFileSync(join(this.#folder, file), "utf8");
  }

  /** Removes the container. Must be called after its processes have ended. */
  remove(): void {
    clearInterval(this.#watch);
    rmdirSync(this.#folder);
  }
}

/** Returns the command line of a process; empty if it has ended. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
