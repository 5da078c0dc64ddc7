import { describe, expect, it, vi } from "vitest";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Refilling one token takes more than ten days. */
const SLOW = { burst: 2, perSecond: 1e-6 };

const MANY = 10_000;

function fill(buckets: TokenBuckets, clients: number, name: string) {
  for (let i = 0; i < clients; i++) buckets.take(`${name}${i}`, SLOW);
}

const tokensOf = (buckets: TokenBuckets, client: string) => buckets.stateOf(client, SLOW).tokens;

describe("TokenBuckets", () => {
  it("regain their tokens over time", async () => {
    const clock = new ManualClock();
    const buckets = new TokenBuckets(clock);
    const rate = { burst: 2, perSecond: 1 };
    const take = () => buckets.take("a", rate);
    expect([take(), take(), take()]).toEqual([true, true, false]);
    await clock.advance(1_000);
    expect([take(), take()]).toEqual([true, false]);
    expect(buckets.stateOf("a", rate)).toEqual({ tokens: 0, nextInMs: 1_000, fullInMs: 2_000 });
    await clock.advance(1_500);
    expect(buckets.stateOf("a", rate)).toEqual({ tokens: 1, nextInMs: 0, fullInMs: 500 });
  });

  it("forget clients without a request for a long time, but not clients whose requests were rejected", () => {
    const buckets = new TokenBuckets(new ManualClock());
    fill(buckets, 1, "idle");
    for (let i = 0; i < 2; i++) fill(buckets, 1, "rejected");
    fill(buckets, MANY - 1, "early");
    expect(tokensOf(buckets, "idle0")).toBe(1);
    expect(buckets.take("rejected0", SLOW)).toBe(false);
    fill(buckets, MANY - 1, "late");
    const clients = ["idle0", "rejected0", "late0", `late${MANY - 2}`];
    expect(clients.map((client) => tokensOf(buckets, client))).toEqual([2, 0, 1, 1]);
  });

  it("are never searched, however many clients there are", () => {
    const searches = ([Symbol.iterator, "keys", "values", "entries", "forEach"] as const).map((name) =>
      vi.spyOn(Map.prototype, name),
    );
    fill(new TokenBuckets(new ManualClock()), 4 * MANY, "a");
    const counts = searches.map(({ mock }) => mock.calls.length);
    for (const search of searches) search.mockRestore();
    expect(counts).toEqual([0, 0, 0, 0, 0]);
  });
});
