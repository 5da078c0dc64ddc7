import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../lib/async/clock.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { ANSWER_FORMAT_NAMES } from "../../reads/rows/answer-format.ts";
import { hashOf } from "../../reads/support/market.ts";
import { DiskShare } from "../answers/unread/answer-disk.ts";
import { bufferedBytes } from "../answers/unread/buffered-answer.ts";
import { bufferFiles } from "../support/open-files.ts";
import { AT, SqlServices, trade } from "./support/sql-service.ts";

const TRADES = 2_000;
const COUNT = "SELECT COUNT(*) AS n FROM eth_dex_trades";
const PRICES =
  "SELECT block_number, price_token_usd_tick_1 AS price FROM eth_dex_trades ORDER BY record_index";
const NOW = "SELECT COUNT(*) AS n, MAX(timestamp) < NOW() AS past FROM eth_dex_trades";
const ALL = `SELECT * FROM eth_dex_trades ORDER BY record_index LIMIT ${TRADES}`;

let services: SqlServices;
beforeAll(async () => {
  services = await SqlServices.open(
    Array.from({ length: TRADES }, (_, i) => trade(Math.floor(i / 10), 1 + i)),
  );
});
afterAll(() => services.close());

type Service = Awaited<ReturnType<SqlServices["start"]>>;

const metric = async ({ app }: Service, name: string) =>
  Number((await app.inject("/metrics")).body.match(new RegExp(`^quarry_${name} (\\S+)$`, "m"))?.[1]);
const answers = (service: Service) =>
  Promise.all(
    ["run", "shared", "kept"].map((source) => metric(service, `sql_answers_total{source="${source}"}`)),
  );

function comparable({ status, headers, bytes }: Awaited<ReturnType<Service["ask"]>>) {
  const { date: _, "x-request-id": __, "x-elapsed-ms": ___, ...others } = headers;
  return { status, bytes, headers: others };
}

describe("an answer that is kept", () => {
  it.each(ANSWER_FORMAT_NAMES)("has the bytes and headers of a run: %s", async (format) => {
    const service = await services.start();
    const plain = await services.start({ limits: { sqlCacheBytes: 0 } });
    const query = `${PRICES} LIMIT 150`;
    const expected = comparable(await plain.ask(query, { format }));
    expect(expected.status).toBe(200);
    for (const _ of [1, 2, 3]) expect(comparable(await service.ask(query, { format }))).toEqual(expected);
    expect(service.engine.runs).toHaveLength(1);
    expect(await answers(service)).toEqual([1, 0, 2]);
    await plain.ask(query, { format });
    expect(plain.engine.runs).toHaveLength(2);
  });

  it("reports truncation, and differs by format and text", async () => {
    const { ask, engine } = await services.start();
    const many = PRICES.replace("ORDER BY record_index", "");
    for (const query of [many, many, COUNT]) {
      const { headers } = await ask(query, { format: "ndjson" });
      expect(headers["x-truncated"]).toBe("false");
    }
    await ask(COUNT, { format: "csv" });
    expect(engine.runs).toHaveLength(3);
  });

  it.each([
    ["a serving state", false],
    ["the store alone", true],
  ])("is replaced after a commit, and after a rollback, with %s", async (_, chains) => {
    const { ask } = await services.start(chains ? { chains: services.market.chains } : {});
    const state = async () => {
      const { bytes, headers } = await ask(COUNT);
      const commit = await services.market.store.committed();
      expect(headers["x-commit"]).toBe(String(commit?.sequence));
      expect(headers["x-indexed-block-hash"]).toBe(commit?.blockHash);
      return JSON.parse(bytes.toString())[0].n;
    };
    const before = (await services.market.store.committed())?.blockNumber ?? 0;
    expect([await state(), await state()]).toEqual([TRADES, TRADES]);
    await services.extend(7);
    expect([await state(), await state()]).toEqual([TRADES + 1, TRADES + 1]);
    await services.market.store.rollback({
      number: before,
      hash: hashOf(before),
      timestamp: AT + before - 1000,
    });
    expect([await state(), await state()]).toEqual([TRADES, TRADES]);
  });

  it("does not depend on the time of the request", async () => {
    const seconds = { now: AT };
    const { ask, engine } = await services.start({
      clock: { ...systemClock, now: () => seconds.now * 1000 },
    });
    const past = async () => JSON.parse((await ask(NOW)).bytes.toString())[0].past;
    expect(await past()).toBe(false);
    seconds.now += 1000;
    expect([await past(), await past()]).toEqual([true, true]);
    expect(engine.runs).toHaveLength(3);
  });

  it("is small: larger ones run again, and the oldest make room", async () => {
    const service = await services.start({ limits: { sqlCacheBytes: 40_000 } });
    const { ask, engine } = service;
    const sizes = [(await ask(ALL)).bytes.length, (await ask(ALL)).bytes.length];
    expect([sizes[0] === sizes[1], engine.runs.length]).toEqual([true, 2]);
    expect(await metric(service, "sql_cache_entries")).toBe(0);
    for (let i = 0; i < 20; i++) await ask(`${PRICES} LIMIT ${100 + i}`);
    expect(await metric(service, "sql_cache_bytes")).toBeLessThanOrEqual(40_000);
    expect(await metric(service, "sql_cache_evictions_total")).toBeGreaterThan(5);
    const again = await ask(`${PRICES} LIMIT 100`);
    expect(JSON.parse(again.bytes.toString())).toHaveLength(100);
  });

  it("is no error", async () => {
    const { ask, arrived, engine } = await services.start();
    engine.holds = /dex_trades/;
    const failing = [ask(COUNT), ask(COUNT)];
    await arrived();
    await expect.poll(() => engine.runs.length).toBe(1);
    engine.runs[0]?.release(new Error("the engine failed"));
    expect((await Promise.all(failing)).map(({ status }) => status)).toEqual([500, 500]);
    engine.holds = null;
    expect((await ask(COUNT)).status).toBe(200);
    const wrong = await Promise.all([
      ask("SELECT nothing FROM eth_blocks"),
      ask("SELECT nothing FROM eth_blocks"),
    ]);
    expect(wrong.map(({ status }) => status)).toEqual([400, 400]);
  });
});

describe("requests at the same time", () => {
  it.each([
    ["a serving state", false],
    ["the store alone", true],
  ])("share one run, with %s", async (_, chains) => {
    const service = await services.start(chains ? { chains: services.market.chains } : {});
    service.engine.holds = /dex_trades/;
    const asked = Array.from({ length: 30 }, () => service.ask(COUNT));
    await expect.poll(() => service.engine.runs.length).toBe(1);
    asked.push(service.ask(COUNT));
    await expect.poll(() => metric(service, 'http_questions_waiting{kind="query"}')).toBe(0);
    service.engine.runs[0]?.release();
    const bodies = (await Promise.all(asked)).map(({ bytes }) => bytes.toString());
    expect(new Set(bodies)).toEqual(new Set([`[\n{"n":${TRADES}}\n]\n`]));
    expect(service.engine.runs).toHaveLength(1);
    expect((await answers(service)).reduce((sum, count) => sum + count)).toBe(31);
    expect((await answers(service))[0]).toBe(1);
  });

  it("share an answer that is in a file, which is then closed", async () => {
    const { ask, arrived, engine } = await services.start({ limits: { answerMemoryBytes: 20_000 } });
    engine.holds = /dex_trades/;
    const asked = [1, 2, 3].map(() => ask(ALL));
    await arrived();
    await expect.poll(() => engine.runs.length).toBe(1);
    engine.runs[0]?.release();
    const rows = (await Promise.all(asked)).map(({ bytes }) => JSON.parse(bytes.toString()));
    expect(rows.map(({ length }) => length)).toEqual([TRADES, TRADES, TRADES]);
    expect(rows[1]).toEqual(rows[0]);
    expect(engine.runs).toHaveLength(1);
    await expect.poll(bufferFiles).toBe(0);
    expect(bufferedBytes()).toBe(0);
  });

  it("fail only for the client that holds too many unread answers", async () => {
    const limits = { answerMemoryBytes: 20_000, clientDiskBytes: 64 * 2 ** 20 };
    const { ask, arrived, engine } = await services.start({ limits, apiKeys: ["first", "second"] });
    const held = new DiskShare("configured-1", { clientDiskBytes: 2 ** 30, answerDiskBytes: 2 ** 30 });
    held.take(limits.clientDiskBytes);
    engine.holds = /dex_trades/;
    const asked = ["first", "second"].map((key) => ask(ALL, { key }));
    await arrived();
    await expect.poll(() => engine.runs.length).toBe(1);
    engine.holds = null;
    engine.runs[0]?.release();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([429, 200]);
    held.release();
  });

  it("share a run that depends on the time only within one second", async () => {
    const seconds = { now: AT };
    const { ask, arrived, engine } = await services.start({
      clock: { ...systemClock, now: () => seconds.now * 1000 },
    });
    engine.holds = /dex_trades/;
    const first = Array.from({ length: 6 }, () => ask(NOW));
    await arrived();
    await expect.poll(() => engine.runs.length).toBe(1);
    seconds.now += 1000;
    const second = ask(NOW);
    await expect.poll(() => engine.runs.length).toBe(2);
    engine.holds = null;
    for (const run of engine.runs) run.release();
    const past = (await Promise.all([...first, second])).map(
      ({ bytes }) => JSON.parse(bytes.toString())[0].past,
    );
    expect(past).toEqual([...first.map(() => false), true]);
    expect(engine.runs).toHaveLength(2);
  });

  it("do not share a run as of an older commit", async () => {
    const { ask, engine } = await services.start();
    const before = (await services.market.store.committed())?.blockNumber ?? 0;
    engine.holds = /dex_trades/;
    const old = ask(COUNT);
    await expect.poll(() => engine.runs.length).toBe(1);
    await services.extend(8);
    const newer = ask(COUNT);
    await expect.poll(() => engine.runs.length).toBe(2);
    for (const run of engine.runs) run.release();
    const bodies = [await old, await newer].map(({ bytes }) => JSON.parse(bytes.toString())[0].n);
    expect(bodies).toEqual([TRADES, TRADES + 1]);
    await services.market.store.rollback({
      number: before,
      hash: hashOf(before),
      timestamp: AT + before - 1000,
    });
  });
});

describe("a client that disconnects", () => {
  const post = (url: string) => {
    const sent = request(`${url}/v1/sql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    sent.on("error", () => {});
    sent.end(JSON.stringify({ query: COUNT }));
    return sent;
  };

  it("does not cancel the run of others; the last one does", async () => {
    const service = await services.start();
    const { app, engine, ask, arrived } = service;
    await app.listen({ port: 0, host: "127.0.0.1" });
    engine.holds = /dex_trades/;
    const first = post(app.listeningOrigin);
    await expect.poll(() => engine.runs.length).toBe(1);
    const second = ask(COUNT);
    await arrived();
    first.destroy();
    await expect
      .poll(() => metric(service, 'http_requests_total{route="/v1/sql",method="POST",status="499"}'))
      .toBe(1);
    engine.runs[0]?.release();
    expect((await second).bytes.toString()).toContain(String(TRADES));
    expect(engine.runs).toMatchObject([{ cancelled: false }]);

    await services.extend(9);
    const alone = [post(app.listeningOrigin), post(app.listeningOrigin)];
    await expect.poll(() => engine.runs.length).toBe(2);
    for (const sent of alone) sent.destroy();
    await expect.poll(() => engine.runs[1]?.cancelled).toBe(true);
    engine.holds = null;
    expect((await ask(COUNT)).bytes.toString()).toContain(String(TRADES + 1));
    expect(engine.runs).toHaveLength(3);
  });
});

describe("the queue", () => {
  it("has places only for runs: shared and kept answers need none", async () => {
    const limits = { quickQueries: 1, concurrentQueries: 1, quickMs: 60_000, waitingRequests: 0 };
    const { ask, engine } = await services.start({ limits });
    const kept = await ask(PRICES);
    engine.holds = /dex_trades/;
    const running = ask(COUNT);
    await expect.poll(() => engine.runs.length).toBe(2);
    expect((await ask(PRICES)).bytes).toEqual(kept.bytes);
    const joining = ask(COUNT);
    expect((await ask(`${COUNT} LIMIT 1`)).status).toBe(429);
    engine.runs[1]?.release();
    expect([(await running).status, (await joining).status]).toEqual([200, 200]);
    expect(engine.runs).toHaveLength(2);
  });

  it("is left by the requests whose answer a run will give", async () => {
    const limits = { quickQueries: 1, concurrentQueries: 1, quickMs: 60_000 };
    const service = await services.start({ limits });
    const { ask, arrived, engine } = service;
    const waiting = () => metric(service, 'http_questions_waiting{kind="query"}');
    engine.holds = /dex_trades/;
    const other = ask(PRICES);
    const equal = [ask(COUNT), ask(COUNT), ask(COUNT)];
    await arrived();
    await expect.poll(waiting).toBe(3);
    engine.runs[0]?.release();
    await other;
    await expect.poll(() => engine.runs.length).toBe(2);
    await expect.poll(waiting).toBe(0);
    engine.runs[1]?.release();
    expect((await Promise.all(equal)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("does not take the answer of another run for a quick one", async () => {
    const clock = new ManualClock();
    const { ask, arrived, engine } = await services.start({
      clock,
      limits: { quickQueries: 1, concurrentQueries: 1, quickMs: 1000 },
      // The newest commit can be found only by a statement, so each request takes a slot of the queue.
      chains: services.market.chains,
      apiKeys: ["first", "second"],
    });
    const asSlow = (limit: number) => ask(`${COUNT} LIMIT ${limit}`, { key: "first" });
    engine.holds = /dex_trades/;
    const slow = asSlow(1);
    await expect.poll(() => engine.runs.length).toBe(1);
    await clock.advance(1000);
    engine.runs[0]?.release();
    expect((await slow).status).toBe(200);
    expect((await asSlow(1)).status).toBe(200);
    expect(engine.runs).toHaveLength(1);

    const long = ask(PRICES, { key: "second" });
    await expect.poll(() => engine.runs.length).toBe(2);
    await clock.advance(1000);
    const next = asSlow(2);
    await arrived();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(engine.runs, "it waits for a long place").toHaveLength(2);
    engine.runs[1]?.release();
    await expect.poll(() => engine.runs.length).toBe(3);
    engine.runs[2]?.release();
    expect([(await long).status, (await next).status]).toEqual([200, 200]);
  });

  it("makes only the owner of a preempted run wait, and gives it the answer of another one", async () => {
    const clock = new ManualClock();
    const limits = { quickQueries: 1, concurrentQueries: 1, quickMs: 1000, waitMs: 5000 };
    const { ask, arrived, engine } = await services.start({
      clock,
      limits,
      apiKeys: ["first", "second", "third"],
    });
    engine.holds = /dex_trades/;
    const long = ask(PRICES, { key: "third" });
    await expect.poll(() => engine.runs.length).toBe(1);
    await clock.advance(1000);
    const first = ask(COUNT, { key: "first" });
    await expect.poll(() => engine.runs.length).toBe(2);
    const second = ask(COUNT, { key: "second" });
    await arrived();
    await clock.advance(1000);
    expect(engine.runs[1]?.cancelled).toBe(true);
    // Only the request that started the run waits for a long slot.
    await expect.poll(() => engine.runs.length).toBe(3);
    engine.runs[2]?.release();
    expect((await second).status).toBe(200);
    expect((await first).status).toBe(200);
    engine.runs[0]?.release();
    expect((await long).status).toBe(200);
  });
});
