import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Clock ticks of /proc/PID/stat in a second. */
const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** User and system time of these processes with all their threads, milliseconds. */
export function processorMs(pids: readonly number[]): number {
  const ticks = pids.reduce((sum, pid) => sum + ticksOf(pid), 0);
  return (ticks * 1000) / TICKS;
}

/** Fields 14 and 15, counted behind the name, which may contain spaces. */
function ticksOf(pid: number): number {
  const stat = readProc(`${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** A process and its children. */
export function withChildren(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === "" ? [] : children.split(" ").map(Number))];
}

/** Memory of these processes in MB; memory that several of them share counts once. */
export function residentMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1000);
}

/** Empty for a process that has ended. */
function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}
