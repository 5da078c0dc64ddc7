import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../../../engine-sql/sql-text.ts";
import type { Engine } from "../../../store.ts";
import { connectServerEngine } from "../server-engine.ts";
import { FakeReplica } from "./support/fake-replica.ts";

describe("a replicated database", () => {
  let replicas: [FakeReplica, FakeReplica];
  let engine: Engine;

  beforeEach(async () => {
    replicas = [
      new FakeReplica("one", ["deduplicate_insert", "deduplicate_insert_select"]),
      new FakeReplica("other", ["deduplicate_insert"]),
    ];
    for (const replica of replicas) await replica.start();
    engine = await connectServerEngine({ url: replicas[0].url }, { url: replicas[1].url });
  });

  afterEach(async () => {
    await engine.close();
    for (const replica of replicas) replica.stop();
  });

  const settingsOf = (pattern: RegExp) =>
    Object.fromEntries(replicas[0].statements.find((one) => pattern.test(one.text))?.settings ?? []);

  it("has every write on all replicas, and drops no equal rows", async () => {
    await engine.insert("t", ["a"], [Uint8Array.of(1)]);
    await engine.execute(sql`ALTER TABLE t DROP PART 'all_1_1_0'`);
    for (const pattern of [/^INSERT/, /^ALTER/]) {
      expect(settingsOf(pattern)).toMatchObject({
        insert_quorum: "2",
        insert_deduplicate: "0",
        insert_keeper_max_retries: "0",
        deduplicate_insert: "disable",
        alter_sync: "2",
        distributed_ddl_output_mode: "throw",
      });
      // The other replica would reject it.
      expect(settingsOf(pattern)).not.toHaveProperty("deduplicate_insert_select");
    }
  });

  it("waits with writes until all replicas have said which settings they know", async () => {
    const insert = () => engine.insert("t", ["a"], [Uint8Array.of(1)]);
    await engine.close();
    replicas[1].failing = { pattern: /system\.settings/, code: 159 };
    engine = await connectServerEngine({ url: replicas[0].url }, { url: replicas[1].url });
    await expect(insert()).rejects.toMatchObject({ code: "unavailable", retryable: true });
    expect(replicas[0].statements.some(({ text: one }) => one.startsWith("INSERT"))).toBe(false);
    replicas[1].failing = undefined;
    await insert();
    expect(settingsOf(/^INSERT/)).toMatchObject({ deduplicate_insert: "disable" });
    expect(settingsOf(/^INSERT/)).not.toHaveProperty("deduplicate_insert_select");
  });

  it.each([
    ["a replica without its Keeper", 0, "2"],
    ["a table that only one replica has yet", 1, "2"],
    ["a replica that was added", 3, "3"],
  ])("writes to no fewer replicas than it has addresses (%s)", async (_, count, quorum) => {
    replicas[0].replicas = count;
    await engine.insert("t", ["a"], [Uint8Array.of(1)]);
    expect(settingsOf(/^INSERT/)).toMatchObject({ insert_quorum: quorum });
  });

  it("gives every replica what any other has, and skips tables that are dropped meanwhile", async () => {
    replicas[1].failing = { pattern: /REPLICA `eth_copy`/, code: 60 };
    await engine.settleWrites?.();
    for (const { statements } of replicas) {
      const synchronized = statements.flatMap(({ text: one }) => one.match(/^SYSTEM SYNC .*$/m) ?? []);
      expect(synchronized).toEqual([
        "SYSTEM SYNC DATABASE REPLICA `quarry`",
        "SYSTEM SYNC REPLICA `writers` LIGHTWEIGHT",
        "SYSTEM SYNC REPLICA `eth_copy` LIGHTWEIGHT",
      ]);
    }
  });

  it("cannot be settled while a replica is missing, but later", async () => {
    replicas[1].stop();
    await expect(engine.settleWrites?.()).rejects.toMatchObject({ code: "unavailable", retryable: true });
    expect(replicas[0].statements.some(({ text: one }) => one.startsWith("SYSTEM SYNC"))).toBe(false);
  });

  it("waits again if a replica takes too long for a definition or for rows", async () => {
    const isTemporary = { code: "unavailable", retryable: true };
    replicas[0].failing = { pattern: /^(RENAME|SYSTEM)/, code: 159 };
    await expect(engine.execute(sql`RENAME TABLE a TO b`)).rejects.toMatchObject(isTemporary);
    await expect(engine.settleWrites?.()).rejects.toMatchObject(isTemporary);
  });

  it("may not have more replicas than addresses", async () => {
    replicas[0].replicas = 3;
    await expect(engine.settleWrites?.()).rejects.toThrow(
      "The database quarry has 3 replicas, but --clickhouse does not list all of them.",
    );
  });
});
