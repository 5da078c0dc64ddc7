import { expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { RpcResponses } from "../rpc/http-client.ts";
import { LogSearch } from "./log-search.ts";

const idOf = (digit: string): Hex => `0x${digit.repeat(64)}`;
const [A, B] = [idOf("a"), idOf("b")];

/** Starts the search of an endpoint without logs. Records requested and missed ids. */
function searchOfNothing() {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const requested: Hex[][] = [];
  const missed: Hex[] = [];
  const search = new LogSearch({
    clock,
    signal,
    range: { address: "0x11", topic: idOf("1"), from: 1, to: 1_500_000 },
    endpoint: {
      send: async (calls): Promise<RpcResponses> => {
        const [call] = calls;
        const [{ topics }] = (call?.params ?? []) as [{ topics: [Hex[], Hex[]] }];
        requested.push(topics[1]);
        await clock.sleep(100, signal);
        return { outcomes: [{ result: [] }], size: 0 };
      },
    },
    onFound: () => {},
    onMissed: (ids) => missed.push(...ids),
  });
  return { clock, search, requested, missed };
}

it("does not miss an id that is found elsewhere while a request with it is in flight", async () => {
  const { clock, search, requested, missed } = searchOfNothing();
  search.add([A, B]);
  await clock.advance(50);
  search.drop(A);
  await clock.advance(10_000);
  expect(requested).toEqual([[A, B], [B]]);
  expect(missed).toEqual([B]);
});

it("searches an id that the endpoint lacks once, until that is forgotten", async () => {
  const { clock, search, requested, missed } = searchOfNothing();
  search.add([A]);
  await clock.advance(10_000);
  search.add([A]);
  await clock.advance(10_000);
  expect([requested, missed]).toEqual([
    [[A], [A]],
    [A, A],
  ]);
  search.forgetLacking();
  search.add([A]);
  await clock.advance(10_000);
  expect(requested.length).toBe(4);
});
