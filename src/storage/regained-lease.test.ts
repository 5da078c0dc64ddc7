import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../test/support/engine/fresh-engine.ts";
import { batchOf } from "../../test/support/engine/random-rows.ts";
import { type ChainStoreOptions, openChainStore } from "./clickhouse-store.ts";
import type { Engine } from "./store.ts";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

/** A lease that the test can lose. */
function testLease() {
  const lease = {
    isHeld: true,
    term: 1,
    regain: async () => {
      if (!lease.isHeld) lease.term++;
      lease.isHeld = true;
    },
    requireHeld() {
      if (!lease.isHeld) throw new Error("the lease is lost");
    },
    release: async () => {},
  };
  return lease satisfies ChainStoreOptions["lease"];
}

it("a store that regains its lease continues after what another process committed meanwhile", async () => {
  const lease = testLease();
  const store = await openChainStore(engine, "eth", { lease });
  await store.commit(batchOf({ first: 10, last: 12, rowsPerTable: 2 }));

  lease.isHeld = false;
  const next = batchOf({ first: 13, last: 13, rowsPerTable: 2 });
  await expect(store.commit(next)).rejects.toThrow("the lease is lost");
  const other = await openChainStore(engine, "eth");
  await other.commit(next);

  // The store of a copy shares the lease, and may regain it first.
  await lease.regain();
  await expect(store.commit(next)).rejects.toThrow("was lost and regained");
  await store.recover();
  expect((await store.committed())?.blockNumber).toBe(13);
  const { sequence } = await store.commit(batchOf({ first: 14, last: 14, rowsPerTable: 2 }));
  expect(sequence).toBe(3);
});
