import { isIPv6 } from "node:net";
import { tryPort } from "../serving/port.ts";
import { type Check, fail, ok } from "./check.ts";

export async function checkPort(host: string, port: number): Promise<Check> {
  if (port === 0) return ok("port", "any free port");
  try {
    await tryPort(host, port);
    return ok("port", `${host}:${port} is free`);
  } catch (error) {
    return takenPort(host, port, (error as NodeJS.ErrnoException).code ?? "unknown error");
  }
}

const RESPONSE_TIMEOUT_MS = 2_000;

async function takenPort(host: string, port: number, code: string): Promise<Check> {
  const address = `${host}:${port}`;
  if (code !== "EADDRINUSE") {
    return fail(
      "port",
      `cannot listen on ${address} (${code})`,
      "Choose another address with --host and --port.",
    );
  }
  if (await isQuarry(host, port)) return ok("port", `Quarry is running on ${address}`);
  return fail(
    "port",
    `${address} is in use by another program`,
    "Stop that program, or choose another port with --port.",
  );
}

/** Addresses that listen on all interfaces. */
const ANY = new Set(["0.0.0.0", "::"]);

async function isQuarry(host: string, port: number): Promise<boolean> {
  const name = ANY.has(host) ? "127.0.0.1" : host;
  const url = `http://${isIPv6(name) ? `[${name}]` : name}:${port}/health`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    return ((await response.json()) as { alive?: unknown }).alive === true;
  } catch {
    return false;
  }
}
