import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { HandedConnections } from "./handed-connections.ts";

/** Starts processes that share a port and respond with their process ids. */
async function workers(count: number): Promise<{ started: Worker[]; port: number }> {
  const folder = temporaryFolder();
  const exec = join(folder.path, "worker.cjs");
  writeFileSync(
    exec,
    `require("node:net").createServer((socket) => socket.end(String(process.pid))).listen(0, "127.0.0.1")`,
  );
  cluster.setupPrimary({ exec });
  const connections = new HandedConnections();
  const started = Array.from({ length: count }, () => cluster.fork());
  onTestFinished(async () => {
    for (const { process } of started) process.kill("SIGKILL");
    await Promise.all(started.map((worker) => worker.isDead() || once(worker, "exit")));
    folder.remove();
  });
  for (const worker of started) connections.follow(worker);
  const addresses = await Promise.all(started.map((worker) => once(worker, "listening")));
  return { started, port: addresses[0]?.[0].port };
}

it("a connection that was handed to a worker that hangs and is killed is answered by another", async () => {
  const { started, port } = await workers(2);
  const [hung, other] = started.map(({ process }) => process);
  hung?.kill("SIGSTOP");
  const responses = [1, 2, 3, 4].map(() => text(connect(port, "127.0.0.1")));
  const answered = Promise.all(responses);
  await Promise.any(responses);
  expect(await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 500, "waiting"))])).toBe(
    "waiting",
  );
  hung?.kill("SIGKILL");
  expect(await answered).toEqual(Array(4).fill(String(other?.pid)));
});

it("a connection is closed if its worker ends and there is no other", async () => {
  const { started, port } = await workers(1);
  started[0]?.process.kill("SIGSTOP");
  const response = text(connect(port, "127.0.0.1")).catch((error) => error.code);
  await new Promise((resolve) => setTimeout(resolve, 200));
  started[0]?.process.kill("SIGKILL");
  expect(["", "ECONNRESET"]).toContain(await response);
});
