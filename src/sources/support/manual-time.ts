import { setImmediate as turn } from "node:timers/promises";
import type { ManualClock } from "../../lib/support/manual-clock.ts";

/** Number of turns of the event loop that a request to a server in this process takes, with a margin. */
const TURNS = 12;
const STEP_MS = 5;

/** Advances the clock in small steps. The event loop handles sockets between the steps. */
export async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (const endMs = clock.now() + ms; clock.now() < endMs; )
    await step(clock, Math.min(STEP_MS, endMs - clock.now()));
  await turns();
}

/** Advances the clock until the promise settles, and returns its result. */
export async function settled<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let isPending = true;
  const end = () => {
    isPending = false;
  };
  promise.then(end, end);
  await turns();
  while (isPending) await step(clock, STEP_MS);
  return promise;
}

/** Advances the clock until the condition holds, and returns the milliseconds that this took. */
export async function passUntil(
  clock: ManualClock,
  condition: () => boolean,
  atMostMs = 60_000,
): Promise<number> {
  const startedAt = clock.now();
  await turns();
  while (!condition()) {
    if (clock.now() - startedAt > atMostMs)
      throw new Error(`the condition did not hold after ${atMostMs} ms`);
    await step(clock, STEP_MS);
  }
  return clock.now() - startedAt;
}

async function step(clock: ManualClock, ms: number): Promise<void> {
  await clock.advance(ms);
  await turns();
}

async function turns(): Promise<void> {
  for (let i = 0; i < TURNS; i++) await turn();
}
