import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dyingEngine } from "../../../test/support/engine/dying-engine.ts";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { batchOf, blockNamed, rowOf } from "../../../test/support/engine/random-rows.ts";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { unequalOpenings } from "../../doctor/invariants/store/openings.ts";
import { hexText, sql, text } from "../../engine-sql/sql-text.ts";
import { selectRechecks } from "../../ingest/openings/opening-rows.ts";
import type { Hex } from "../../lib/hex.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import type { OpeningRow } from "../../schema/tables/opening-balances.ts";
import type { TableName } from "../../schema/tables.ts";
import { openChainStore } from "../clickhouse-store.ts";
import { wasRewritten } from "../commits/commit-log.ts";
import { copyOf, dropCopy } from "../extension/chain-copy.ts";
import type { ChainStore, Commit, Engine } from "../store.ts";
import { type Holding, holdingOf } from "../stored-balances.ts";
import { draftTableName } from "../tables/amended-table.ts";
import { engineTable } from "../tables/ddl.ts";
import { openingTableName } from "../tables/opening-table.ts";
import { completeOpenings, draftOpenings } from "./apply-openings.ts";
import { nextVersion, readOpenings, writeOpenings } from "./stored-openings.ts";

const chain = { ...BARE_CHAIN, name: "opened" };
const FIRST = 10;
const address = (byte: string): Hex => `0x${byte.repeat(20)}`;
const [HOLDER, OTHER, SENDER, TOKEN] = [address("a1"), address("a2"), address("a3"), address("b1")];
const holding = holdingOf(HOLDER, TOKEN);
/** Times of the blocks, in three different months. */
const TIMES: Record<number, number> = {
  ...{ 10: 1_700_000_000, 12: 1_703_000_000, 14: 1_703_000_024, 15: 1_703_000_036 },
  ...{ 16: 1_706_000_000, 17: 1_706_000_012 },
};

let engine: Engine;
let close: () => Promise<void>;
let store: ChainStore;

function row(table: TableName, values: Record<string, unknown>): never {
  const [sample] = fc.sample(rowOf(table), { numRuns: 1, seed: 3 });
  return { ...sample, ...values } as never;
}

function transfer(block: number, from: Hex, to: Hex, value: bigint) {
  const [timestamp, record_index] = [TIMES[block], recordIndexOf("wide", block, 1)];
  const values = { token_address: TOKEN, from_address: from, to_address: to, value_base: value };
  return row("erc20", { ...values, block_number: block, timestamp, record_index });
}

function unknown(block: number, wallet: Hex, nth: number) {
  const values = { wallet_address: wallet, token_address: TOKEN, balance_base: null, balance_token: null };
  return row("token_balances", {
    ...{ ...values, block_number: block, timestamp: TIMES[block] },
    record_index: recordIndexOf("wide", block, nth),
  });
}

async function setOpening(values: Partial<OpeningRow>): Promise<void> {
  const opening: OpeningRow = {
    ...{
      wallet_address: HOLDER,
      token_address: TOKEN,
      first_block: FIRST,
      status: "confirmed",
      reason: null,
    },
    ...{ balance_base: 100n, observed_block: 12, observed_base: 75n, checked_at: 1_000 },
    ...{ is_rechecked: 0, is_applied: 0, version: await nextVersion(engine, chain.name) },
    ...values,
  };
  await writeOpenings(engine, chain.name, [opening]);
}

/**
 * Changes the stored balances of some holdings.
 *
 * @param meanwhile runs between the draft and the change
 */
async function amend(
  on: ChainStore,
  within: Engine,
  {
    holdings = [holding],
    meanwhile = async () => {},
  }: { holdings?: Holding[]; meanwhile?: () => Promise<unknown> } = {},
): Promise<Commit | null> {
  const drafted = await committed();
  const change = { chain, firstBlock: drafted.firstBlock, holdings };
  await draftOpenings(within, change, { upTo: drafted.blockNumber });
  await meanwhile();
  return on.amend(({ blockNumber: upTo }) => completeOpenings(within, change, { drafted, upTo }));
}

async function history(wallet = HOLDER): Promise<(string | null)[]> {
  const rows = await engine.query<{ balance: string | null }>(
    sql`SELECT toString(balance_base) AS balance FROM ${engineTable(chain.name, "token_balances")}
      WHERE ${hexText(sql`wallet_address`)} = ${text(wallet)} ORDER BY block_number`,
  );
  return rows.map(({ balance }) => balance);
}

async function committed(): Promise<Commit> {
  const commit = await store.committed();
  if (commit === null) throw new Error("nothing committed");
  return commit;
}

const damage = async () => unequalOpenings({ engine, chain, commit: await committed() });

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
  store = await openChainStore(engine, chain.name);
  const batch = batchOf({ first: FIRST, last: 14, rowsPerTable: 0 });
  const erc20 = [
    transfer(10, SENDER, HOLDER, 5n),
    transfer(12, HOLDER, OTHER, 30n),
    transfer(14, SENDER, HOLDER, 1n),
  ];
  const token_balances = [
    ...[10, 12, 14].map((block) => unknown(block, HOLDER, 0)),
    unknown(12, OTHER, 1),
    ...[10, 14].map((block) => unknown(block, SENDER, 2)),
  ];
  await store.commit({ ...batch, rows: { erc20, token_balances }, finalized: 14 });
});
afterAll(() => close());

describe("balances before the first block", () => {
  it("change the stored history of a holding, in a commit that makes readers read again", async () => {
    const before = await committed();
    await setOpening({});
    const commit = await amend(store, engine);
    expect(commit).toMatchObject({ sequence: before.sequence + 1, blockNumber: 14, finalized: 14 });
    expect(await history()).toEqual(["105", "75", "76"]);
    expect(await history(OTHER)).toEqual([null]);
    expect(await wasRewritten(engine, chain.name, before)).toBe(true);
  });

  it("are found wrong by the doctor only if the stored balances differ", async () => {
    expect(await damage()).toEqual([]);
    await setOpening({ is_applied: 1 });
    expect(await damage()).toEqual([]);
    await setOpening({ is_applied: 1, balance_base: 101n });
    expect(await damage()).toMatchObject([
      { example: expect.stringContaining(HOLDER.slice(2)), first: FIRST, last: 14 },
    ]);
    await setOpening({ is_applied: 1, status: "rejected", balance_base: null, reason: "not_as_transferred" });
    expect(await damage()).toHaveLength(1);
    await setOpening({ is_applied: 0, balance_base: 101n });
    expect(await damage()).toEqual([]);
  });

  it("become unknown once a transfer would make them negative, and stay so", async () => {
    await setOpening({ balance_base: 20n });
    await amend(store, engine);
    expect(await history()).toEqual(["25", null, null]);
  });

  it("become unknown again when they are rejected", async () => {
    await setOpening({ status: "rejected", balance_base: null, reason: "not_as_transferred" });
    await amend(store, engine);
    expect(await history()).toEqual([null, null, null]);
  });

  it("are all old or all new, wherever the process is killed while they change", async () => {
    const expected = (opening: number) => [5, -25, -24].map((change) => String(opening + change));
    await setOpening({ balance_base: 100n });
    await amend(store, engine);
    let deaths = 0;
    let [old, changed] = [0, 0];
    for (let n = 1; ; n++) {
      const before = await committed();
      const wasOpening = Number((await history())[0]) - 5;
      await setOpening({ balance_base: BigInt(100 + n) });
      const mortal = dyingEngine(engine);
      const dying = await openChainStore(mortal, chain.name);
      mortal.dieBefore(n);
      const isDead = await amend(dying, mortal).then(
        () => false,
        () => true,
      );
      store = await openChainStore(engine, chain.name);
      const now = await history();
      const isNew = now[0] === expected(100 + n)[0];
      expect(now).toEqual(expected(isNew ? 100 + n : wasOpening));
      expect(await wasRewritten(engine, chain.name, before)).toBe(isNew);
      if (!isDead) break;
      deaths++;
      if (isNew) changed++;
      else old++;
    }
    expect(deaths).toBeGreaterThan(8);
    expect(Math.min(old, changed)).toBeGreaterThan(2);
  });

  it("do not hold for an index with another first block", async () => {
    await setOpening({ is_applied: 1 });
    const known = (firstBlock: number) => readOpenings(engine, { chain: chain.name, firstBlock }, [holding]);
    expect(await known(FIRST)).toEqual(new Map([[holding, 100n]]));
    expect(await known(FIRST - 5)).toEqual(new Map());
    await openChainStore(engine, copyOf(chain.name));
    await dropCopy(engine, chain.name);
    const left = await engine.query(
      sql`SELECT name FROM system.tables WHERE startsWith(name, ${text(openingTableName(copyOf(chain.name)))})`,
    );
    expect(left).toEqual([]);
  });

  it("are checked again after a day, and once another balance of the token is rejected", async () => {
    const from = { chain: chain.name, firstBlock: FIRST };
    const due = async (before: number) =>
      (await selectRechecks(engine, from, { before, limit: 9 })).map(({ wallet_address }) => wallet_address);
    await setOpening({ is_applied: 1, checked_at: 1_000 });
    expect(await due(1_000)).toEqual([]);
    expect(await due(1_001)).toEqual([HOLDER]);
    const rejected = { status: "rejected", reason: "not_as_transferred", balance_base: null } as const;
    await setOpening({ ...rejected, wallet_address: OTHER, is_applied: 1, checked_at: 1_500 });
    expect(await due(0)).toEqual([HOLDER]);
    await setOpening({ is_applied: 1, checked_at: 1_501 });
    expect(await due(0)).toEqual([]);
  });

  it("are complete in blocks that were committed while the change was prepared, also in a new month", async () => {
    await setOpening({});
    const next = async () => {
      await store.commit({
        ...batchOf({ first: 15, last: 16, rowsPerTable: 0 }),
        rows: {
          erc20: [transfer(15, SENDER, HOLDER, 4n), transfer(16, HOLDER, OTHER, 10n)],
          token_balances: [
            unknown(15, HOLDER, 0),
            unknown(15, SENDER, 2),
            unknown(16, HOLDER, 0),
            unknown(16, OTHER, 1),
          ],
        },
      });
    };
    const commit = await amend(store, engine, { meanwhile: next });
    expect(commit).toMatchObject({ blockNumber: 16 });
    expect(await history()).toEqual(["105", "75", "76", "80", "70"]);
    expect(await history(OTHER)).toEqual([null, null]);
    expect(await history(SENDER)).toEqual([null, null, null]);
    await setOpening({ is_applied: 1 });
    expect(await damage()).toEqual([]);
  });

  it("are not changed by a draft whose blocks were rolled back since", async () => {
    await setOpening({ balance_base: 200n });
    const before = await history();
    const rollBack = () => store.rollback(blockNamed(15));
    expect(await amend(store, engine, { meanwhile: rollBack })).toBeNull();
    expect(await history()).toEqual(before.slice(0, 4));
    await amend(store, engine);
    expect(await history()).toEqual(["205", "175", "176", "180"]);
  });

  it("leave no table of a draft behind that was not used, once the store is opened again", async () => {
    const change = { chain, firstBlock: FIRST, holdings: [holding] };
    const { blockNumber: upTo } = await committed();
    await draftOpenings(engine, change, { upTo });
    const drafts = () =>
      engine.query(sql`SELECT name FROM system.tables WHERE name = ${text(draftTableName(chain.name))}`);
    expect(await drafts()).toHaveLength(1);
    store = await openChainStore(engine, chain.name);
    expect(await drafts()).toEqual([]);
    const stop = AbortSignal.abort(new Error("stopping"));
    await expect(draftOpenings(engine, change, { upTo, signal: stop })).rejects.toThrow("stopping");
    expect(await drafts()).toEqual([]);
  });
});
