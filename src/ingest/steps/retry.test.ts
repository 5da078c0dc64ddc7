import { describe, expect, it } from "vitest";
import { BaseError } from "../../lib/error.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { repeatUntilDone } from "./retry.ts";

const temporary = () => new BaseError("verification", "not yet", { retryable: true });

/** Runs a step that fails the first `failures` times with `error`. */
function run(failures: number, error: () => Error, { maxRetries = Number.POSITIVE_INFINITY } = {}) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const events: string[] = [];
  const done = repeatUntilDone(
    async () => {
      events.push("step");
      if (events.filter((event) => event === "step").length <= failures) throw error();
      return true;
    },
    {
      clock,
      signal: stop.signal,
      waitsMs: [10, 20],
      maxRetries,
      recover: async () => void events.push("recover"),
      onPause: (_, waitMs) => void events.push(`wait ${waitMs}`),
    },
  );
  return { clock, stop, events, done };
}

describe("repeatUntilDone", () => {
  it("retries temporary failures after growing waits, the last of which repeats, and recovers before each retry", async () => {
    const { clock, events, done } = run(3, temporary);
    await clock.advance(9);
    expect(events).toEqual(["step", "wait 10"]);
    await clock.advance(41);
    await done;
    const retry = (waitMs: number) => [`wait ${waitMs}`, "recover", "step"];
    expect(events).toEqual(["step", ...retry(10), ...retry(20), ...retry(20)]);
  });

  it("retries a lack of memory", async () => {
    const { clock, done } = run(1, () => new BaseError("memory", "no memory"));
    await clock.advance(10);
    await expect(done).resolves.toBeUndefined();
  });

  it("waits on a full disk for as long as it is full, even if other failures are limited", async () => {
    const full = () => new BaseError("disk-full", "full");
    const { clock, done } = run(5, full, { maxRetries: 1 });
    await clock.advance(90);
    await expect(done).resolves.toBeUndefined();
  });

  it("limits other failures only by their own number, however often the disk was full before", async () => {
    const errors = [new BaseError("disk-full", "full"), new BaseError("disk-full", "full"), temporary()];
    const { clock, done } = run(3, () => errors.shift() ?? new Error("no more"), { maxRetries: 1 });
    await clock.advance(50);
    await expect(done).resolves.toBeUndefined();
  });

  it("throws other errors at once, and temporary ones after too many in a row", async () => {
    await expect(run(1, () => new Error("broken")).done).rejects.toThrow("broken");
    const { clock, done } = run(2, temporary, { maxRetries: 1 });
    const thrown = expect(done).rejects.toThrow("not yet");
    await clock.advance(10);
    await thrown;
  });

  it("ends without an error when the signal aborts during a wait", async () => {
    const { clock, stop, events, done } = run(1, temporary);
    await clock.advance(1);
    stop.abort();
    await done;
    expect(events).toEqual(["step", "wait 10"]);
  });
});
