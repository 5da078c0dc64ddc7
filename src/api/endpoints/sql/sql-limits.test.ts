import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../engine-sql/sql-text.ts";
import { BaseError } from "../../../lib/error.ts";
import { ANSWER_FORMAT_NAMES } from "../../../reads/rows/answer-format.ts";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import type { Engine } from "../../../storage/store.ts";
import type { ApiLimits } from "../../admission/limits.ts";
import { createServer } from "../../http/server.ts";
import { bufferFiles, canListOpenFiles } from "../../support/open-files.ts";

const AT = 1_704_412_800;

/** So many patterns for each of eight million texts: far more work than a test waits for. */
const PATTERNS = Array.from({ length: 150 }, (_, i) => `extra_data RLIKE '[0-9a-f]*(x|y)${i}[0-9a-f]*'`);
const HEAVY = `SELECT COUNT(*) AS n FROM eth_blocks WHERE ${PATTERNS.join(" OR ")}`;
/** The same work for rows, whose order wants all of them: they may be of any length, so they go through a pipe, a count does not. */
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

async function serve(limits: Partial<ApiLimits> = {}, engine: Engine = market.engine): Promise<string> {
  const app = await createServer({ ...market, engine, limits });
  apps.push(app);
  return app.listen({ port: 0, host: "127.0.0.1" });
}

function ask(
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

/** How many client queries the engine works on. */
async function atWork(): Promise<number> {
  const [row] = await market.engine.query<{ n: number }>(
    sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%eth_blocks%' AND query NOT LIKE '%processes%'`,
  );
  return row?.n ?? 0;
}

describe("a client that leaves", () => {
  it.each(HEAVY_IN_FORMATS)("ends its query in the engine ($of, $format)", async ({ query, format }) => {
    const url = await serve();
    const client = new AbortController();
    const left = ask(url, query, { format, signal: client.signal }).catch((error: Error) => error.name);
    await expect.poll(atWork, { timeout: 10_000 }).toBe(1);
    await sleep(200);
    expect(await atWork()).toBe(1);
    client.abort();
    expect(await left).toBe("AbortError");
    await expect.poll(atWork, { timeout: 10_000 }).toBe(0);
  });

  it("ends it in the long lane too, and gives its place to the next", async () => {
    const url = await serve({ concurrentQueries: 1, quickMs: 100 });
    const clients = [new AbortController(), new AbortController()];
    const left = clients.map(({ signal }) => ask(url, HEAVY, { signal }).catch((error: Error) => error.name));
    await sleep(500);
    await expect.poll(atWork, { timeout: 10_000 }).toBe(1);
    clients[0]?.abort();
    await sleep(300);
    await expect.poll(atWork, { timeout: 10_000 }).toBe(1);
    clients[1]?.abort();
    await expect.poll(atWork, { timeout: 10_000 }).toBe(0);
    expect(await Promise.all(left)).toEqual(["AbortError", "AbortError"]);
  });
});

describe("a heavy query", () => {
  it.each(HEAVY_IN_FORMATS)("is told that its time is up ($of, $format)", async ({ query, format }) => {
    const url = await serve({ queryTimeMs: 300 });
    expect(await errorOf(await ask(url, query, { format }))).toEqual([
      408,
      "application/json; charset=utf-8",
      "The query took longer than 0.3 s. Ask for a shorter time range or fewer groups.",
    ]);
    await expect.poll(atWork, { timeout: 10_000 }).toBe(0);
  });

  it("does not keep quick ones from their answers, and waits for its turn", async () => {
    const url = await serve({ concurrentQueries: 1, quickQueries: 1, waitMs: 6_000 });
    const client = new AbortController();
    const first = ask(url, HEAVY, { signal: client.signal }).catch((error: Error) => error.name);
    await sleep(500);
    const second = ask(url, HEAVY);
    await sleep(2_500);
    for (let i = 0; i < 5; i++) {
      const response = await ask(url, LIGHT);
      expect([response.status, await response.json()]).toEqual([200, [{ n: 1 }]]);
    }
    expect(await atWork()).toBe(1);
    expect(await errorOf(await second)).toEqual([
      429,
      "application/json; charset=utf-8",
      "Too many requests are running and waiting. Try again in a second.",
    ]);
    client.abort();
    expect(await first).toBe("AbortError");
  });

  it("is refused at once when the line is full", async () => {
    const url = await serve({ concurrentQueries: 1, quickQueries: 1, quickMs: 60_000, waitingRequests: 0 });
    const client = new AbortController();
    const first = ask(url, HEAVY, { signal: client.signal }).catch((error: Error) => error.name);
    await expect.poll(atWork, { timeout: 10_000 }).toBe(1);
    const second = await ask(url, LIGHT);
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "1"]);
    client.abort();
    expect(await first).toBe("AbortError");
  });
});

describe("an answer that fails in its middle", () => {
  /** Streams some of an answer, then fails. */
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
    const url = await serve({ answerMemoryBytes: 1 }, failing);
    const response = await ask(url, "SELECT * FROM eth_dex_trades", { format });
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
  it.each(ANSWER_FORMAT_NAMES)("is refused, and its query ended (%s)", async (format) => {
    const url = await serve({ answerBytes: 100_000, answerMemoryBytes: 1_000 });
    const response = await ask(url, "SELECT extra_data, block_number FROM eth_blocks LIMIT 100000", {
      format,
    });
    expect(await errorOf(response)).toEqual([
      400,
      "application/json; charset=utf-8",
      expect.stringMatching(
        /^The answer is larger than .* Ask for fewer columns, or set a lower LIMIT or size\.$/,
      ),
    ]);
    await expect.poll(atWork, { timeout: 10_000 }).toBe(0);
  });
});
