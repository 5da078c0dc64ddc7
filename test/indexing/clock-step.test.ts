import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { apiAt, ROOT, startProcess, startQuarry, temporaryFolder } from "../support/processes/processes.ts";

const PRELOAD = join(ROOT, "test/support/processes/stepping-clock.cjs");
/** Shorter than the step of the clock: if waits used the wall clock, nothing would happen for a minute. */
const PATIENCE_MS = 30_000;

it("continues indexing when the wall clock steps back by a minute", async () => {
  const folder = temporaryFolder();
  const anvil = join(ROOT, "node_modules/.bin/anvil");
  const everySecond = ["--port", "0", "--block-time", "1", "--chain-id", "1", "--hardfork", "prague"];
  const node = startProcess(anvil, everySecond);
  onTestFinished(async () => void (await node.stop()));
  const [, rpc = ""] = await node.printed(/Listening on (\S+)/);
  const range = ["--from", "0", "--rpc", `http://${rpc}`];
  const running = startQuarry(["start", ...range, "--data", folder.path, "--port", "0"], {
    NODE_OPTIONS: `--require ${PRELOAD}`,
  });
  onTestFinished(async () => {
    await running.stop();
    folder.remove();
  });
  const [, address = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
  const api = apiAt(address);
  const indexed = async () => {
    const [row] = await api.sql<{ n: number }>("SELECT COUNT(*) AS n FROM eth_blocks").catch(() => []);
    return row?.n ?? 0;
  };
  const grow = async (blocks: number) => {
    const goal = (await indexed()) + blocks;
    for (const endMs = performance.now() + PATIENCE_MS; (await indexed()) < goal; await sleep(100)) {
      if (performance.now() > endMs) throw new Error(`only ${await indexed()} of ${goal} blocks are indexed`);
    }
  };

  await grow(2);
  running.child.kill("SIGUSR2");
  await running.printed(/stepped back/);
  await grow(4);
  expect((await fetch(`${address}/ready`)).status).toBe(200);
});
