import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { BaseError } from "../../../src/lib/error.ts";

/** A program of the benchmark in a separate process, whose processor time can be read separately. */
export interface Child {
  pid: number;
  /** Sends a message and returns the response. Must be called for one message at a time. */
  request<Response>(message: unknown): Promise<Response>;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a file that responds to each message with one message.
 *
 * @param nodeOptions more options for Node
 */
export function startChild(
  file: string,
  args: readonly string[] = [],
  nodeOptions: readonly string[] = [],
): Child {
  const execArgv = ["--import", "tsx", ...nodeOptions];
  const child = fork(file, [...args], { execArgv, serialization: "advanced" });
  // "close" would not work, because it is not emitted after disconnect().
  const ended = once(child, "exit");
  return {
    pid: child.pid ?? 0,
    async request<Response>(message: unknown) {
      const response = responseOf(child, file);
      child.send(message as object);
      return (await response) as Response;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

async function responseOf(child: ChildProcess, file: string): Promise<unknown> {
  const stopped = new AbortController();
  const response = once(child, "message", { signal: stopped.signal }).then(([message]) => message);
  const exit = once(child, "exit", { signal: stopped.signal }).then(([code]) => {
    throw new ChildEnded(file, code);
  });
  try {
    return await Promise.race([response, exit]);
  } finally {
    response.catch(() => {});
    exit.catch(() => {});
    stopped.abort();
  }
}

/**
 * Serves the parent from the child process. Calls `respond` for each message, and `close` when the parent
 * disconnects.
 */
export function serveParent<Message>(
  respond: (message: Message) => Promise<unknown>,
  close: () => Promise<void> = async () => {},
): void {
  process.on("message", async (message: Message) => {
    process.send?.((await respond(message)) ?? null);
  });
  process.on("disconnect", async () => {
    await close();
    process.exit();
  });
}

class ChildEnded extends BaseError {
  constructor(file: string, code: unknown) {
    super("internal", `${file} ended with code ${code}`);
  }
}

/** Returns the time in milliseconds of a clock that all processes of the machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
