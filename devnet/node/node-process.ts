import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer, Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BaseError } from "../../src/lib/error.ts";
import { packageFolder } from "../../src/lib/package-folder.ts";
import { NodeClient } from "./node-client.ts";

export const ACCOUNTS = 240;
export const CHAIN_ID = 31_337;
const BALANCE_ETHER = 400_000;
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const STOP_TIMEOUT_MS = 5_000;

/** A running anvil process. */
export interface NodeProcess {
  client: NodeClient;
  pid: number;
  /** Resolves when the process has exited, with the reason, e.g. `SIGKILL` or `code 1`. */
  gone: Promise<string>;
  /** Stops the process and waits for its exit. */
  end(): Promise<void>;
}

interface NodeOptions {
  port: number;
  /** Command-line arguments that select the initial state. */
  state: string[];
  signal?: AbortSignal | undefined;
}

/** Starts anvil and waits until it responds. Throws NodeStartError. */
export async function startNode(options: NodeOptions): Promise<NodeProcess> {
  const port = options.port === 0 ? await freePort() : options.port;
  // The node is detached, so Ctrl-C in a terminal reaches only this process, which then saves the chain.
  const child = spawn(binaryPath(), nodeArguments(port, options.state), { stdio: "ignore", detached: true });
  const client = new NodeClient(`http://127.0.0.1:${port}`);
  endWithParent(child);
  const node = { client, pid: child.pid ?? 0, gone: goneOf(child), end: () => endProcess(child) };
  try {
    await untilAnswering(child, client, options.signal);
    return node;
  } catch (error) {
    await node.end();
    throw error;
  }
}

function goneOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`)));
}

/** Ensures that the node does not outlive this process, however this process ends. */
function endWithParent(child: ChildProcess): void {
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const guard = process.platform === "win32" || child.pid === undefined ? null : guardOf(child.pid);
  child.once("exit", () => {
    process.off("exit", kill);
    guard?.kill("SIGKILL");
  });
}

/**
 * Starts a shell that waits until its input ends and then kills the node. Its input also ends if this process
 * is killed.
 */
function guardOf(pid: number): ChildProcess {
  const script = 'read -r _; kill -9 "$0"';
  const guard = spawn("/bin/sh", ["-c", script, `${pid}`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.once("error", () => {});
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return guard;
}

function nodeArguments(port: number, state: string[]): string[] {
  return [
    ["--host", "127.0.0.1", "--port", `${port}`, "--chain-id", `${CHAIN_ID}`, "--hardfork", "cancun"],
    ["--accounts", `${ACCOUNTS}`, "--balance", `${BALANCE_ETHER}`, "--gas-limit", `${BLOCK_GAS_LIMIT}`],
    ["--no-mining", "--order", "fifo", "--quiet", "--no-request-size-limit"],
    ["--disable-min-priority-fee", "--prune-history"],
    state,
  ].flat();
}

export const BLOCK_GAS_LIMIT = 36_000_000;

/** Returns the path of the binary, not of the script that wraps it, because the pid must be the binary's. */
function binaryPath(): string {
  const architecture = process.arch === "arm64" ? "arm64" : "amd64";
  const file = process.platform === "win32" ? "anvil.exe" : "anvil";
  const wanted = `@foundry-rs/anvil-${process.platform}-${architecture}/bin/${file}`;
  try {
    const devnet = createRequire(join(packageFolder(), "devnet/package.json"));
    const require = createRequire(devnet.resolve("@foundry-rs/anvil/package.json"));
    return require.resolve(wanted);
  } catch (cause) {
    throw new NodeStartError(
      `its program ${wanted} is not installed; run npm ci with optional packages`,
      cause,
    );
  }
}

async function untilAnswering(child: ChildProcess, client: NodeClient, signal?: AbortSignal): Promise<void> {
  let failure: unknown;
  child.once("error", (error) => {
    failure = error;
  });
  for (let waited = 0; waited < START_TIMEOUT_MS; waited += POLL_MS) {
    signal?.throwIfAborted();
    if (failure !== undefined) throw new NodeStartError("its program cannot be run", failure);
    if (child.exitCode !== null) throw new NodeStartError(`it exited at once with code ${child.exitCode}`);
    const answers = await client.call("eth_chainId").catch(() => null);
    if (answers !== null) return;
    await sleep(POLL_MS);
  }
  throw new NodeStartError(`it did not respond within ${START_TIMEOUT_MS / 1000} s`);
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

export class NodeStartError extends BaseError {
  constructor(problem: string, cause?: unknown) {
    super("internal", `The node of the demo chain (anvil) did not start: ${problem}.`, { cause });
  }
}

export class NodeGoneError extends BaseError {
  constructor(end: string, cause?: unknown) {
    super(
      "internal",
      `The node of the demo chain (anvil) exited unexpectedly (${end}). Start again: the market resumes where it was.`,
      { cause },
    );
  }
}
