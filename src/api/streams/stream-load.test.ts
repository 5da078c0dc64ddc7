import { expect, it } from "vitest";
import { exceedsShare, requireLoad, type StreamLoad } from "./stream-load.ts";

const LIMITS = {
  clientSubscriptions: 100,
  streamSubscriptions: 1_000,
  clientStates: 40,
  streamStates: 100,
  clientFilters: 100,
  streamFilters: 100,
};

it("leaves room for the next client, however many have as much as they may", () => {
  const open: StreamLoad[] = [];
  const follow = (states: number) =>
    requireLoad({ subscriptions: 1, states, addresses: 0 }, { own: [], all: open, limits: LIMITS });
  const grow = (states: number) => {
    follow(states);
    open.push({ subscriptions: 1, states, addresses: 0 });
  };
  grow(40);
  grow(30);
  expect(() => follow(16)).toThrow(
    "its streams follow 0 prices, candles and pools, 16 with this one, and may follow at most 15, half of what other clients leave",
  );
  grow(15);
  grow(7);
  expect(() => follow(5)).toThrow("The service is busy");
  follow(4);
});

it("lets one client have everything if its limit says so", () => {
  const load = { subscriptions: 1, states: 0, addresses: 100 };
  expect(() => requireLoad(load, { own: [], all: [], limits: LIMITS })).not.toThrow();
  expect(exceedsShare(100, 4_800, { ofClient: 100, ofAll: 5_000 })).toBe(false);
  expect(exceedsShare(100, 4_801, { ofClient: 100, ofAll: 5_000 })).toBe(true);
  expect(exceedsShare(5_000, 0, { ofClient: 5_000, ofAll: 5_000 })).toBe(false);
});
