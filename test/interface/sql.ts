import { expect } from "vitest";
import { lastTradeAt } from "./support/expected.ts";
import { decided, rule, section } from "./support/rules.ts";
import { get, post, sql, the } from "./support/service.ts";

const PATH = "/v1/sql";
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function refusedSql(query: string, words: RegExp): Promise<void> {
  const { status, body } = await post(PATH, { query });
  expect([query, status, body]).toEqual([query, 400, { error: expect.stringMatching(words) }]);
}

const count = async (where: string, table = "eth_dex_trades") =>
  (await sql(`SELECT COUNT(*) AS count FROM ${table} ${where}`))[0]?.count as number;

/**
 * Returns the number of whole months of 30 days since the market's last trade. An interval that is two years
 * longer contains all of the market's trades.
 */
const monthsAgo = () => Math.floor((Date.now() / 1000 - lastTradeAt()) / (30 * 86_400));

section("1. SQL query", import.meta.url, () => {
  rule("Method: POST", async () => {
    const { status, headers, body } = await get(PATH, { query: "SELECT 1" });
    expect([status, headers.get("allow"), body.error]).toEqual([
      405,
      "POST, OPTIONS",
      "GET is not allowed here. Allowed: POST, OPTIONS.",
    ]);
  });

  rule("Request body: JSON object with field `query` (string, required): the SQL text", async () => {
    for (const [body, words] of [
      [{}, "Missing required parameter: query"],
      [{ query: 5 }, "Invalid parameter query: got 5"],
      [["SELECT 1"], "The body must be a JSON object"],
    ] as const) {
      const answered = await post(PATH, body);
      expect([answered.status, answered.body.error]).toEqual([400, expect.stringContaining(words)]);
    }
    expect(await sql("SELECT COUNT(*) AS count FROM eth_dex_trades")).toEqual([
      { count: the().trades.length },
    ]);
  });

  rule(
    "Response: JSON array of row objects; columns follow the select list; aliases become field names",
    async () => {
      const rows = await sql("SELECT side, token_address AS token, block_number FROM eth_dex_trades LIMIT 3");
      expect(rows.map((row) => Object.keys(row))).toEqual(Array(3).fill(["side", "token", "block_number"]));
    },
  );

  for (const join of [
    "JOIN",
    "INNER JOIN",
    "LEFT OUTER JOIN",
    "LEFT JOIN",
    "RIGHT JOIN",
    "FULL OUTER JOIN",
    ",",
  ]) {
    rule(`JOIN operations (inner, outer, left, right) are not permitted: \`${join}\``, () => {
      const on = join === "," ? "" : " ON a.block_number = b.block_number";
      return refusedSql(`SELECT * FROM eth_logs a ${join} eth_blocks b${on}`, /^line 1:\d+: .*[Jj]oin/);
    });
  }

  for (const query of [
    "SELECT * FROM (SELECT * FROM eth_logs)",
    "SELECT * FROM eth_logs WHERE block_number IN (SELECT block_number FROM eth_blocks)",
    "SELECT (SELECT COUNT(*) FROM eth_blocks) AS n FROM eth_logs",
    "WITH a AS (SELECT * FROM eth_logs) SELECT * FROM a",
  ]) {
    rule(`Sub-queries are not permitted: \`${query}\``, () => refusedSql(query, /^line 1:\d+: /));
  }

  rule("Supported: SELECT with *", async () => {
    const [row = {}] = await sql("SELECT * FROM eth_dex_trades LIMIT 1");
    const [first, ...rest] = Object.keys(row);
    expect([first, rest]).toEqual(["timestamp", rest.toSorted()]);
    expect(rest).toContain("price_token_usd_tick_1");
  });

  rule("Supported: SELECT with columns", async () => {
    const rows = await sql(
      "SELECT record_index, side FROM eth_dex_trades ORDER BY record_index LIMIT 100000",
    );
    expect(rows).toEqual(the().trades.map(({ record_index, side }) => ({ record_index, side })));
  });

  rule("Supported: COUNT(*) with aliases", async () => {
    expect(await sql("SELECT COUNT(*) AS trades FROM eth_dex_trades")).toEqual([
      { trades: the().trades.length },
    ]);
  });

  rule("Supported: WHERE with =", async () => {
    const { token } = the().oak;
    expect(await count(`WHERE token_address = '${token}'`)).toBe(
      the().trades.filter(({ token_address }) => token_address === token).length,
    );
  });

  rule("Supported: WHERE with OR and AND", async () => {
    const { token, pool } = the().oak;
    const matching = the().trades.filter(
      (row) => (row.token_address === token || row.pool_address === pool) && row.side === "buy",
    );
    const where = `WHERE (token_address = '${token}' OR pool_address = '${pool}') AND side = 'buy'`;
    expect(await count(where)).toBe(matching.length);
    expect(matching.length).toBeGreaterThan(0);
  });

  rule("Supported: WHERE with IN (list)", async () => {
    const blocks = [...new Set(the().trades.map(({ block_number }) => block_number))].slice(2, 5);
    expect(await count(`WHERE block_number IN (${blocks})`)).toBe(
      the().trades.filter(({ block_number }) => blocks.includes(block_number)).length,
    );
  });

  rule("Supported: WHERE with BETWEEN", async () => {
    const [from = 0, until = 0] = [the().trades[5]?.at, the().trades.at(-9)?.at];
    expect(await count(`WHERE timestamp BETWEEN ${from} AND ${until}`)).toBe(
      the().trades.filter(({ at }) => at >= from && at <= until).length,
    );
  });

  rule("Supported: WHERE with >=", async () => {
    const from = the().trades.at(-9)?.at ?? 0;
    expect(await count(`WHERE timestamp >= ${from}`)).toBe(
      the().trades.filter(({ at }) => at >= from).length,
    );
  });

  rule("Supported: ORDER BY (ASC or DESC)", async () => {
    const indexes = the().trades.map(({ record_index }) => ({ record_index }));
    const ordered = (order: string) =>
      sql(`SELECT record_index FROM eth_dex_trades ORDER BY record_index ${order} LIMIT 100000`);
    expect(await ordered("ASC")).toEqual(indexes);
    expect(await ordered("DESC")).toEqual(indexes.toReversed());
    expect(await ordered("")).toEqual(indexes);
  });

  rule("Supported: LIMIT", async () => {
    const rows = await sql("SELECT record_index FROM eth_dex_trades ORDER BY record_index LIMIT 7");
    expect(rows).toEqual(
      the()
        .trades.slice(0, 7)
        .map(({ record_index }) => ({ record_index })),
    );
  });

  rule("Supported: GROUP BY", async () => {
    const rows = await sql("SELECT side, COUNT(*) AS n FROM eth_dex_trades GROUP BY side ORDER BY side");
    const of = (side: string) => ({ side, n: the().trades.filter((row) => row.side === side).length });
    expect(rows).toEqual([of("buy"), of("sell")]);
  });

  for (const unit of ["MONTH", "months", "DAY", "HOUR", "MINUTE", "SECOND", "YEAR"]) {
    rule(`Supported: NOW() - INTERVAL <n> <unit>: \`${unit}\``, async () => {
      const seconds = { YEAR: 366, MONTH: 31, DAY: 1, HOUR: 1 / 24, MINUTE: 1 / 1440, SECOND: 1 / 86_400 };
      const days = seconds[unit.toUpperCase().replace(/S$/, "") as keyof typeof seconds];
      const ago = (Date.now() / 1000 - lastTradeAt()) / 86_400 / days;
      const since = (n: number) => count(`WHERE timestamp >= NOW() - INTERVAL ${n} ${unit}`);
      expect(await since(Math.floor(ago) - 1)).toBe(0);
      expect(await since(Math.ceil(ago * 1.1 + 1 / days + 1))).toBe(the().trades.length);
    });
  }

  rule(
    "Supported: HISTOGRAM(timestamp, INTERVAL <n> <unit>) AS <alias>; a bucket is an ISO 8601 string at its start",
    async () => {
      const query = `SELECT COUNT(*) AS count, HISTOGRAM(timestamp, INTERVAL 10 MINUTE) AS start
      FROM eth_dex_trades GROUP BY start ORDER BY start ASC`;
      const expected = new Map<string, number>();
      for (const { at } of the().trades) {
        const start = new Date((at - (at % 600)) * 1000).toISOString();
        expected.set(start, (expected.get(start) ?? 0) + 1);
      }
      expect(await sql(query)).toEqual([...expected].map(([start, count]) => ({ count, start })));
      expect(expected.size).toBeGreaterThan(3);
    },
  );

  rule("HISTOGRAM: rows for the same bucket are counted together when grouped by the alias", async () => {
    const query = `SELECT COUNT(*) AS count, HISTOGRAM(timestamp, INTERVAL 1 MONTH) AS month
      FROM eth_dex_trades WHERE timestamp >= NOW() - INTERVAL ${monthsAgo() + 24} MONTH GROUP BY month`;
    expect(await sql(query)).toEqual([{ count: the().trades.length, month: "2023-11-01T00:00:00.000Z" }]);
  });

  rule("Timestamps in rows are ISO 8601 strings with millisecond precision and a Z suffix", async () => {
    for (const table of ["blocks", "transactions", "logs", "erc20", "erc721", "dex_trades"]) {
      const rows = await sql(`SELECT timestamp FROM eth_${table} LIMIT 50`);
      expect([table, rows.length > 0]).toEqual([table, true]);
      for (const { timestamp } of rows) expect(timestamp).toMatch(ISO);
    }
    for (const { timestamp_created } of await sql("SELECT timestamp_created FROM eth_pool_metadata")) {
      expect(timestamp_created).toMatch(ISO);
    }
  });

  rule(
    "In filters, timestamp is compared with integer Unix seconds, or with NOW() minus an INTERVAL",
    async () => {
      const { at = 0, timestamp } = the().trades.at(-1) ?? {};
      const matching = the().trades.filter((row) => row.at === at).length;
      for (const time of [`${at}`, `'${at}'`, `'${timestamp}'`]) {
        expect([time, await count(`WHERE timestamp = ${time}`)]).toEqual([time, matching]);
      }
      expect(await count("WHERE timestamp >= NOW() - INTERVAL 1 SECOND")).toBe(0);
    },
  );

  rule("SQL table names carry the prefix eth_", async () => {
    await refusedSql("SELECT * FROM dex_trades", /^line 1:15: .*dex_trades/);
    const base = await count("", "base_dex_trades");
    expect([base > 0, base < the().trades.length]).toEqual([true, true]);
  });

  for (const query of [
    "DROP TABLE eth_logs",
    "INSERT INTO eth_logs VALUES (1)",
    "SELECT 1 AS a FROM eth_logs; SELECT 2",
  ]) {
    decided(`Anything other than a single SELECT is rejected: \`${query}\``, () =>
      refusedSql(query, /^line 1:\d+: /),
    );
  }

  decided(
    "An unknown table, column or function is rejected, with its position and a suggestion",
    async () => {
      await refusedSql("SELECT * FROM eth_log", /^line 1:15: .*did you mean.*eth_logs/);
      await refusedSql("SELECT adress FROM eth_logs", /^line 1:8: .*did you mean.*address/);
      await refusedSql("SELECT file('x') FROM eth_logs", /^line 1:8: /);
    },
  );

  decided("SHOW TABLES and DESCRIBE <table> work", async () => {
    expect(JSON.stringify(await sql("SHOW TABLES"))).toContain("eth_dex_trades");
    expect(JSON.stringify(await sql("DESCRIBE eth_logs"))).toContain("topic_0");
  });

  decided(
    "10,000 rows without LIMIT, LIMIT up to 100,000; reported by X-Row-Limit and X-Truncated",
    async () => {
      const headersOf = async (query: string) => {
        const { status, headers } = await post(PATH, { query });
        return [status, headers.get("x-row-limit"), headers.get("x-truncated")];
      };
      expect(await headersOf("SELECT side FROM eth_dex_trades")).toEqual([200, "10000", "false"]);
      expect(await headersOf("SELECT side FROM eth_dex_trades LIMIT 100000")).toEqual([
        200,
        "100000",
        "false",
      ]);
      await refusedSql("SELECT side FROM eth_dex_trades LIMIT 100001", /100001/);
    },
  );

  decided("`max_rows` limits the rows, whatever LIMIT says; X-Truncated says if there are more", async () => {
    const query = "SELECT record_index FROM eth_dex_trades ORDER BY record_index LIMIT 50";
    const { status, headers, body } = await post(PATH, { query, max_rows: 3 });
    expect([status, headers.get("x-truncated"), headers.get("x-chain")]).toEqual([200, "true", "eth"]);
    expect(body).toEqual((await sql(query)).slice(0, 3));
  });

  decided("`skip_rows` is for pages, which together are all rows, each once", async () => {
    const query = "SELECT record_index FROM eth_dex_trades ORDER BY side";
    const whole = await sql(query);
    const found: unknown[] = [];
    for (let isLast = false; !isLast; ) {
      const { status, headers, body } = await post(PATH, { query, max_rows: 7, skip_rows: found.length });
      expect(status).toBe(200);
      found.push(...(body as unknown[]));
      isLast = headers.get("x-truncated") === "false";
    }
    const inOrder = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(inOrder(found)).toEqual(inOrder(whole));
  });

  for (const type of [
    "application/x-ndjson",
    "text/csv",
    "application/vnd.apache.parquet",
    "application/vnd.apache.arrow.stream",
  ]) {
    decided(`Larger results: Accept: ${type}, or format`, async () => {
      const format = /ndjson|csv|parquet|arrow/.exec(type)?.[0];
      const query = "SELECT record_index FROM eth_dex_trades ORDER BY record_index LIMIT 100001";
      const ask = async (more: object, accept: string) => {
        const headers = { "content-type": "application/json", accept };
        const body = JSON.stringify({ query, ...more });
        const response = await fetch(`${the().url}${PATH}`, { method: "POST", headers, body });
        expect([response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([200, type]);
        return Buffer.from(await response.arrayBuffer());
      };
      const [byHeader, byFormat] = [await ask({}, type), await ask({ format }, "*/*")];
      expect(byFormat.equals(byHeader)).toBe(true);
      const indexes = the().trades.map(({ record_index }) => record_index);
      const lines = byHeader.toString().trim().split("\n");
      if (format === "ndjson")
        expect(lines).toEqual(indexes.map((record_index) => JSON.stringify({ record_index })));
      if (format === "csv") expect(lines.slice(1).map(Number)).toEqual(indexes);
    });
  }

  for (const [name, quoted] of Object.entries({
    bare: "Timestamp",
    double: '"@timestamp"',
    back: "`timestamp`",
  })) {
    decided(`Identifiers may be bare, in double quotes or backticks, in any case: ${name}`, async () => {
      expect(await count(`WHERE ${quoted} >= ${lastTradeAt()}`)).toBeGreaterThan(0);
    });
  }
});
