import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  double,
  hexBytes,
  hexBytesArray,
  identifier,
  integer,
  join as joinSql,
  type Sql,
  sql,
  text,
  textArray,
} from "../../../src/engine-sql/sql-text.ts";
import { BaseError } from "../../../src/lib/error.ts";
import type { Engine } from "../../../src/storage/store.ts";

const HEAVY = sql`SELECT sum(sipHash64(number)) AS s FROM numbers(100000000000)`;

async function errorOf(promise: Promise<unknown>): Promise<BaseError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(BaseError);
  return error;
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Returns the number of heavy queries that are still running. The in-process engine keeps listing a killed
 * query until its session runs the next one.
 */
async function heavyQueries(engine: Engine): Promise<number | undefined> {
  const rows = await engine.query<{ n: number }>(
    sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64(number)%' AND query NOT LIKE '%processes%' AND NOT is_cancelled`,
  );
  return rows[0]?.n;
}

/** Tests that every engine must pass, whichever transport it uses. */
export function describeEngine(
  name: string,
  open: () => Promise<{ engine: Engine; close(): Promise<void> }>,
): void {
  describe(name, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    const engine = () => opened.engine;

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    answers(engine);
    streams(engine);
    limits(engine);
  });
}

function answers(engine: () => Engine): void {
  it("answers rows with numbers as numbers", async () => {
    const rows = await engine().query(
      sql`SELECT toUInt64(9007199254740991) AS big, 0.1 AS tenth, 'a\nb"é' AS words, NULL AS nothing FROM numbers(2)`,
    );
    expect(rows).toEqual(
      Array(2).fill({ big: 9007199254740991, tenth: 0.1, words: 'a\nb"é', nothing: null }),
    );
    expect(await engine().query(sql`SELECT 1 AS n WHERE 0`)).toEqual([]);
  });

  it("keeps every byte of what is inserted", async () => {
    await engine().execute(
      sql`CREATE TABLE bytes (a FixedString(256), n UInt32) ENGINE = MergeTree ORDER BY n`,
    );
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    const row = (n: number) => Buffer.concat([Uint8Array.of(n & 255, n >> 8, 0, 0), all]);
    await engine().insert("bytes", ["n", "a"], [row(1), Buffer.concat([row(2), row(300)])]);
    const found = await engine().query(sql`SELECT n, lower(hex(a)) AS a FROM bytes ORDER BY n`);
    const hex = Buffer.from(all).toString("hex");
    expect(found).toEqual([1, 2, 300].map((n) => ({ n, a: hex })));
  });

  it("reads numbers in text as the nearest doubles, in queries and in statements that write", async () => {
    const written = Array.from({ length: 300 }, (_, i) =>
      (Math.sqrt(i + 2) * 10 ** ((i % 40) - 20)).toString(),
    );
    const parsed = sql`SELECT toFloat64(arrayJoin(${textArray(written)})) AS x`;
    const doubles = written.map(Number).sort((a, b) => a - b);
    const sorted = async (query: Sql) =>
      (await engine().query<{ x: number }>(sql`${query} ORDER BY x`)).map(({ x }) => x);
    expect(await sorted(parsed)).toEqual(doubles);
    await engine().execute(sql`CREATE TABLE doubles (x Float64) ENGINE = MergeTree ORDER BY x`);
    await engine().execute(sql`INSERT INTO doubles ${parsed}`);
    expect(await sorted(sql`SELECT x FROM doubles`)).toEqual(doubles);
    await engine().execute(sql`TRUNCATE TABLE doubles`);
    const listed = joinSql(written.map((value) => sql`(${double(Number(value))})`));
    await engine().execute(sql`INSERT INTO doubles VALUES ${listed}`);
    expect(await sorted(sql`SELECT x FROM doubles`)).toEqual(doubles);
  });

  it("takes an insert without rows, and one that spans more than 100 months", async () => {
    await engine().execute(
      sql`CREATE TABLE months (t DateTime('UTC')) ENGINE = MergeTree PARTITION BY toYYYYMM(t) ORDER BY t`,
    );
    await engine().insert("months", ["t"], []);
    const times = Uint32Array.from({ length: 150 }, (_, i) => i * 31 * 86_400);
    await engine().insert("months", ["t"], [new Uint8Array(times.buffer)]);
    expect(await engine().query(sql`SELECT count() AS n FROM months`)).toEqual([{ n: 150 }]);
  });

  it("finds 10,000 addresses in one query", async () => {
    const addresses = Array.from({ length: 10_000 }, (_, i) => `0x${i.toString(16).padStart(40, "f")}`);
    const [found] = await engine().query<{ n: number }>(
      sql`SELECT countIf(has(wanted, a)) AS n FROM (SELECT ${hexBytesArray(addresses, 20)} AS wanted, arrayJoin([${hexBytes(addresses[7] ?? "")}, ${hexBytes(`0x${"00".repeat(20)}`)}]) AS a)`,
    );
    expect(found).toEqual({ n: 1 });
  });

  it("answers no query with rows of one that failed earlier", async () => {
    const failing = sql`SELECT throwIf(number = 2000000) AS n FROM numbers(3000000)`;
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 4 }, () => errorOf(engine().query(failing))));
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => engine().query(sql`SELECT 7 AS n WHERE ${integer(i % 2)}`)),
      );
      expect(answers.map((rows) => rows.length)).toEqual(answers.map((_, i) => i % 2));
    }
  });

  it("lets no literal become syntax", async () => {
    const hostile = "'; DROP TABLE bytes; -- \\ é \u0000 {x:String} /*";
    expect(await engine().query(sql`SELECT ${text(hostile)} AS t`)).toEqual([{ t: hostile }]);
  });

  it.each([
    ["an unknown table", sql`SELECT * FROM ${identifier("no_such_table")}`],
    ["a syntax error", sql`SELECT (((`],
  ])("does not reveal what the engine said about %s", async (_, statement) => {
    const error = await errorOf(engine().query(statement));
    expect(error.code).toBe("engine");
    expect(error.message).toBe("The database could not run the statement.");
    expect(String(error.cause)).toMatch(/no_such_table|[Ss]yntax/);
  });
}

function streams(engine: () => Engine): void {
  it("streams whole documents in every format", async () => {
    const rows = sql`SELECT number AS n, toString(number) AS t FROM numbers(300000) ORDER BY n`;
    const lines = (await bytesOf(engine().stream(rows, "JSONEachRow"))).toString().trimEnd().split("\n");
    expect(lines.length).toBe(300_000);
    expect(lines[299_999]).toBe('{"n":299999,"t":"299999"}');
    const csv = (await bytesOf(engine().stream(rows, "CSVWithNames"))).toString().trimEnd().split("\n");
    expect(csv.filter((line) => line.startsWith('"n"'))).toHaveLength(1);
    const parquet = await bytesOf(engine().stream(rows, "Parquet"));
    expect(parquet.subarray(0, 4).toString()).toBe("PAR1");
    expect(parquet.indexOf("PAR1", 4, "latin1")).toBe(parquet.length - 4);
  });

  it("fails a stream before its first byte when the query fails in its middle", async () => {
    const failing = sql`SELECT throwIf(number = 2000000) AS n FROM numbers(3000000)`;
    let received = 0;
    const reading = (async () => {
      for await (const chunk of engine().stream(failing, "JSONEachRow")) received += chunk.length;
    })();
    expect((await errorOf(reading)).code).toBe("engine");
    expect(received).toBe(0);
  });

  it("streams an answer without rows, and a statement without an answer", async () => {
    expect((await bytesOf(engine().stream(sql`SELECT 1 AS n WHERE 0`, "JSONEachRow"))).length).toBe(0);
    const silent = engine().stream(sql`CREATE TABLE silent (n UInt8) ENGINE = Memory`, "JSONEachRow");
    await bytesOf(silent).catch((error) => expect(error).toBeInstanceOf(BaseError));
  });

  it("runs many streams at once", async () => {
    const lengths = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const rows = sql`SELECT number AS n FROM numbers(${integer(i * 20_000)})`;
        return (await bytesOf(engine().stream(rows, "CSV"))).toString().split("\n").length - 1;
      }),
    );
    expect(lengths).toEqual(Array.from({ length: 12 }, (_, i) => i * 20_000));
  });

  it("lets a consumer leave a stream", async () => {
    for await (const chunk of engine().stream(sql`SELECT number FROM numbers(3000000)`, "JSONEachRow")) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(await engine().query(sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  it("ends a stream whose signal is aborted", async () => {
    const controller = new AbortController();
    const reading = bytesOf(engine().stream(HEAVY, "JSONEachRow", { signal: controller.signal }));
    const settled = reading.catch((reason) => reason);
    await expect.poll(() => heavyQueries(engine())).toBe(1);
    controller.abort(new Error("client left"));
    expect((await settled).message).toBe("client left");
    await expect.poll(() => heavyQueries(engine())).toBe(0);
  });
}

function limits(engine: () => Engine): void {
  it("ends a query at its time limit", async () => {
    const begun = performance.now();
    const error = await errorOf(engine().query(HEAVY, { timeoutMs: 400 }));
    expect(error.code).toBe("timeout");
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(await heavyQueries(engine())).toBe(0);
  });

  it("also ends a query that checks no clock at its time limit", async () => {
    const asleep = engine().query(sql`SELECT sleepEachRow(0.1) FROM numbers(25)`, { timeoutMs: 300 });
    expect((await errorOf(asleep)).code).toBe("timeout");
  });

  it("ends a query at its memory limit", async () => {
    const greedy = sql`SELECT length(groupArray(toString(number))) AS n FROM numbers(20000000)`;
    const error = await errorOf(engine().query(greedy, { memoryBytes: 50_000_000 }));
    expect(error.code).toBe("memory");
    expect(await engine().query(sql`SELECT 1 AS n`, {})).toEqual([{ n: 1 }]);
  });

  it("really ends a query whose signal is aborted", async () => {
    const controller = new AbortController();
    const running = engine().query(HEAVY, { signal: controller.signal });
    const settled = running.catch((reason) => reason);
    await expect.poll(() => heavyQueries(engine())).toBe(1);
    controller.abort(new Error("client left"));
    expect((await settled).message).toBe("client left");
    await expect.poll(() => heavyQueries(engine())).toBe(0);
  });

  it("does not begin a query whose signal is already aborted", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(engine().query(HEAVY, { signal })).rejects.toThrow("too late");
  });

  it("runs four slow queries at once and still answers a quick one", async () => {
    const begun = performance.now();
    const slow = Array.from({ length: 4 }, () => engine().query(sql`SELECT sleep(1) AS s`));
    await engine().execute(
      sql`CREATE TABLE IF NOT EXISTS while_busy (n UInt8) ENGINE = MergeTree ORDER BY n`,
    );
    expect(performance.now() - begun).toBeLessThan(800);
    await Promise.all(slow);
    expect(performance.now() - begun).toBeLessThan(2_500);
  });
}
