import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/processes/processes.ts";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import type { ReadableChain } from "../../../reads/snapshot/snapshot.ts";
import { commitTrades, ETH, hexOf } from "../../../reads/support/market.ts";
import { openEmbeddedEngine } from "../../../storage/engines/embedded-engine.ts";
import type { Engine } from "../../../storage/store.ts";
import { openForWriting } from "../../open-store.ts";
import { oneStore } from "../served-stores.ts";
import { addLaterChains } from "./later-chains.ts";

const LOOK_MS = 5_000;

const folder = temporaryFolder();
let engine: Engine;

beforeAll(async () => {
  engine = await openEmbeddedEngine({ path: folder.path });
  const store = await openForWriting(engine, ETH);
  await commitTrades(store, [{ token: hexOf(1), at: 1_700_000_000, price: 1 }], { firstBlock: 1000 });
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

it("finds the chains of a store while another store fails or is silent, and logs that", async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const found: string[] = [];
  const logged: unknown[] = [];
  const log = (fields: object, message: string) => void logged.push({ ...fields, message });
  let failure: Error | null = new Error("no connection");
  const failing = { query: async () => (failure === null ? [] : Promise.reject(failure)) };
  const silent = { query: () => new Promise(() => undefined) };
  const over = (given: object) => ({ ...oneStore(given as Engine).main, chains: { only: ["other"] } });
  const stores = { main: over(failing), others: [over(silent), oneStore(engine).main] };
  const chains: ReadableChain[] = [];
  const add = async (readable: ReadableChain) => {
    chains.push(readable);
    found.push(readable.chain.name);
  };
  const logger = { info: log, warn: log } as never;
  const searching = addLaterChains({ stores, chains, add, logger, signal: stop.signal, clock });
  await clock.advance(LOOK_MS);
  await expect.poll(() => found).toEqual(["eth"]);
  expect(chains[0]?.engine).toBe(engine);
  await clock.advance(LOOK_MS);
  failure = null;
  await clock.advance(2 * LOOK_MS);
  const messages = [
    "cannot search a store for new chains; will retry",
    "searching a store for new chains has resumed",
  ];
  await expect
    .poll(() => logged.filter((one) => (one as { chain?: string }).chain === undefined))
    .toEqual([
      { chains: ["other"], reason: "no connection", message: messages[0] },
      { chains: ["other"], message: messages[1] },
    ]);
  expect(found).toEqual(["eth"]);
  stop.abort();
  await Promise.race([searching, clock.advance(0)]);
});
