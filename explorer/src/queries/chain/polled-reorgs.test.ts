import { expect, it, vi } from "vitest";
import { PolledReorgs } from "./polled-reorgs.ts";

// The client reads settings from the browser.
vi.mock("../service/client.ts", () => ({ quarry: {} }));

/**
 * Polls a chain repeatedly, each time with these hashes of blocks 0, 1, …; returns for each poll whether it
 * found a reorg.
 */
async function reorgsIn(...polls: string[][]): Promise<boolean[]> {
  const polled = new PolledReorgs();
  const found: boolean[] = [];
  for (const hashes of polls) {
    const block = hashes.length - 1;
    found.push(await polled.isReorg({ block, hash: hashes[block] ?? "" }, async (at) => hashes[at] ?? null));
  }
  return found;
}

it("finds no reorg while the chain grows or stays", async () => {
  expect(await reorgsIn(["0a"], ["0a", "1a"], ["0a", "1a"], ["0a", "1a", "2a", "3a"])).toEqual([
    ...[false, false, false, false],
  ]);
});

it("finds a reorg that replaced the newest block, whatever is above it by now", async () => {
  expect(await reorgsIn(["0a", "1a"], ["0a", "1b"], ["0a", "1c", "2c"])).toEqual([false, true, true]);
});

it("finds a rollback, and compares again after a failed request", async () => {
  expect(await reorgsIn(["0a", "1a"], ["0a"], ["0a", "1a"])).toEqual([false, true, false]);
  const polled = new PolledReorgs();
  await polled.isReorg({ block: 1, hash: "1a" }, async () => null);
  const failed = polled.isReorg({ block: 2, hash: "2b" }, () => Promise.reject(new Error("no answer")));
  await expect(failed).rejects.toThrow();
  expect(await polled.isReorg({ block: 3, hash: "3b" }, async () => "1b")).toBe(true);
});
