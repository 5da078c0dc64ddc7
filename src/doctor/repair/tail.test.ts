import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dropChain } from "../../../test/support/engine/drop-chain.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../storage/engines/embedded-engine.ts";
import { QueryTimeout } from "../../storage/engines/engine-failure.ts";
import type { Engine } from "../../storage/store.ts";
import { CHAIN, damage, FIRST, indexChain, LAST, tables } from "../support/stored-chain.ts";
import { checkTail, repairTail } from "./tail.ts";

const nowSeconds = () => Math.floor(Date.now() / 1000);

describe("the newest blocks after a power loss", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-tail-"));
  let engine: Engine;
  let undamaged: Record<string, unknown>;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder });
    await indexChain(engine);
    undamaged = await tables(engine);
  });

  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  // Tests leave the tables undamaged, but may leave commits that are not recent.
  beforeEach(() => damage(engine, `ALTER TABLE sick_commits UPDATE committed_at = ${nowSeconds()} WHERE 1`));

  const reopened = () => openChainStore(engine, CHAIN.name);

  async function firstDamaged(commits = 1): Promise<number | null> {
    const commit = await (await reopened()).committed();
    if (commit === null) throw new Error("nothing is committed");
    return (await checkTail(engine, CHAIN.name, commit, { commits })).damaged;
  }

  it.each([
    ["logs", "sick_logs", "block_number", 50],
    ["trades of many blocks", "sick_dex_trades", "block_number", 33],
    ["tokens", "sick_token_metadata", "first_seen_block_number", 3],
    ["blocks", "sick_blocks", "block_number", 44],
  ])(
    "that lost %s are rolled back from the first damaged one, and indexed again",
    async (_, table, column, from) => {
      expect(await firstDamaged()).toBeNull();
      await damage(engine, `ALTER TABLE ${table} DELETE WHERE ${column} >= ${from}`);
      const damaged = await firstDamaged();
      expect(damaged).toBeGreaterThanOrEqual(from);
      const { store, rolledBack } = await repairTail(engine, CHAIN, reopened);
      expect(rolledBack).toEqual({ first: damaged, last: LAST });
      expect((await store.committed())?.blockNumber).toBe(Number(damaged) - 1);
      await indexChain(engine);
      expect(await tables(engine)).toEqual(undamaged);
    },
  );

  it.each([[FIRST], [0]])(
    "that lost all rows from the first block, %i, leave an empty store",
    async (first) => {
      if (first !== FIRST) {
        await dropChain(engine, CHAIN.name);
        await indexChain(engine, { first });
      }
      const whole = first === FIRST ? undamaged : await tables(engine);
      await damage(engine, "TRUNCATE TABLE sick_logs", "TRUNCATE TABLE sick_blocks");
      const { rolledBack } = await repairTail(engine, CHAIN, reopened);
      expect(rolledBack).toEqual({ first, last: LAST });
      await indexChain(engine, { first });
      expect(await tables(engine)).toEqual(whole);
    },
  );

  it("are found although the clock was set back, without those of earlier commits", async () => {
    await damage(
      engine,
      `ALTER TABLE sick_commits UPDATE committed_at = committed_at + 86400 WHERE block_number < 40`,
      "ALTER TABLE sick_logs DELETE WHERE block_number = 20",
    );
    expect(await firstDamaged()).toBeNull();
    await damage(engine, "ALTER TABLE sick_blocks DELETE WHERE block_number = 42");
    expect(await firstDamaged()).toBe(42);
    await indexAgain();
  });

  it("are found although the clock was set forward after they were committed", async () => {
    await damage(
      engine,
      `ALTER TABLE sick_commits UPDATE committed_at = committed_at - 400 WHERE block_number < ${LAST}`,
      "ALTER TABLE sick_blocks DELETE WHERE block_number = 42",
    );
    expect(await firstDamaged()).toBeNull();
    expect(await firstDamaged(100)).toBe(42);
    await indexAgain();
  });

  it("are checked in parts if a check exceeds its limits, and the start goes on if it still does", async () => {
    await damage(engine, "ALTER TABLE sick_blocks DELETE WHERE block_number IN (30, 42)");
    const commit = await (await reopened()).committed();
    if (commit === null) throw new Error("nothing is committed");
    const check = (canCheck: (first: number, last: number) => boolean) =>
      checkTail(limited(canCheck), CHAIN.name, commit);
    expect(await check((first, last) => last - first < 5)).toEqual({ damaged: 30, unchecked: null });
    const { damaged, unchecked } = await check((first) => first > 35);
    expect([damaged, unchecked]).toEqual([42, { first: FIRST, last: 35 }]);
    await expect(
      repairTail(
        limited(() => false),
        CHAIN,
        reopened,
      ),
    ).resolves.toMatchObject({
      rolledBack: null,
      unchecked: { first: FIRST, last: LAST },
    });
    await indexAgain();
  });

  /** Returns an engine that can check only some spans of blocks in time. */
  function limited(canCheck: (first: number, last: number) => boolean): Engine {
    return new Proxy(engine, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== "query") return typeof value === "function" ? value.bind(target) : value;
        return async (statement: string, ...rest: unknown[]) => {
          const [, first, count] = /number \+ (\d+) AS n.*?numbers\((\d+)\)/s.exec(statement) ?? [];
          const isChecked = first === undefined || canCheck(Number(first), Number(first) + Number(count) - 1);
          if (!isChecked) throw new QueryTimeout(undefined, 1);
          return value.call(target, statement, ...rest);
        };
      },
    });
  }

  async function indexAgain(): Promise<void> {
    await dropChain(engine, CHAIN.name);
    await indexChain(engine);
  }

  it("do not include blocks that were committed long before", async () => {
    const long = "committed_at - 400";
    await damage(
      engine,
      `ALTER TABLE sick_commits UPDATE committed_at = ${long} WHERE block_number < 40`,
      "ALTER TABLE sick_logs DELETE WHERE block_number = 20",
    );
    expect(await firstDamaged()).toBeNull();
    await damage(engine, "ALTER TABLE sick_blocks DELETE WHERE block_number = 42");
    expect(await firstDamaged()).toBe(42);
  });
});
