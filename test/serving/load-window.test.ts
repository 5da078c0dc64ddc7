import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadWindow } from "../../src/reads/served/load-window.ts";
import { ServingState } from "../../src/serving/serving-state.ts";
import { blankTrade, type TradeRows } from "../../src/serving/window/trade-rows.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { openFreshEngine } from "../support/engine/fresh-engine.ts";
import { Random } from "./random.ts";
import { ETH, RandomChain } from "./random-chain.ts";

const ROUNDS = 4;
const STEPS_BEFORE = 7;
const STEPS_MEANWHILE = 3;
const BYTES = 64 * 2 ** 20;
/** Enough memory for about 230 trades. */
const FEW_BYTES = 80_000;

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

/** Returns the trades after a time, oldest first. */
function tradesAfter(rows: TradeRows, time: number) {
  const trade = blankTrade();
  const all = Array.from({ length: rows.next - rows.first }, (_, i) => {
    rows.read(rows.first + i, trade);
    const { bytes, hashAt, ...facts } = trade;
    return { ...facts, hash: rows.hashOf(rows.first + i) };
  });
  return all.filter(({ timestamp }) => timestamp > time);
}

/** Returns a serving state that knows only the newest commit. */
async function startedAt(store: ChainStore, bytes: number): Promise<ServingState> {
  const serving = new ServingState(bytes);
  serving.startAt(await store.committed());
  store.follow(serving);
  return serving;
}

describe("loading the newest trades", () => {
  it.each([BYTES, FEW_BYTES])("gives what following all commits gives, with %i bytes", async (bytes) => {
    const chain = { ...ETH, name: `load${bytes}` };
    const store = await openChainStore(engine, chain.name);
    const followed = new ServingState(BYTES);
    store.follow(followed);
    const blocks = new RandomChain(store, new Random(bytes));
    const compared: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let i = 0; i < STEPS_BEFORE; i++) await blocks.step();
      const { window } = await startedAt(store, bytes).then(async (serving) => {
        expect(serving.window.rows).toBe(null);
        const readable = { chain, store, serving };
        const load = () => loadWindow({ engine, chains: [readable] }, readable, {});
        const loading = load();
        for (let i = 0; i < STEPS_MEANWHILE; i++) await blocks.step();
        await loading;
        await load();
        return serving;
      });
      const [loaded, all] = [window.rows, followed.window.rows];
      if (loaded === null || all === null) throw new TypeError("the window is not ready");
      const after = Math.max(loaded.completeAfter, all.completeAfter);
      expect(tradesAfter(loaded, after)).toEqual(tradesAfter(all, after));
      compared.push(tradesAfter(loaded, after).length);
    }
    expect(Math.min(...compared)).toBeGreaterThan(20);
    expect(followed.window.rows?.first === 0).toBe(true);
  });

  it("starts again after a commit was missed", async () => {
    const store = await openChainStore(engine, "missed");
    const blocks = new RandomChain(store, new Random(1));
    await blocks.step();
    const serving = await startedAt(store, BYTES);
    const readable = { chain: { ...ETH, name: "missed" }, store, serving };
    await loadWindow({ engine, chains: [readable] }, readable, {});
    expect(serving.window.rows).not.toBe(null);
    const commit = await blocks.step();
    serving.extended({ ...commit, sequence: commit.sequence + 2 }, {});
    expect(serving.window.rows).toBe(null);
    expect(serving.window.needsLoad).toBe(true);
  });
});
