import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { BIN, startProcess, temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/**
 * Resolves to the first bytes that the service sends, to `closed` if it closes the connection without any, or
 * to `open`.
 */
async function stateOf(socket: Socket): Promise<string> {
  const data = once(socket, "data").then(([chunk]) => String(chunk).slice(0, 12));
  const closed = once(socket, "close").then(() => "closed");
  const open = new Promise<string>((resolve) => setTimeout(() => resolve("open"), 3_000));
  return Promise.race([data, closed, open]).catch(() => "closed");
}

it("serves and answers 503 with few file handles, and the log says so in one line", async () => {
  const args = ["serve", "--data", folder.path, "--port", "0"];
  const running = startProcess("bash", [
    "-c",
    `ulimit -n 256; exec "$@"`,
    "bash",
    process.execPath,
    BIN,
    ...args,
  ]);
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  const [, port = ""] = await running.printed(/serving on http:\/\/127.0.0.1:(\d+)/);
  const sockets = Array.from({ length: 300 }, () => connect(Number(port), "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const states = await Promise.all(sockets.map(stateOf));
  const count = (state: string) => states.filter((one) => one === state).length;
  expect(count("HTTP/1.1 503")).toBeGreaterThan(0);
  expect(count("open")).toBeGreaterThan(100);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  const lines = running.output().trim().split("\n");
  expect(lines.filter((line) => line.includes("limit of open files (ulimit -n) is 256"))).toHaveLength(1);
  expect(lines.filter((line) => line.includes("connections are refused"))).toHaveLength(1);
  expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([]);
});
