import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Number of clock ticks per second in /proc/PID/stat. */
const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Returns the user and system time of these processes with all their threads, in milliseconds. */
export function processorMs(pids: readonly number[]): number {
  const ticks = pids.reduce((sum, pid) => sum + ticksOf(pid), 0);
  return (ticks * 1000) / TICKS;
}

/** Reads fields 14 and 15. Counts them from the end of the name, because the name may contain spaces. */
function ticksOf(pid: number): number {
  const stat = readProc(`${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** Returns the ids of a process and its children. */
export function withChildren(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === "" ? [] : children.split(" ").map(Number))];
}

/** Returns the memory of these processes in MB. Memory that several of them share counts once. */
export function residentMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1000);
}

/** Reads a file of /proc. Returns an empty string for a process that has ended. */
function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}
