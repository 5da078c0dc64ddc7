import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { Engine } from "../store.ts";
import { HeldLeases } from "./held-leases.ts";
import { openLine } from "./lease-line.ts";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

/** Returns an engine that may have to end writes of this process, and ends them with `settleWrites`. */
function losing(hasLostWrites: boolean, settleWrites: () => Promise<void>): Engine {
  return {
    hasLostWrites,
    settleWrites,
    query: (...given) => engine.query(...given),
    stream: (...given) => engine.stream(...given),
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    close: () => Promise.resolve(),
  };
}

const unreachable = () => Promise.reject(new Error("unreachable"));

it.each([
  ["released if no write was lost", false, unreachable, 0],
  ["released once the lost writes have ended", true, () => Promise.resolve(), 0],
  ["left to expire if a lost write may still be running", true, unreachable, 1],
  ["left to expire if it takes too long to end the lost writes", true, () => new Promise<void>(() => {}), 1],
])("leases are %s", async (name, hasLostWrites, settleWrites, claims) => {
  const clock = new ManualClock();
  const leases = new HeldLeases(losing(hasLostWrites, settleWrites), clock);
  const lease = await leases.hold(name);
  expect(await leases.hold(name)).toBe(lease);
  const released = leases.release();
  await clock.advance(10_000);
  await released;
  expect(lease.isHeld).toBe(false);
  expect(await (await openLine(engine, name)).liveClaims()).toHaveLength(claims);
});
