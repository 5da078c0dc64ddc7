import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import { WEBHOOK_TABLES } from "../../webhooks/records/webhook-records.ts";
import { serverUserStatements } from "../engines/server/server-users.ts";
import type { Engine } from "../store.ts";
import { createTableStatements } from "./ddl.ts";
import { createOpeningTable } from "./opening-table.ts";
import { createSummaryStatements } from "./summary-tables.ts";
import { tableEngine } from "./table-engine.ts";

let opened: { engine: Engine; close(): Promise<void> };

beforeAll(async () => {
  opened = await openFreshEngine();
});

afterAll(() => opened.close());

/** Parses a statement without running it, because this engine has no replicas. */
function parse(statement: Sql): Promise<unknown> {
  return opened.engine.query(sql`EXPLAIN AST ${statement}`);
}

it("replicates the rows of every table of a replicated database", async () => {
  const host = { isReplicated: true };
  const statements = [
    ...createTableStatements(host, "eth"),
    ...createSummaryStatements(host, "eth"),
    createOpeningTable(host, "eth"),
    ...WEBHOOK_TABLES.map(({ create }) => create(host)),
  ];
  for (const statement of statements) {
    expect(statement).toMatch(/ENGINE = Replicated\w*MergeTree\b/);
    expect(statement).toContain("replicated_deduplication_window = 0");
    await parse(statement);
  }
});

it("keeps the version by which rows replace each other", () => {
  const family = sql`ReplacingMergeTree(version)`;
  const order = sql`ORDER BY name`;
  expect(tableEngine({ isReplicated: true }, family, order)).toMatch(
    /^ENGINE = ReplicatedReplacingMergeTree\(version\) ORDER BY name SETTINGS /,
  );
  expect(tableEngine({}, family, order)).toBe("ENGINE = ReplacingMergeTree(version) ORDER BY name");
});

it("prints statements for a cluster that the engine understands", async () => {
  const users = [
    { role: "writer" as const, name: "writer", passwordHash: "00" },
    { role: "reader" as const, name: "reader", passwordHash: "00" },
  ];
  const statements = serverUserStatements("quarry", users, { cluster: "all_servers" });
  expect(statements[0]).toContain("{shard}', '{shard}', '{replica}')");
  for (const statement of statements) {
    expect(statement).toMatch(/ON CLUSTER `all_servers`/);
    await parse(statement);
  }
});
