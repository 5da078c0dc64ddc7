import { describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { LATEST, mergedLists, SLOWEST, type SlowRequest, SlowRequests } from "./slow-requests.ts";

const AT = 1_700_000_000;

function request(requestId: string, at: number, ms: number): SlowRequest {
  return {
    ...{ requestId, at, ms, method: "GET", route: "/v1/search", client: "a", chain: null, status: 200 },
    ...{ runMs: null, rowsRead: null, fingerprint: null, text: null },
  };
}

const idsOf = (requests: readonly SlowRequest[]) => requests.map(({ requestId }) => requestId);

describe("SlowRequests", () => {
  it("keeps the latest and the slowest ones, and never more than it may", () => {
    const slow = new SlowRequests();
    const added = 3 * LATEST;
    // The slowest arrive in the middle.
    for (let i = 0; i < added; i++) slow.add(request(`${i}`, AT + i, 10_000 - Math.abs(i - 150)));
    const { total, latest, slowest } = slow.lists(AT + added);
    expect([total, latest.length, slowest.length]).toEqual([added, LATEST, SLOWEST]);
    expect(idsOf(latest).slice(0, 2)).toEqual(["299", "298"]);
    expect(latest.at(-1)?.requestId).toBe("200");
    expect(slowest[0]?.requestId).toBe("150");
    expect(Math.min(...slowest.map(({ ms }) => ms))).toBe(10_000 - SLOWEST / 2);
  });

  it("forgets the slowest ones after a day, but not the latest", () => {
    const slow = new SlowRequests();
    slow.add(request("old", AT, 60_000));
    slow.add(request("new", AT + 10, 2_000));
    expect(idsOf(slow.lists(AT + 20).slowest)).toEqual(["old", "new"]);
    const { latest, slowest } = slow.lists(AT + DAY_SECONDS);
    expect([idsOf(latest), idsOf(slowest)]).toEqual([["new", "old"], ["new"]]);
  });
});

it("merges the lists of processes in order, within the same limits", () => {
  const lists = ["a", "b"].map((name, i) => {
    const slow = new SlowRequests();
    for (let n = 0; n < LATEST; n++) slow.add(request(`${name}${n}`, AT + 2 * n + i, 1_000 + 2 * n + i));
    return slow.lists(AT);
  });
  const { total, latest, slowest } = mergedLists(lists, AT);
  expect([total, latest.length, slowest.length]).toEqual([2 * LATEST, LATEST, SLOWEST]);
  expect(idsOf(latest).slice(0, 3)).toEqual(["b99", "a99", "b98"]);
  expect(idsOf(slowest).slice(0, 3)).toEqual(["b99", "a99", "b98"]);
});
