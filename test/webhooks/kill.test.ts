import { afterEach, beforeEach, expect, it } from "vitest";
import { hexText, sql } from "../../src/engine-sql/sql-text.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { startSource, temporaryFolder } from "../support/processes/processes.ts";
import { type Received, silence, startReceiver, type TestReceiver } from "./support/receiver.ts";

let folder: ReturnType<typeof temporaryFolder>;
let receiver: TestReceiver;
beforeEach(async () => {
  folder = temporaryFolder();
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  folder.remove();
});

const LAST_BLOCK = 1_030;
const KILLS = 3;

/** Returns the hashes, by block, that a receiver has if it forgets blocks that are rolled back. */
function keptBlocks(requests: readonly Received[]): Map<number, string> {
  const kept = new Map<number, string>();
  for (const { body } of requests) {
    const block = Number(body.block);
    if (body.event === "rollback") for (const known of kept.keys()) if (known > block) kept.delete(known);
    if (body.event !== "block") continue;
    const isRepeated = kept.get(block) === body.hash;
    if (!isRepeated && kept.size > 0) expect(block).toBe(Math.max(...kept.keys()) + 1);
    kept.set(block, String(body.hash));
  }
  return kept;
}

it("kill -9 in the middle of a delivery loses no event: each comes at least once, in order, across reorgs", async () => {
  const start = () =>
    startSource("test/webhooks/support/deliver-loop.ts", [folder.path, receiver.url, String(LAST_BLOCK)]);
  for (let kill = 0; kill < KILLS; kill++) {
    const running = start();
    const before = receiver.requests.length;
    await receiver.count(before + 5);
    receiver.answers.push(silence);
    const unanswered = receiver.requests.length + 1;
    await receiver.count(unanswered);
    await running.stop("SIGKILL");
  }
  const { code, stderr } = await start().finished;
  expect([code, stderr]).toEqual([0, ""]);
  const engine = await openEmbeddedEngine({ path: folder.path });
  const stored = await engine.query<{ number: number; hash: string }>(
    sql`SELECT block_number AS number, ${hexText(sql`block_hash`)} AS hash FROM eth_blocks
      WHERE block_number > 1000 ORDER BY number`,
  );
  await engine.close();
  const kept = keptBlocks(receiver.requests);
  expect([...kept].sort(([a], [b]) => a - b)).toEqual(stored.map(({ number, hash }) => [number, hash]));
  expect(receiver.requests.filter(({ body }) => body.event === "rollback").length).toBeGreaterThan(2);
}, 240_000);
