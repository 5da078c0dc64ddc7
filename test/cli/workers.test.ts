import { Client } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationsAnswer } from "../../src/api/endpoints/operations/operations-answer.ts";
import { openStore } from "../../src/cli/open-store.ts";
import { sql } from "../../src/engine-sql/sql-text.ts";
import { commitTrades, ETH, hashOf, hexOf } from "../../src/reads/support/market.ts";
import { eventsOf } from "../streams/support/event-reader.ts";
import {
  isRunning,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../support/processes/processes.ts";
import { runHere } from "../support/processes/run-here.ts";

const AT = 1_700_000_000;
const TOKENS = [1, 2, 3].map((number) => hexOf(number));

/** Patterns that take seconds for 100,000 rows, and minutes for two million. */
const PATTERNS = Array.from(
  { length: 150 },
  (_, i) => `LEFT(extra_data, 40) RLIKE '[0-9a-f]*(x|y)${i}[0-9a-f]*'`,
);
const heavy = (rows: number) =>
  `SELECT COUNT(*) AS n FROM eth_blocks WHERE gas_used < ${rows} AND (${PATTERNS.join(" OR ")})`;
const SLOW = heavy(100_000);
/**
 * A query that takes more than a minute. A process that ends may have to wait until the engine notices a
 * cancelled statement.
 */
const LONG = heavy(1_500_000);

function isListening(url: string): Promise<boolean> {
  return fetch(`${url}/health`, { headers: { connection: "close" } }).then(
    () => true,
    () => false,
  );
}

const folder = temporaryFolder();
const processes: Running[] = [];

beforeAll(async () => {
  const store = await openStore({ data: folder.path });
  const chain = await store.openChain(ETH);
  const trades = Array.from({ length: 300 }, (_, i) => ({
    token: hexOf((i % 3) + 1),
    at: AT + 12 * i,
    price: 1 + i,
    usd: i,
  }));
  await commitTrades(chain, trades, { firstBlock: 1000, named: TOKENS });
  await store.engine.execute(
    sql`INSERT INTO eth_blocks (block_number, gas_used, extra_data) SELECT 1000, number, toString(sipHash128(number)) FROM numbers(2000000)`,
  );
  await store.close();
});
afterAll(async () => {
  await Promise.all(processes.map((running) => running.stop("SIGKILL")));
  folder.remove();
});

async function serve(...options: string[]) {
  const place = ["--data", folder.path, "--port", "0"];
  const running = startQuarry(["serve", ...place, "--query-time", "600", ...options]);
  processes.push(running);
  const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
  return { running, url };
}

interface LogLine {
  msg: string;
  worker?: number;
  pid?: number;
  reqId?: string;
}

function logOf(running: Running): LogLine[] {
  const lines = running.output().split("\n");
  return lines.filter((line) => line.startsWith("{") && line.endsWith("}")).map((line) => JSON.parse(line));
}

/** Returns the process ids that a worker has had, one for each start, oldest first. */
function pidsOf(running: Running, worker: number): number[] {
  return logOf(running).flatMap((line) =>
    /is ready/.test(line.msg) && line.worker === worker ? [line.pid ?? 0] : [],
  );
}

function sqlRequest(url: string, query: string, signal?: AbortSignal, format = "json"): Promise<Response> {
  return fetch(`${url}/v1/sql?format=${format}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function figure(url: string, series: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")[1] ?? Number.NaN,
  );
}

/** Follows a stream of trades from block 1002 on. Reconnects and resumes whenever the connection ends. */
function followedStream(url: string) {
  const abort = new AbortController();
  const stream = { breaks: 0, seen: [] as [block: unknown, trades: number][], reaches, end };
  let last = `1:1001:${hashOf(1001)}`;
  const running = (async () => {
    for (; !abort.signal.aborted; stream.breaks++)
      await readOn().catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
  })();

  async function readOn(): Promise<void> {
    const query = "type=trades&chain=eth";
    const events = eventsOf(`${url}/v1/stream?${query}`, {
      headers: { "last-event-id": last },
      signal: abort.signal,
    });
    for await (const { event, id, data } of events) {
      last = id ?? last;
      const { trades } = (data.data ?? {}) as { trades?: unknown[] };
      if (event === "block") stream.seen.push([data.block, trades?.length ?? 0]);
    }
  }

  function reaches(block: number) {
    return expect
      .poll(() => Number(stream.seen.at(-1)?.[0]), { timeout: 30_000 })
      .toBeGreaterThanOrEqual(block);
  }

  async function end(): Promise<void> {
    abort.abort();
    await running;
  }
  return stream;
}

const RUNNING = 'quarry_http_questions_running{kind="query"}';

/** Returns the status, body and headers of different kinds of requests. */
async function answers(url: string): Promise<unknown[]> {
  const requests = [
    () => fetch(`${url}/health`),
    () => fetch(`${url}/ready`),
    () => fetch(`${url}/v1/price-api/batch-latest-token-prices?token_address=${TOKENS.join()}`),
    () => fetch(`${url}/v1/price/historical/ohlc?token_address=${TOKENS[0]}&until_timestamp=${AT + 3_600}`),
    () => fetch(`${url}/v1/no-such-path`),
    () => sqlRequest(url, "SELECT * FROM eth_dex_trades ORDER BY record_index"),
    () => sqlRequest(url, "SELECT * FROM eth_dex_trades ORDER BY record_index", undefined, "parquet"),
    () => sqlRequest(url, "SELECT gas_used FROM eth_blocks ORDER BY gas_used LIMIT 200000", undefined, "csv"),
    () => sqlRequest(url, "SELECT no_such_column FROM eth_blocks"),
  ];
  const found: unknown[] = [];
  for (const request of [...requests, ...requests]) {
    const response = await request();
    const {
      "x-request-id": _id,
      "x-elapsed-ms": _ms,
      date: _date,
      ...headers
    } = Object.fromEntries(response.headers);
    found.push([response.status, headers, Buffer.from(await response.arrayBuffer()).toString("hex")]);
  }
  return found;
}

describe("quarry serve --workers", () => {
  it("gives the same answers as a single process, and sums the requests of all", async () => {
    const alone = await serve("--workers", "1");
    const expected = await answers(alone.url);
    await alone.running.stop();
    const { running, url } = await serve("--workers", "3");
    expect(await answers(url)).toEqual(expected);
    for (let i = 0; i < 9; i++) {
      const client = new Client(url);
      await (await client.request({ path: "/health", method: "GET" })).body.text();
      await client.close();
    }
    const served = new Set(
      logOf(running).flatMap(({ reqId, worker }) => (reqId === undefined ? [] : [worker])),
    );
    expect([...served].sort()).toEqual([1, 2, 3]);
    const series = 'quarry_http_requests_total{route="/health",method="GET",status="200"}';
    expect(await figure(url, series)).toBe(2 + 9);
    expect(await figure(url, 'quarry_indexed_block{chain="eth"}')).toBe(1299);
    expect((await running.stop()).code).toBe(0);
  });

  it("reports the queues, the memory and the slow requests of all processes, whichever responds", async () => {
    const options = ["--workers", "3", "--slow-after", "0", "--concurrent-queries", "1"];
    const { running, url } = await serve(...options, "--concurrent-reads", "7");
    const client = new AbortController();
    const long = sqlRequest(url, LONG, client.signal).catch(() => null);
    await expect.poll(() => figure(url, RUNNING), { timeout: 30_000 }).toBe(1);
    // Each request has a connection of its own, and Node passes new connections to the workers in turn.
    const headers = { connection: "close" };
    for (let i = 0; i < 6; i++) await (await fetch(`${url}/v1/search?query=t${i}`, { headers })).text();
    const read = async () =>
      (await (await fetch(`${url}/v1/operations`, { headers })).json()) as OperationsAnswer;
    for (let i = 0; i < 3; i++) {
      const { processes, queues, slow_requests } = await read();
      expect(processes.map(({ process }) => process)).toEqual([
        ...["primary", "worker 1", "worker 2", "worker 3"],
      ]);
      expect(new Set(processes.map(({ pid }) => pid)).size).toBe(4);
      expect(processes.every(({ rss_bytes }) => (rss_bytes ?? 0) > 2 ** 20)).toBe(true);
      const limits = queues.map(({ kind, tier, running_limit }) => `${kind} ${tier} ${running_limit}`);
      expect(limits).toEqual(["query quick 4", "query long 1", "read quick 7", "read long 3"]);
      expect(queues.reduce((sum, one) => sum + one.running, 0)).toBe(1);
      expect(slow_requests.latest.filter(({ path }) => path === "/v1/search").length).toBe(6);
    }
    client.abort();
    await long;
    await running.stop("SIGKILL");
  });

  it("replaces a worker that is killed, while the others serve, and keeps its counts", async () => {
    const { running, url } = await serve("--workers", "3");
    const clients = [1, 2, 3].map(() => new Client(url));
    const workers: (number | undefined)[] = [];
    for (const client of clients) {
      const response = await client.request({ path: "/health", method: "GET" });
      await response.body.text();
      const id = response.headers["x-request-id"];
      await expect.poll(() => logOf(running).find(({ reqId }) => reqId === id)).toBeDefined();
      workers.push(logOf(running).find(({ reqId }) => reqId === id)?.worker);
    }
    expect(workers.toSorted()).toEqual([1, 2, 3]);
    const counted = 'quarry_http_requests_total{route="/health",method="GET",status="200"}';
    expect(await figure(url, counted)).toBe(3);
    const [, ...others] = clients;
    const victim = workers[0] ?? 0;
    let isReplaced = false;
    const statuses: number[] = [];
    const load = others.map(async (client) => {
      const body = JSON.stringify({ query: "SELECT COUNT(*) AS n FROM eth_dex_trades" });
      const headers = { "content-type": "application/json" };
      while (!isReplaced || statuses.length < 10) {
        const response = await client.request({ path: "/v1/sql", method: "POST", headers, body });
        await response.body.text();
        statuses.push(response.statusCode);
      }
    });
    process.kill(pidsOf(running, victim)[0] ?? 0, "SIGKILL");
    await running.printed(new RegExp(`worker ${victim} ended with SIGKILL; starting another in 100 ms`));
    await expect.poll(() => pidsOf(running, victim).length, { timeout: 60_000 }).toBe(2);
    isReplaced = true;
    await Promise.all(load);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await figure(url, counted)).toBe(3);
    for (const client of clients) await client.destroy();
    await running.stop();
  });

  it("replaces a worker that hangs", async () => {
    const { running, url } = await serve("--workers", "2", "--worker-timeout", "10");
    process.kill(pidsOf(running, 1)[0] ?? 0, "SIGSTOP");
    await running.printed(/worker 1 has not responded for 10 s; killing it/);
    await running.printed(/worker 1 ended with SIGKILL; starting another/);
    await expect.poll(() => pidsOf(running, 1).length, { timeout: 60_000 }).toBe(2);
    expect(await isListening(url)).toBe(true);
    expect(running.output()).not.toContain("worker 2 has not responded");
    await running.stop();
  });

  it("resumes the streams of a killed worker on the others, without loss or repetition", async () => {
    const { running, url } = await serve("--workers", "2");
    const streams = Array.from({ length: 4 }, () => followedStream(url));
    await Promise.all(streams.map((stream) => stream.reaches(1050)));
    process.kill(pidsOf(running, 1)[0] ?? 0, "SIGKILL");
    await expect.poll(() => streams.some(({ breaks }) => breaks > 0)).toBe(true);
    await Promise.all(streams.map((stream) => stream.reaches(1299)));
    const blocks = Array.from({ length: 298 }, (_, i) => 1002 + i);
    for (const { seen } of streams) expect(seen).toEqual(blocks.map((block) => [block, 1]));
    await running.stop();
    await Promise.all(streams.map((stream) => stream.end()));
  });

  it("holds the limits of the service, and cancels the query of a client that disconnects", async () => {
    const { running, url } = await serve(
      "--workers",
      "3",
      "--concurrent-queries",
      "1",
      "--waiting-queries",
      "2",
    );
    const client = new AbortController();
    let rejected = 0;
    // Equal queries in the same worker would share a run.
    const requests = Array.from({ length: 7 }, async (_, i) => {
      const response = await sqlRequest(url, heavy(2_000_000 - i), client.signal).catch(() => null);
      if (response?.status === 429) rejected++;
    });
    await expect.poll(() => rejected, { timeout: 30_000 }).toBe(7 - 1 - 2);
    expect(await figure(url, RUNNING)).toBe(1);
    expect(await figure(url, 'quarry_http_questions_waiting{kind="query"}')).toBe(2);
    client.abort();
    await Promise.all(requests);
    await expect.poll(() => figure(url, RUNNING), { timeout: 20_000 }).toBe(0);
    expect((await running.stop()).code).toBe(0);
  });

  it("lets running requests finish on SIGTERM, and then ends all processes", async () => {
    const { running, url } = await serve("--workers", "2");
    const response = sqlRequest(url, SLOW);
    await expect.poll(() => figure(url, RUNNING), { timeout: 20_000 }).toBe(1);
    const stopped = running.stop("SIGTERM");
    expect(await (await response).json()).toEqual([{ n: expect.any(Number) }]);
    expect((await stopped).code).toBe(0);
    const pids = [1, 2].flatMap((worker) => pidsOf(running, worker));
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("ends at once at a second signal, and with its primary process", async () => {
    for (const signals of [["SIGTERM", "SIGTERM"], ["SIGKILL"]] as const) {
      const { running, url } = await serve("--workers", "2");
      // If a worker briefly outlives the engine, it reports an error.
      const lost = sqlRequest(url, LONG).then(
        ({ ok }) => (ok ? "answered" : "lost"),
        () => "lost",
      );
      await expect.poll(() => figure(url, RUNNING), { timeout: 20_000 }).toBe(1);
      for (const [i, signal] of signals.entries()) {
        // While a signal is pending, the operating system drops further signals of the same kind.
        if (i > 0) await expect.poll(() => isListening(url), { timeout: 10_000 }).toBe(false);
        running.child.kill(signal);
      }
      await running.finished;
      expect(await lost).toBe("lost");
      const pids = [1, 2].flatMap((worker) => pidsOf(running, worker));
      await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    }
  });

  it("reports a port in use and a directory in use as a single process does", async () => {
    const { running, url } = await serve("--workers", "2");
    const { port } = new URL(url);
    const sameDirectory = await runQuarry(["status", "--data", folder.path]);
    expect(sameDirectory.stdout).toMatch(/eth +served/);
    const samePort = await runQuarry([
      "serve",
      "--data",
      `${folder.path}-b`,
      "--port",
      port,
      "--workers",
      "2",
    ]);
    expect([samePort.code, samePort.stderr]).toEqual([
      2,
      expect.stringMatching(/^quarry: cannot listen on .* in use/),
    ]);
    const second = await runQuarry(["serve", "--data", folder.path, "--port", "0", "--workers", "2"]);
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringMatching(/^quarry: The data directory is in use/),
    ]);
    await running.stop();
  });

  it.each(["0", "-1", "65"])("refuses --workers %j", async (workers) => {
    const { code, stderr } = await runHere(["serve", "--data", folder.path, `--workers=${workers}`]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/--workers: ".*" is not allowed. Give a whole number from 1 to 64/),
    ]);
  });
});
