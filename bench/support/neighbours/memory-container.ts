import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup";
const MIB = 2 ** 20;

/** Files of the memory controller. */
const VERSIONS = {
  1: { folder: join(ROOT, "memory"), limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes" },
  2: { folder: ROOT, limit: "memory.max", peak: "memory.peak" },
} as const;

/**
 * A memory limit for processes, such as a container has: the kernel kills the process that exceeds it. Linux
 * only, for users who may create control groups.
 */
export class MemoryContainer {
  readonly #folder: string;
  readonly #peak: string;

  constructor(limitMib: number) {
    const { folder, limit, peak } = VERSIONS[existsSync(VERSIONS[1].folder) ? 1 : 2];
    this.#folder = join(folder, `quarry-bench-${process.pid}`);
    this.#peak = peak;
    mkdirSync(this.#folder);
    writeFileSync(join(this.#folder, limit), String(limitMib * MIB));
  }

  /** Returns the arguments of `/bin/sh` that run a command in the container. */
  argumentsFor(command: readonly string[]): string[] {
    const enter = `echo $$ > ${join(this.#folder, "cgroup.procs")}; exec "$@"`;
    return ["-c", enter, "sh", ...command];
  }

  /** Moves the processes whose command line contains a word out of the container, with their later memory. */
  release(word: string): void {
    for (const pid of readFileSync(join(this.#folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean)) {
      if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word)) {
        writeFileSync(join(this.#folder, "..", "cgroup.procs"), pid);
      }
    }
  }

  /** Highest use so far, which includes cached files. */
  peakMib(): number {
    return Number(readFileSync(join(this.#folder, this.#peak), "utf8")) / MIB;
  }

  /** Must be called after its processes have ended. */
  remove(): void {
    rmdirSync(this.#folder);
  }
}
