import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { BIN, startProcess, temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/**
 * Resolves to the first bytes that the service sends, to `closed` if it closes the connection without sending
 * any, or to `open`.
 */
async function stateOf(socket: Socket): Promise<string> {
  const data = once(socket, "data").then(([chunk]) => String(chunk).slice(0, 12));
  const closed = once(socket, "close").then(() => "closed");
  const open = new Promise<string>((resolve) => setTimeout(() => resolve("open"), 3_000));
  return Promise.race([data, closed, open]).catch(() => "closed");
}

/** Opens 300 connections from the addresses in turn. Closes them, and returns their states. */
async function statesOf(port: number, addresses: readonly string[]): Promise<string[]> {
  const sockets = Array.from({ length: 300 }, (_, i) =>
    connect({ port, host: "127.0.0.1", localAddress: addresses[i % addresses.length] ?? "" }),
  );
  const states = await Promise.all(sockets.map(stateOf));
  for (const socket of sockets) socket.destroy();
  return states;
}

const MANY = Array.from({ length: 50 }, (_, i) => `127.0.1.${i + 1}`);

it("serves with few file handles, of which an address gets its share, and the log says so in one line", async () => {
  const args = ["serve", "--data", folder.path, "--port", "0"];
  const running = startProcess("bash", [
    "-c",
    `ulimit -n 512; exec "$@"`,
    "bash",
    process.execPath,
    BIN,
    ...args,
  ]);
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  const [, port = ""] = await running.printed(/serving on http:\/\/127.0.0.1:(\d+)/);
  const ofOne = await statesOf(Number(port), ["127.0.0.2"]);
  expect(ofOne).toContain("HTTP/1.1 429");
  expect(ofOne).not.toContain("HTTP/1.1 503");
  const ofMany = await statesOf(Number(port), MANY);
  expect(ofMany).toContain("HTTP/1.1 503");
  expect(ofMany.filter((state) => state === "open").length).toBeGreaterThan(50);
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  const lines = running.output().trim().split("\n");
  expect(lines.filter((line) => line.includes("limit on open files (ulimit -n) is 512"))).toHaveLength(1);
  expect(lines.filter((line) => line.includes("refusing connections"))).toHaveLength(1);
  expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([]);
});
