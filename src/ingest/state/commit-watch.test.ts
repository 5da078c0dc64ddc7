import { expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { CommitWatch, stallMs } from "./commit-watch.ts";
import { type IndexState, initialState } from "./index-state.ts";

function watched() {
  const clock = new ManualClock();
  const state: IndexState = { ...initialState(), head: 7 };
  const stop = new AbortController();
  const changes: (string | null)[] = [];
  const position = { next: 8 };
  const watch = new CommitWatch({
    ...{ clock, state, position, stallMs: 60_000 },
    onChange: (reason) => changes.push(reason),
  });
  const running = watch.run(stop.signal);
  return { clock, state, stop, changes, position, watch, running };
}

it("reports once that no block is committed, whatever the wall clock does, and that blocks are again", async () => {
  const { clock, state, changes, watch } = watched();
  await clock.advance(50_000);
  clock.stepWall(3_600_000);
  await clock.advance(9_999);
  expect([state.stalled, changes]).toEqual([null, []]);
  clock.stepWall(-7_200_000);
  await clock.advance(10_000);
  expect(changes).toEqual(["no block has been indexed for 60 s: the endpoints report no block after 7"]);
  watch.advanced();
  expect([state.stalled, changes[1]]).toEqual([null, null]);
  await clock.advance(59_000);
  expect(changes).toHaveLength(2);
});

it("names the cause: a missing block, an unknown head, or what the indexer reported", async () => {
  const { clock, state, position } = watched();
  position.next = 5;
  await clock.advance(60_000);
  expect(state.stalled).toContain("block 5 is missing, although the chain's newest block is 7");
  state.head = null;
  await clock.advance(60_000);
  expect(state.stalled).toBe("no block has been indexed for 120 s: no endpoint has reported a block yet");
  state.message = "the node fell back";
  await clock.advance(5_000);
  expect(state.stalled).toBe("no block has been indexed for 125 s: the node fell back");
});

it("reports nothing after the end", async () => {
  const { clock, state, stop, running } = watched();
  await clock.advance(60_000);
  stop.abort();
  await running;
  expect([state.stalled, clock.pending]).toEqual([null, 0]);
});

it.each([
  [1_000, 60_000],
  [12_000, 120_000],
])("waits for ten block times of %i ms, at least a minute", (blockTimeMs, expected) => {
  expect(stallMs(blockTimeMs)).toBe(expected);
});
