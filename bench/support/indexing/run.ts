import { join } from "node:path";
import { BaseError } from "../../../src/lib/error.ts";
import { ROOT, startProcess } from "../../../test/support/processes/processes.ts";

/** The blocks to process, and where to fetch them. */
export interface BlockSpan {
  url: string;
  /** First block. The blocks before `measuredFrom` are processed first, so that all code is compiled. */
  from: number;
  measuredFrom: number;
  to: number;
}

/** A measured run over the blocks. */
export interface Run {
  seconds: number;
  /** Processor time of the process, including its threads but not the node. */
  processorSeconds: number;
  /** Resident memory at the end. */
  rssBytes: number;
  /** Number of logs that were parsed or stored, or of events that were handled. */
  events: number;
}

/** Measures this process while it does some work, which returns the number of events. */
export async function measured(work: () => Promise<number>): Promise<Run> {
  const started = { ms: performance.now(), cpu: process.cpuUsage() };
  const events = await work();
  const seconds = (performance.now() - started.ms) / 1_000;
  const { user, system } = process.cpuUsage(started.cpu);
  return { seconds, processorSeconds: (user + system) / 1e6, rssBytes: process.memoryUsage.rss(), events };
}

/** Prints a run for the process that started this one. */
export function printRun(run: Run): void {
  process.stdout.write(`${JSON.stringify(run)}\n`);
}

/** Runs a file of this folder in a process of its own. Returns the run that it prints. */
export async function runProcess(
  file: string,
  described: object,
  nodeOptions: readonly string[] = [],
): Promise<Run> {
  const path = join(ROOT, "bench/support/indexing", file);
  const args = ["--import", "tsx", ...nodeOptions, path, JSON.stringify(described)];
  const { code, stdout, stderr } = await startProcess(process.execPath, args).finished;
  if (code !== 0) throw new RunFailed(file, code, stderr);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Run;
}

export class RunFailed extends BaseError {
  constructor(name: string, code: number | null, output: string) {
    super("internal", `${name} ended with code ${code}:\n${output}`);
  }
}
