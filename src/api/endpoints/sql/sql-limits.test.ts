import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql, text } from "../../../engine-sql/sql-text.ts";
import type { Clock } from "../../../lib/async/clock.ts";
import { BaseError } from "../../../lib/error.ts";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { ANSWER_FORMAT_NAMES } from "../../../reads/rows/answer-format.ts";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import type { Engine } from "../../../storage/store.ts";
import type { ApiLimits } from "../../admission/limits.ts";
import { createServer } from "../../http/server.ts";
import { bufferFiles, canListOpenFiles } from "../../support/open-files.ts";

const AT = 1_704_412_800;

/** Matching this many patterns against each of eight million strings takes far longer than a test. */
const PATTERNS = Array.from(
  { length: 150 },
  (_, i) => `LEFT(extra_data, 40) RLIKE '[0-9a-f]*(x|y)${i}[0-9a-f]*'`,
);
const heavy = (name: string) => `SELECT COUNT(*) AS ${name} FROM eth_blocks WHERE ${PATTERNS.join(" OR ")}`;
const HEAVY = heavy("n");
/**
 * The same work for sorted rows: they may have any length, so the engine sends them through a pipe, unlike a
 * count.
 */
const HEAVY_ROWS = `SELECT extra_data FROM eth_blocks WHERE ${PATTERNS.join(" OR ")} ORDER BY extra_data`;
const HEAVY_IN_FORMATS = [HEAVY, HEAVY_ROWS].flatMap((query) =>
  ANSWER_FORMAT_NAMES.map((format) => ({ query, format, of: query.slice(7, 17) })),
);
const LIGHT = "SELECT COUNT(*) AS n FROM eth_dex_trades";

let market: Market;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  market = await openMarket([{ token: hexOf(1), at: AT, price: 1 }]);
  await market.engine.execute(
    sql`INSERT INTO eth_blocks (block_number, extra_data) SELECT 1000, toString(sipHash128(number)) FROM numbers(8000000)`,
  );
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => market.close());

async function serve(
  given: Partial<ApiLimits> = {},
  { engine = market.engine, clock }: { engine?: Engine; clock?: Clock } = {},
): Promise<string> {
  const limits = { rejectionDelayMs: 0, ...given };
  const app = await createServer({ ...market, engine, limits, ...(clock === undefined ? {} : { clock }) });
  apps.push(app);
  return app.listen({ port: 0, host: "127.0.0.1" });
}

function request(
  url: string,
  query: string,
  { format = "json", signal }: { format?: string; signal?: AbortSignal } = {},
) {
  return fetch(`${url}/v1/sql?format=${format}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
    ...(signal === undefined ? {} : { signal }),
  });
}

const errorOf = async (response: Response) => [
  response.status,
  response.headers.get("content-type"),
  ((await response.json()) as { error: string }).error,
];

/** Returns the number of running client queries that contain this text. */
async function running(part = "eth_blocks"): Promise<number> {
  const [row] = await market.engine.query<{ n: number }>(
    sql`SELECT count() AS n FROM system.processes WHERE query LIKE ${text(`%${part}%`)} AND query NOT LIKE '%processes%'`,
  );
  return row?.n ?? 0;
}

const requireRunning = (count: number, part?: string) =>
  expect.poll(() => running(part), { timeout: 10_000 }).toBe(count);

describe("a client that disconnects", () => {
  it.each(HEAVY_IN_FORMATS)("stops its query in the engine ($of, $format)", async ({ query, format }) => {
    const url = await serve();
    const client = new AbortController();
    const left = request(url, query, { format, signal: client.signal }).catch((error: Error) => error.name);
    await requireRunning(1);
    client.abort();
    expect(await left).toBe("AbortError");
    await requireRunning(0);
  });

  it("also stops it in the long tier, and frees its slot for the next", async () => {
    const clock = new ManualClock();
    const url = await serve(
      { concurrentQueries: 1, quickQueries: 2, quickMs: 1000, clientShare: 1 },
      { clock },
    );
    const clients = [new AbortController(), new AbortController()];
    const outcomes: Promise<unknown>[] = [];
    for (const [i, { signal }] of clients.entries()) {
      outcomes.push(request(url, heavy(`query_${i}`), { signal }).catch((error: Error) => error.name));
      await requireRunning(1, `query_${i}`);
    }
    await clock.advance(1000);
    await requireRunning(0, "query_1");
    expect(await running("query_0")).toBe(1);
    clients[0]?.abort();
    await requireRunning(1, "query_1");
    await requireRunning(0, "query_0");
    clients[1]?.abort();
    await requireRunning(0);
    expect(await Promise.all(outcomes)).toEqual(["AbortError", "AbortError"]);
  });
});

describe("a heavy query", () => {
  it.each(HEAVY_IN_FORMATS)("is stopped after its time limit ($of, $format)", async ({ query, format }) => {
    const url = await serve({ queryTimeMs: 300 });
    expect(await errorOf(await request(url, query, { format }))).toEqual([
      408,
      "application/json; charset=utf-8",
      "The query took longer than 0.3 s. Request a shorter time range or fewer groups.",
    ]);
    await requireRunning(0);
  });

  it("does not delay quick ones, and waits for its turn", async () => {
    const clock = new ManualClock();
    const limits = { concurrentQueries: 1, quickQueries: 1, quickMs: 1000, waitMs: 6000 };
    const url = await serve(limits, { clock });
    const client = new AbortController();
    const first = request(url, heavy("first_query"), { signal: client.signal }).catch(
      (error: Error) => error.name,
    );
    await requireRunning(1, "first_query");
    await clock.advance(1000);
    const second = request(url, heavy("second_query"));
    await requireRunning(1, "second_query");
    await clock.advance(1000);
    await requireRunning(0, "second_query");
    for (let i = 0; i < 5; i++) {
      const response = await request(url, LIGHT);
      expect([response.status, await response.json()]).toEqual([200, [{ n: 1 }]]);
    }
    expect(await running("first_query")).toBe(1);
    await clock.advance(6000);
    expect(await errorOf(await second)).toEqual([
      429,
      "application/json; charset=utf-8",
      "Too many requests from this client: the request waited in the queue for 6 s, the maximum. Send the request again in 1 s.",
    ]);
    client.abort();
    expect(await first).toBe("AbortError");
  });

  it("is rejected immediately when the queue is full", async () => {
    const url = await serve({ concurrentQueries: 1, quickQueries: 1, quickMs: 60_000, waitingRequests: 0 });
    const client = new AbortController();
    const first = request(url, HEAVY, { signal: client.signal }).catch((error: Error) => error.name);
    await requireRunning(1);
    const second = await request(url, LIGHT);
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
    client.abort();
    expect(await first).toBe("AbortError");
  });
});

describe("an answer that fails halfway", () => {
  /** Streams part of an answer, then fails. */
  const failing: Engine = {
    query: (...given) => market.engine.query(...given),
    stream: async function* (...given) {
      for await (const piece of market.engine.stream(...given)) {
        yield piece.subarray(0, 20);
        throw new BaseError("engine", "Code: 1. DB::Exception: SELECT secret");
      }
    },
    execute: (...given) => market.engine.execute(...given),
    insert: (...given) => market.engine.insert(...given),
    close: () => Promise.resolve(),
  };

  it.each(ANSWER_FORMAT_NAMES)("is an error, and no part of it is sent (%s)", async (format) => {
    const url = await serve({ answerMemoryBytes: 1 }, { engine: failing });
    const response = await request(url, "SELECT * FROM eth_dex_trades", { format });
    expect(response.headers.get("x-truncated")).toBeNull();
    expect(await errorOf(response)).toEqual([
      500,
      "application/json; charset=utf-8",
      expect.stringMatching(/^Something went wrong here. Please report it with the request id [\w-]+\.$/),
    ]);
    if (canListOpenFiles) expect(bufferFiles()).toBe(0);
  });
});

describe("an answer that is too large", () => {
  it.each(ANSWER_FORMAT_NAMES)("is an error, and its query is stopped (%s)", async (format) => {
    const url = await serve({ answerBytes: 100_000, answerMemoryBytes: 1_000 });
    const response = await request(url, "SELECT extra_data, block_number FROM eth_blocks LIMIT 100000", {
      format,
    });
    expect(await errorOf(response)).toEqual([
      400,
      "application/json; charset=utf-8",
      expect.stringMatching(
        /^The answer is larger than .* Request fewer columns, or set a lower LIMIT or size\.$/,
      ),
    ]);
    await requireRunning(0);
  });
});
