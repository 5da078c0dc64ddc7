import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Engine, QueryWork } from "../store.ts";
import { connectServerEngine } from "./server/server-engine.ts";

async function workOf(engine: Engine, statement = sql`SELECT 1`, format = "JSONEachRow"): Promise<QueryWork> {
  let work: QueryWork | undefined;
  for await (const _ of engine.stream(statement, format, { onWork: (reported) => (work = reported) }));
  return work ?? { rows: -1, rowsRead: -1 };
}

describe("the work of a query on a server", () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Starts a server with a fixed response and these headers, and connects to it. */
  async function serverResponding(headers: Record<string, string>): Promise<Engine> {
    const server = createServer((_request, response) => void response.writeHead(200, headers).end());
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return connectServerEngine({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  }

  it.each([
    ['{"read_rows":"123456789","result_rows":"7","elapsed_ns":"5"}', { rows: 7, rowsRead: 123_456_789 }],
    ['{"read_rows":"5"}', { rows: null, rowsRead: 5 }],
    [null, { rows: null, rowsRead: null }],
  ])("is that in its summary: %s", async (summary, work) => {
    const engine = await serverResponding(summary === null ? {} : { "x-clickhouse-summary": summary });
    expect(await workOf(engine)).toEqual(work);
    await engine.close();
  });
});

describe("the work of a query in this process", () => {
  let engine: Engine;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ engine, close } = await openFreshEngine());
  });
  afterAll(() => close());

  it.each(["JSONEachRow", "CSVWithNames", "Parquet", "ArrowStream"])(
    "counts the rows of the answer (%s)",
    async (format) => {
      const work = async (statement: Sql) => (await workOf(engine, statement, format)).rows;
      expect(await work(sql`SELECT number FROM numbers(100000) WHERE number % 7 = 0`)).toBe(14_286);
      expect(await work(sql`SELECT number FROM numbers(1000000) ORDER BY -number LIMIT 12`)).toBe(12);
      expect(await work(sql`SELECT * FROM (SELECT count() AS n FROM numbers(1000)) LIMIT 5`)).toBe(1);
      expect(await work(sql`SELECT number FROM numbers(1000) WHERE number > 5000`)).toBe(0);
      expect((await workOf(engine, sql`SELECT 1`, format)).rowsRead).toBeNull();
    },
  );

  it("reports a failure during an answer that is streamed while it runs, and runs the next query", async () => {
    const failing = engine.stream(
      sql`SELECT number, throwIf(number = 3000000) AS x FROM numbers(10000000)`,
      "JSONEachRow",
      {
        whileRunning: true,
      },
    );
    let bytes = 0;
    const read = async () => {
      for await (const piece of failing) bytes += piece.length;
    };
    await expect(read()).rejects.toMatchObject({ code: "engine" });
    expect(bytes).toBeGreaterThan(1_000_000);
    for (let i = 0; i < 10; i++) expect(await engine.query(sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  it("ends a query if the reader stops while it runs", async () => {
    for await (const _ of engine.stream(sql`SELECT number FROM numbers(100000000000)`, "JSONEachRow", {
      whileRunning: true,
    })) {
      break;
    }
    const running = sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%100000000000%' AND query NOT LIKE '%processes%'`;
    expect(await engine.query(running)).toEqual([{ n: 0 }]);
  });

  it.each(["JSONEachRow", "CSVWithNames", "Parquet", "ArrowStream"])(
    "returns a small answer at once, with the same bytes and work (%s)",
    async (format) => {
      for (const rows of [0, 1, 100]) {
        const statement = sql`SELECT number, toString(number) AS text, unhex('00ff80') AS bytes FROM numbers(${integer(rows)})
          SETTINGS output_format_json_array_of_rows = 1`;
        const [atOnce, streamed] = [
          await answerOf(statement, format, 10_000),
          await answerOf(statement, format),
        ];
        expect(atOnce.pieces).toBe(1);
        expect(atOnce.bytes.equals(streamed.bytes)).toBe(true);
        expect([atOnce.work, streamed.work]).toEqual([
          { rows, rowsRead: null },
          { rows, rowsRead: null },
        ]);
      }
    },
  );

  async function answerOf(statement: Sql, format: string, maxBytes?: number) {
    const limits = { whileRunning: true, ...(maxBytes === undefined ? {} : { maxBytes }) };
    const pieces: Uint8Array[] = [];
    let work: QueryWork | undefined;
    const onWork = (seen: QueryWork) => {
      work = seen;
    };
    for await (const piece of engine.stream(statement, format, { ...limits, onWork })) pieces.push(piece);
    return { bytes: Buffer.concat(pieces), pieces: pieces.length, work };
  }

  it("reports a failure of a small answer, and runs the next query", async () => {
    const failing = engine.stream(sql`SELECT throwIf(number = 3) FROM numbers(10)`, "JSONEachRow", {
      whileRunning: true,
      maxBytes: 100,
    });
    await expect(failing[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "engine" });
    expect(await engine.query(sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  it("ends an answer that is streamed while it runs at its time limit", async () => {
    const slow = engine.stream(
      sql`SELECT number, sleepEachRow(0.001) AS s FROM numbers(1000000)`,
      "JSONEachRow",
      {
        whileRunning: true,
        timeoutMs: 300,
      },
    );
    const read = async () => {
      for await (const _ of slow);
    };
    await expect(read()).rejects.toMatchObject({ code: "timeout" });
  });
});
