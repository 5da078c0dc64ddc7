import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageFolder } from "../../../src/lib/package-folder.ts";

/**
 * The repository's folder. Not derived from `import.meta`, because some processes load this file from a
 * bundle.
 */
export const ROOT = packageFolder();
/** The `quarry` command of the repository. */
export const BIN = join(ROOT, "bin/quarry.cjs");
/** Script that runs a TypeScript file of the repository. The file is the script's first argument. */
export const START_SOURCE = join(ROOT, "test/support/processes/start-source.mjs");

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Returns standard error without the progress lines that a command prints if it takes longer than usual. */
export function withoutProgress(stderr: string): string {
  return stderr.replace(/^quarry: .*[█░] +\d+% \| .*\n/gm, "");
}

export interface Running {
  child: ChildProcess;
  /** Returns everything printed so far. */
  output(): string;
  /** Resolves to the first match in the output. */
  printed(pattern: RegExp, timeoutMs?: number): Promise<RegExpMatchArray>;
  finished: Promise<Finished>;
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

export function startProcess(command: string, args: string[], env: Record<string, string> = {}): Running {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const text = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      text[name] += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  const finished = once(child, "close").then(([code]) => ({ code: code as number | null, ...text }));
  const output = () => text.stdout + text.stderr;
  const printed = (pattern: RegExp, timeoutMs = 60_000) =>
    new Promise<RegExpMatchArray>((resolvePrinted, reject) => {
      const look = () => {
        const match = output().match(pattern);
        if (match !== null) done(() => resolvePrinted(match));
      };
      const fail = (why: string) =>
        done(() => reject(new Error(`${why} waiting for ${pattern}:\n${output()}`)));
      const timer = setTimeout(() => fail("time is up"), timeoutMs);
      const done = (then: () => void) => {
        clearTimeout(timer);
        listeners.delete(look);
        then();
      };
      listeners.add(look);
      void finished.then(() => fail("the process ended"));
      look();
    });
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return finished;
  };
  return { child, output, printed, finished, stop };
}

export function startQuarry(args: string[], env: Record<string, string> = {}): Running {
  return startProcess(process.execPath, [BIN, ...args], env);
}

/** Starts a TypeScript file of src/ or test/support/, given by its path in the repository. */
export function startSource(source: string, args: string[], env: Record<string, string> = {}): Running {
  return startProcess(process.execPath, [START_SOURCE, source, ...args], {
    UV_THREADPOOL_SIZE: "16",
    ...env,
  });
}

export function runQuarry(args: string[], env: Record<string, string> = {}): Promise<Finished> {
  return startQuarry(args, env).finished;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export interface Node {
  url: string;
  stop(): Promise<unknown>;
}

/** Creates a temporary folder. Tests must remove it at the end. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "quarry-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Api {
  url: string;
  sql<R = Record<string, unknown>>(query: string): Promise<R[]>;
  get<R = unknown>(path: string): Promise<R>;
}

/** Sends a query to a service. Returns the response, whatever its status. */
export function postSql(url: string, query: string): Promise<Response> {
  return fetch(`${url}/v1/sql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
}

export function apiAt(url: string): Api {
  const answer = async (response: Response) => {
    const body = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${body}`);
    return JSON.parse(body);
  };
  return {
    url,
    sql: async (query) => answer(await postSql(url, query)),
    get: async (path) => answer(await fetch(url + path)),
  };
}
