import { runCommand } from "../../../src/cli/main.ts";
import type { Finished } from "./processes.ts";

const STREAMS = ["stdout", "stderr"] as const;

/**
 * Runs a command of Quarry in this process, which saves the 0.9 s of CPU time that a new process takes to
 * start. Returns what the command prints, but not its log. Only one command can run at a time, and only while
 * this process has no engine open.
 */
export async function runHere(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const text = { stdout: "", stderr: "" };
  const removeNewListeners = listenersOf([process, process.stdout, process.stderr]);
  const written = STREAMS.map((name) => process[name].write);
  const { exitCode, env: outer } = process;
  process.env = { ...outer, ...env };
  process.exitCode = undefined;
  for (const name of STREAMS) {
    process[name].write = writeTo((chunk) => {
      text[name] += chunk;
    });
  }
  try {
    const code = await runCommand([process.execPath, "quarry", ...args]);
    return { code: Number(code), ...text };
  } finally {
    STREAMS.forEach((name, i) => {
      process[name].write = written[i] as typeof process.stdout.write;
    });
    process.env = outer;
    process.exitCode = exitCode;
    // A command never removes its listeners for signals and on its output, because its process normally ends.
    removeNewListeners();
  }
}

/** Returns a replacement for a stream's `write`. Like the original, it calls the callback. */
function writeTo(add: (chunk: string) => void): typeof process.stdout.write {
  return (chunk: Uint8Array | string, ...rest: unknown[]) => {
    add(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
    const done = rest.find((one) => typeof one === "function");
    if (done !== undefined) process.nextTick(done as () => void);
    return true;
  };
}

/** Notes the listeners of some emitters, and returns a function that removes every newer one. */
function listenersOf(emitters: readonly NodeJS.EventEmitter[]): () => void {
  const known = emitters.map(
    (emitter) => new Set(emitter.eventNames().flatMap((name) => emitter.listeners(name))),
  );
  return () => {
    emitters.forEach((emitter, i) => {
      for (const name of emitter.eventNames()) {
        for (const listener of emitter.listeners(name).filter((one) => !known[i]?.has(one)))
          emitter.off(name, listener as () => void);
      }
    });
  };
}
