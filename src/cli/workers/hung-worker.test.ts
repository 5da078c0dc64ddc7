import { expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { isHung } from "./hung-worker.ts";
import { localLink } from "./support/local-link.ts";

async function worker(hungMs: number) {
  const clock = new ManualClock();
  const { worker: link, primary, close } = localLink();
  const state = { responds: true, verdict: undefined as boolean | undefined };
  primary.onMessage(({ kind }) => {
    if (kind === "ping" && state.responds) primary.send({ kind: "pong" });
  });
  void isHung(link, hungMs, clock).then((verdict) => {
    state.verdict = verdict;
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) await clock.advance(500);
  };
  return { state, close, pass, clock };
}

it("finds a worker hung that does not respond for the limit, and no other", async () => {
  const { state, pass } = await worker(60_000);
  await pass(300_000);
  state.responds = false;
  await pass(40_000);
  expect(state.verdict).toBeUndefined();
  state.responds = true;
  await pass(10_000);
  state.responds = false;
  await pass(49_000);
  expect(state.verdict).toBeUndefined();
  // The last response may have been to the previous ping.
  await pass(25_000);
  expect(state.verdict).toBe(true);
});

it("finds no worker hung that responds after a suspension, has ended, or may hang", async () => {
  const suspended = await worker(60_000);
  await suspended.clock.advance(3_600_000);
  await suspended.pass(120_000);
  expect(suspended.state.verdict).toBeUndefined();
  suspended.state.responds = false;
  suspended.close();
  await suspended.pass(120_000);
  expect(suspended.state.verdict).toBe(false);
  const unlimited = await worker(0);
  await unlimited.pass(1_000);
  expect(unlimited.state.verdict).toBe(false);
});
