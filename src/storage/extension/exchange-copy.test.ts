import { afterAll, beforeAll, expect, it } from "vitest";
import { dropChain } from "../../../test/support/engine/drop-chain.ts";
import { dyingEngine } from "../../../test/support/engine/dying-engine.ts";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { checksums } from "../../../test/support/engine/table-checksums.ts";
import { openChainStore } from "../clickhouse-store.ts";
import { chainCommits, isExchanging, newestCommit, wasRewritten } from "../commits/commit-log.ts";
import type { Commit, Engine } from "../store.ts";
import { copyOf } from "./chain-copy.ts";
import { storedExtension, writeExtension } from "./extension-log.ts";

const NAME = "moved";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

const batch = (first: number, last: number) => batchOf({ first, last, rowsPerTable: 3 });

/** A chain with blocks 5 to 9 and its copy with blocks 1 to 9. */
async function chainAndCopy() {
  const store = await openChainStore(engine, NAME);
  const before = await store.commit({ ...batch(5, 9), finalized: 6 });
  await writeExtension(engine, NAME, { firstBlock: 1, state: "building", tables: [] });
  const copy = await openChainStore(engine, copyOf(NAME));
  const copied = await copy.commit(batch(1, 9));
  return {
    before,
    copied,
    old: await checksums(engine, NAME),
    extended: await checksums(engine, copyOf(NAME)),
  };
}

async function exchangeUntilDeath(statements: number, copied: Commit): Promise<boolean> {
  const mortal = dyingEngine(engine);
  mortal.dieBefore(statements + 1);
  const dying = await openChainStore(mortal, NAME).catch(() => null);
  return (
    (await dying?.exchange(copied).then(
      () => false,
      () => true,
    )) ?? true
  );
}

it("puts all tables of the copy in place at once, and makes readers read again", async () => {
  const { before, copied, extended } = await chainAndCopy();
  const store = await openChainStore(engine, NAME);
  const reported: (number | null)[] = [];
  store.follow({
    extended: () => reported.push(-1),
    rolledBack: () => reported.push(-2),
    replaced: (commit) => reported.push(commit?.firstBlock ?? null),
  });
  const commit = await store.exchange(copied);
  expect(commit).toMatchObject({ ...before, firstBlock: 1, sequence: 3, committedAt: commit.committedAt });
  expect(reported).toEqual([null, 1]);
  expect(await checksums(engine, NAME)).toEqual(extended);
  expect(await wasRewritten(engine, NAME, before)).toBe(true);
  expect((await chainCommits(engine, NAME).from(1, 9)).map(isExchanging)).toEqual([false, true, false]);
  const next = await store.commit(batch(10, 11));
  expect(next).toMatchObject({ firstBlock: 1, blockNumber: 11 });
  await openChainStore(engine, NAME);
  expect(await storedExtension(engine, NAME)).toBeNull();
  await dropChain(engine, NAME);
});

it("refuses a copy that does not end with the chain's newest block", async () => {
  const { old, copied } = await chainAndCopy();
  const store = await openChainStore(engine, NAME);
  await store.commit(batch(10, 10));
  const longer = await checksums(engine, NAME);
  await expect(store.exchange(copied)).rejects.toThrow("the copy ends at block 9, the chain at 10");
  expect(longer).not.toEqual(old);
  expect(await checksums(engine, NAME)).toEqual(longer);
  await dropChain(engine, NAME);
});

// Two statements record the exchange, one commits the mark, 15 exchange tables, one commits the new index,
// and two record the end.
it.each([1, 2, 3, 10, 18, 19])("is completed at the next start if killed before statement %i", async (n) => {
  const { old, extended, copied, before } = await chainAndCopy();
  expect(await exchangeUntilDeath(n, copied)).toBe(true);
  const left = await newestCommit(engine, NAME);
  if (n >= 3 && n < 18) expect(left !== null && isExchanging(left)).toBe(true);
  const store = await openChainStore(engine, NAME);
  const hasBegun = n >= 2;
  expect(await checksums(engine, NAME)).toEqual(hasBegun ? extended : old);
  const { firstBlock } = before;
  expect(await store.committed()).toMatchObject({
    blockNumber: 9,
    firstBlock: hasBegun ? 1 : firstBlock,
    finalized: 6,
  });
  await dropChain(engine, NAME);
});
