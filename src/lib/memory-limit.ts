import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";

interface MemorySource {
  /** File that lists the control groups of this process. */
  groups: string;
  /** Folder where the control-group file system is mounted. */
  mount: string;
  machineBytes: number;
}

const LINUX = { groups: "/proc/self/cgroup", mount: "/sys/fs/cgroup" };

/**
 * Returns the memory that this process may use: the machine's memory, or the limit of its container if that
 * is lower.
 */
export function memoryLimitBytes({ groups, mount, machineBytes }: MemorySource = ofThisProcess()): number {
  const limits = limitFiles(groups, mount).map(numberIn);
  return Math.min(machineBytes, ...limits.filter((limit) => limit > 0));
}

function ofThisProcess(): MemorySource {
  return { ...LINUX, machineBytes: totalmem() };
}

/**
 * Returns the paths of the files with the limits of the process: those of its control group and of every
 * group above it. In a container, the topmost group is the container's.
 */
function limitFiles(groups: string, mount: string): string[] {
  return textOf(groups)
    .split("\n")
    .flatMap((line) => {
      const [, controllers = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      if (line.startsWith("0::")) return foldersTo(path).map((folder) => join(mount, folder, "memory.max"));
      if (!controllers.split(",").includes("memory")) return [];
      return foldersTo(path).map((folder) => join(mount, "memory", folder, "memory.limit_in_bytes"));
    });
}

function foldersTo(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...foldersTo(parent), path];
}

/** Returns the number in a file; NaN for `max`, or if there is no such file. */
function numberIn(file: string): number {
  return Number.parseInt(textOf(file), 10);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
