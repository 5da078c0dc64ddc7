import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Running, startProcess } from "../../../test/support/processes/processes.ts";
import { processorMs } from "../serving/process-figures.ts";
import { type EventSet, writeProject } from "./ponder-project.ts";
import { type BlockSpan, type Run, RunFailed } from "./run.ts";

/**
 * The newest version that supports Node 20, with the packages that it needs. They are installed into a
 * temporary folder, because Quarry does not depend on them.
 */
const PACKAGES = { ponder: "0.16.10", viem: "2.57.1", hono: "4.13.19", typescript: "5.9.3" };

export const PONDER_VERSION = PACKAGES.ponder;

/** Maximum waits, in milliseconds. */
const START_MS = 120_000;
const INDEX_MS = 600_000;

const ENVIRONMENT = { PONDER_TELEMETRY_DISABLED: "1", PONDER_LOG_LEVEL: "info" };

/** Installs Ponder into a temporary folder, which is removed when this process exits. Returns the folder. */
export async function installPonder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "quarry-bench-ponder-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const described = { private: true, type: "module", dependencies: PACKAGES };
  writeFileSync(join(folder, "package.json"), JSON.stringify(described));
  // Ponder and its packages need no install scripts.
  const flags = ["--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"];
  const { code, stderr } = await startProcess("npm", ["install", ...flags]).finished;
  if (code !== 0) throw new RunFailed("npm install", code, stderr);
  return folder;
}

/** Indexes the events of the span with a new database. Measures from the first block to the last event. */
export async function runPonder(installed: string, events: EventSet, span: BlockSpan): Promise<Run> {
  const root = mkdtempSync(join(installed, "project-"));
  writeProject(root, events, span);
  const bin = join(installed, "node_modules/ponder/dist/esm/bin/ponder.js");
  const port = await freePort();
  const flags = [
    "--root",
    root,
    "--port",
    String(port),
    "--hostname",
    "127.0.0.1",
    "--schema",
    "bench",
    "--log-format",
    "json",
  ];
  const ponder = startProcess(process.execPath, [bin, "start", ...flags], ENVIRONMENT);
  try {
    return await measuredPonder(ponder, port);
  } finally {
    await ponder.stop("SIGKILL");
    rmSync(root, { recursive: true, force: true });
  }
}

async function measuredPonder(ponder: Running, port: number): Promise<Run> {
  const pid = ponder.child.pid ?? 0;
  await ponder.printed(/Started fetching backfill JSON-RPC data/, START_MS);
  const started = { ms: performance.now(), processorMs: processorMs([pid]) };
  await ponder.printed(/Completed backfill indexing across all chains/, INDEX_MS);
  return {
    seconds: (performance.now() - started.ms) / 1_000,
    processorSeconds: (processorMs([pid]) - started.processorMs) / 1_000,
    rssBytes: residentBytes(pid),
    events: await handledEvents(port),
  };
}

/**
 * Returns a free port. Ponder cannot choose one itself, because it would report the port that it was given
 * (0), not the port that it chose.
 */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Returns the number of events for which Ponder has called a function. */
async function handledEvents(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = text.matchAll(/^ponder_indexing_completed_events\{[^}]*\} (\S+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1_024;
}
