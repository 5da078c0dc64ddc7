import { describe, expect, it } from "vitest";
import { aborted, onAbort, unlessAborted, withAbort } from "./abort.ts";
import { systemClock } from "./clock.ts";

describe("onAbort", () => {
  it("calls the listener once, unless it is removed", () => {
    const calls: string[] = [];
    const controller = new AbortController();
    onAbort(controller.signal, () => calls.push("kept"));
    onAbort(controller.signal, () => calls.push("removed"))();
    controller.abort();
    controller.abort();
    onAbort(controller.signal, () => calls.push("late"));
    expect(calls).toEqual(["kept", "late"]);
  });
});

describe("withAbort", () => {
  it("aborts with the reason of the first signal that does", async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const run = withAbort([first.signal, undefined, second.signal], async ({ signal }) => {
      await aborted(signal);
      return signal.reason;
    });
    second.abort("second");
    first.abort("first");
    expect(await run).toBe("second");
  });
});

describe("unlessAborted", () => {
  it("turns a failure into null only when the signal aborted", async () => {
    const controller = new AbortController();
    const fail = () => Promise.reject(new RangeError("x"));
    await expect(unlessAborted(controller.signal, fail)).rejects.toThrow("x");
    controller.abort();
    expect(await unlessAborted(controller.signal, fail)).toBeNull();
    expect(await unlessAborted(controller.signal, async () => 1)).toBe(1);
  });
});

describe("systemClock.sleep", () => {
  it("rejects with the signal's own reason", async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(new RangeError("stop"));
    await expect(sleeping).rejects.toThrow("stop");
    await expect(systemClock.sleep(1, controller.signal)).rejects.toThrow("stop");
  });
});
