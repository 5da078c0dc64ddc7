import { describe, expect, it } from "vitest";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { OpeningFinder, type OpeningOptions } from "./opening-finder.ts";

const COMMIT: Commit = {
  sequence: 1,
  firstBlock: 1_000,
  blockNumber: 2_000,
  blockHash: `0x${"00".repeat(32)}`,
  timestamp: 0,
  finalized: 1_900,
  committedAt: 0,
};

const ROUND_MS = 30_000;
const PAUSES = { roundMs: ROUND_MS, idleMs: ROUND_MS, applyMs: 0, engineShare: 1 };

/** Starts a search that finds nothing more to read, while one result is not applied yet. */
function search({ requireRoom, committed }: { requireRoom?(): void; committed?(): Commit }) {
  const warnings: string[] = [];
  const counts = { waiting: 0, confirmed: 1, rejected: 0, unapplied: 1 };
  const engine = { query: async (statement: string) => (statement.includes("countIf") ? [counts] : []) };
  const clock = new ManualClock();
  const stop = new AbortController();
  const finder = new OpeningFinder({
    chain: { ...BARE_CHAIN, name: "eth" },
    store: {
      committed: async () => committed?.() ?? COMMIT,
      guarded: engine as unknown as Engine,
    } as OpeningOptions["store"],
    source: {} as OpeningOptions["source"],
    mode: "all",
    readsPerSecond: 1,
    logger: { info: () => {}, warn: (fields) => warnings.push((fields as { reason: string }).reason) },
    requireRoom: async () => requireRoom?.(),
    clock,
    pauses: PAUSES,
  });
  const running = finder.run(stop.signal);
  const rounds = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await clock.advance(ROUND_MS);
      for (let turn = 0; turn < 10; turn++) await clock.advance(0);
    }
  };
  const end = async () => {
    stop.abort();
    await running;
  };
  return { finder, warnings, rounds, end };
}

describe("a failure of the search for balances", () => {
  it("to change the stored balances is logged once until its reason changes, and shown until it is over", async () => {
    let reason: string | null = "the disk is full";
    const { finder, warnings, rounds, end } = search({
      requireRoom: () => {
        if (reason !== null) throw new Error(reason);
      },
    });
    for (let i = 0; i < 3; i++) {
      await rounds(1);
      expect(finder.progress?.message).toBe("the disk is full");
    }
    expect(warnings).toEqual(["the disk is full"]);
    reason = "the store is down";
    await rounds(3);
    expect(warnings).toEqual(["the disk is full", "the store is down"]);
    reason = null;
    await rounds(1);
    expect(finder.progress?.message).toBe(null);
    reason = "the disk is full";
    await rounds(2);
    expect(warnings).toEqual(["the disk is full", "the store is down", "the disk is full"]);
    await end();
  });

  it("to read is logged once until its reason changes or a round succeeds", async () => {
    let isDown = false;
    const committed = () => {
      if (isDown) throw new Error("the store is down");
      return COMMIT;
    };
    const { finder, warnings, rounds, end } = search({ committed });
    await rounds(1);
    isDown = true;
    await rounds(3);
    expect(finder.progress?.message).toBe("the store is down");
    isDown = false;
    await rounds(2);
    expect(finder.progress?.message).toBe(null);
    isDown = true;
    await rounds(2);
    expect(warnings).toEqual(["the store is down", "the store is down"]);
    await end();
  });
});
