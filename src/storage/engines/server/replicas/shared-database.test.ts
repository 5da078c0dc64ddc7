import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFreshEngine } from "../../../../../test/support/engine/fresh-engine.ts";
import { sql } from "../../../../engine-sql/sql-text.ts";
import type { Engine } from "../../../store.ts";
import { killStatements } from "../lost-writes.ts";
import { connectServerEngine } from "../server-engine.ts";
import { FakeReplica } from "./support/fake-replica.ts";

const CONSISTENCY = "select_sequential_consistency";

/** Runs one read and each kind of write. */
async function runAll(engine: Engine): Promise<void> {
  await engine.query(sql`SELECT 1 AS one`);
  for await (const _ of engine.stream(sql`SELECT 2 AS two`, "RowBinary"));
  await engine.insert("t", ["a"], [Uint8Array.of(1)]);
  await engine.execute(sql`INSERT INTO t SELECT * FROM u`);
}

const OWN = /^(?:SELECT [12] AS|INSERT)/;

async function withDatabase(
  databaseEngine: string,
  run: (engine: Engine, server: FakeReplica) => Promise<void>,
): Promise<void> {
  const server = new FakeReplica("one", ["deduplicate_insert"], databaseEngine);
  server.replicas = 1;
  await server.start();
  const engine = await connectServerEngine({ url: server.url });
  try {
    await run(engine, server);
  } finally {
    await engine.close();
    server.stop();
  }
}

describe("a database that replicas share behind one address, as in ClickHouse Cloud", () => {
  it.each([
    ["Shared", "1"],
    ["Atomic", null],
    ["Replicated", null],
  ])("is read as of the newest write, whichever replica responds: %s", async (databaseEngine, expected) => {
    await withDatabase(databaseEngine, async (engine, { statements }) => {
      await runAll(engine);
      const own = statements.filter(({ text }) => OWN.test(text));
      expect(own.map(({ settings }) => settings.get(CONSISTENCY))).toEqual(Array(4).fill(expected));
    });
  });

  it("has writes that any of its replicas may still run, so they are ended on all of them", async () => {
    await withDatabase("Shared", async (engine, { statements }) => {
      await engine.forLeaseholder?.("eth").settleWrites?.();
      const kills = statements.flatMap(({ text }) => (text.startsWith("KILL") ? [text] : []));
      expect(kills).toHaveLength(1);
      // On each replica, the statement runs in the server's default database.
      expect(kills[0]).toMatch(
        /^KILL QUERY ON CLUSTER `default` WHERE current_database = 'quarry' AND startsWith\(query_id, 'quarry\/eth\/'\)/,
      );
    });
  });
});

describe("the statement that ends writes on all replicas", () => {
  let opened: Awaited<ReturnType<typeof openFreshEngine>>;
  beforeAll(async () => {
    opened = await openFreshEngine();
  });
  afterAll(() => opened.close());

  it("can be parsed by the engine", async () => {
    const lost = { ids: ["a"], earlier: { prefix: "quarry/eth/", own: "quarry/eth/a/" } };
    const statements = killStatements(lost, { cluster: "default", database: "quarry" });
    expect(statements).toHaveLength(2);
    for (const statement of statements) await opened.engine.query(sql`EXPLAIN AST ${statement}`);
  });
});
