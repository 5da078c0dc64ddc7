import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { ClientLoads } from "./client-loads.ts";

describe("the use of slots", () => {
  it("is halved every ten seconds, and forgotten with the client, even if its task still runs", async () => {
    const clock = new ManualClock();
    const loads = new ClientLoads(clock);
    expect(loads.useLevelOf("a")).toBe(1);
    loads.start("a");
    await clock.advance(8_000);
    expect(loads.useLevelOf("a")).toBe(5);
    loads.end("a");
    await clock.advance(10_000);
    expect(loads.useLevelOf("a")).toBe(4);
    await clock.advance(100_000);
    expect(loads.useLevelOf("a")).toBe(0);
    loads.start("a");
    for (let i = 0; i < 10_000; i++) {
      loads.start(`${i}`);
      loads.end(`${i}`);
    }
    await clock.advance(8_000);
    loads.addUse("a", 60_000);
    loads.end("a");
    expect(loads.useLevelOf("a")).toBe(1);
  });
});

describe("the last starts of clients", () => {
  it("are remembered for a limited number; a forgotten client counts as new", () => {
    const loads = new ClientLoads();
    for (let i = 0; i < 10_005; i++) {
      loads.start(`${i}`);
      loads.end(`${i}`);
    }
    expect(["0", "4", "5", "10004"].map((client) => loads.lastStartOf(client))).toEqual([
      10_005, 10_005, 6, 10_005,
    ]);
    expect(loads.clients).toBe(0);
    loads.wait("0");
    loads.start("1");
    expect([loads.lastStartOf("0"), loads.lastStartOf("1")]).toEqual([10_004, 10_006]);
  });
});
