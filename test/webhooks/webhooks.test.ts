import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Hex } from "../../src/lib/hex.ts";
import { ManualClock } from "../../src/lib/support/manual-clock.ts";
import { commitTrades, ETH, hashOf, hexOf, type Trade } from "../../src/reads/support/market.ts";
import { recordIndexOf } from "../../src/schema/record-index.ts";
import type { RowOf, Rows } from "../../src/schema/tables.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { acquireFreeLease } from "../../src/storage/commits/writer-lease.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import type { Deliverer } from "../../src/webhooks/delivery/deliverer.ts";
import { WebhookRecords } from "../../src/webhooks/records/webhook-records.ts";
import { type StreamService, serveFollower, serveWriter, Writer } from "../streams/support/stream-service.ts";
import { addWebhook, deliveryOf, HOUR_MS } from "./support/delivery.ts";
import {
  isSigned,
  type Received,
  silence,
  startReceiver,
  status,
  type TestReceiver,
} from "./support/receiver.ts";

const AT = 1_700_000_040;
const TOKEN = hexOf(9);
const OTHER = hexOf(10);
const TRADER = hexOf(0x71);
const FIRST = 1000;

let folder: string;
let engine: Engine;
let store: ChainStore;
let service: StreamService;
let records: WebhookRecords;
const writer = new Writer();
let next = FIRST;
let fork = 0;

let receiver: TestReceiver;
let clock: ManualClock;
let registry: Registry;
const running: Deliverer[] = [];

const trade = (price: number, more: Partial<Trade> = {}): Trade => ({
  token: TOKEN,
  at: AT + 12 * (next - FIRST),
  price,
  ...more,
});

async function commit(trades: Trade[], rows: Rows = {}) {
  const made = await commitTrades(store, trades, { firstBlock: next, fork, rows });
  next = made.blockNumber + 1;
  return made;
}

async function rollback(number: number) {
  next = number + 1;
  await store.rollback({ number, hash: hashOf(number, fork), timestamp: AT + 12 * (number - FIRST) });
  fork++;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarry-webhooks-"));
  engine = await openEmbeddedEngine({ path: folder });
  records = new WebhookRecords(engine);
  store = await openChainStore(engine, ETH.name, {});
  store.follow(writer);
  await commit([trade(2), trade(3, { token: OTHER })]);
  service = await serveWriter(engine, store, writer);
});

afterAll(async () => {
  await service?.stop();
  await engine?.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  receiver = await startReceiver();
  clock = new ManualClock(Date.now());
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
  for (const webhook of await records.all()) await records.remove(webhook);
  await receiver.close();
});

const until = (isOver: () => unknown) => vi.waitUntil(isOver, { timeout: 30_000, interval: 10 });

/** Delivers, as one process of the service. */
async function deliver(
  options: Partial<Parameters<typeof deliveryOf>[2]> = {},
  by = service,
): Promise<Deliverer> {
  registry = new Registry();
  const deliverer = deliveryOf(engine, by, { clock, registry, ...options });
  running.push(deliverer);
  await deliverer.look();
  // The right to deliver is acquired in the background.
  await until(async () => {
    await deliverer.look();
    return deliverer.runners.length > 0;
  });
  return deliverer;
}

/** Resolves when every webhook has begun: it gets what is committed from now on. */
const begun = (deliverer: Deliverer) =>
  until(() => deliverer.runners.every(({ block }) => block !== null && block >= next - 1));

/** Adds a webhook, and resolves when it has begun. */
async function start(rules: object[], options: Partial<Parameters<typeof deliveryOf>[2]> = {}) {
  const webhook = await addWebhook(engine, receiver.url, rules);
  const deliverer = await deliver(options);
  await begun(deliverer);
  return { webhook, deliverer };
}

/** Moves the clock from timer to timer until there were so many requests. */
async function whileClockMoves(requests: number): Promise<Received[]> {
  for (let isThere = false; !isThere; ) {
    await until(() => clock.pending > 0 || receiver.requests.length >= requests);
    isThere = receiver.requests.length >= requests;
    if (!isThere) await clock.advance(100);
    await turn();
  }
  return receiver.requests;
}

const events = (requests: readonly Received[]) => requests.map(({ body }) => [body.event, body.block]);

/** Resolves when a webhook's place is stored. */
const storedAt = (id: string, block: number) =>
  until(async () => Number((await records.stateOf(id)).position?.split(":")[1]) === block);

describe("a webhook", () => {
  it("gets the trades of a wallet, signed, with the id and the rows of the stream", async () => {
    const { webhook } = await start([{ id: "mine", type: "trades", trader_address: [TRADER] }]);
    await commit([trade(4, { trader: TRADER }), trade(5)]);
    await commit([trade(6)]);
    await commit([trade(7, { trader: TRADER })]);
    const [first, second] = await receiver.count(2);
    expect(first?.body).toMatchObject({
      event: "block",
      webhook: webhook.id,
      chain: "eth",
      block: next - 3,
      hash: hashOf(next - 3, fork),
      id: expect.stringMatching(new RegExp(`^\\d+:${next - 3}:${hashOf(next - 3, fork)}$`)),
      part: 1,
      parts: 1,
      data: { mine: [{ trader_address: TRADER, price_token_usd_tick_1: 4 }] },
    });
    const top = await service.app.inject(
      `/v1/topk-api/dex-trades?groupby=trader_address&eq=${TRADER}&size=2`,
    );
    const rows = [...(second?.body.data.mine ?? []), ...(first?.body.data.mine ?? [])];
    expect(rows).toEqual(Object.values(top.json())[0]);
    const received = first as Received;
    expect(received.headers["content-type"]).toBe("application/json");
    expect(isSigned(received, webhook.secret, clock.now())).toBe(true);
    expect(isSigned(received, `${webhook.secret}x`, clock.now())).toBe(false);
    expect(isSigned({ ...received, text: `${received.text} ` }, webhook.secret, clock.now())).toBe(false);
    expect(isSigned(received, webhook.secret, clock.now() + HOUR_MS)).toBe(false);
  });

  it("gets crossings of a price, trades above a value, new pools and large transfers", async () => {
    const pool = hexOf(0xb01);
    await start([
      { id: "up", type: "price_crosses", token_address: TOKEN, level: 100, direction: "up" },
      { type: "trades", min_usd: 5_000 },
      { type: "pools", token_address: [OTHER] },
      { type: "transfers", min_usd: 1_000 },
    ]);
    await commit([trade(101, { usd: 10 })]);
    await commit([trade(99)]);
    await commit([trade(98, { usd: 6_000 }), trade(97)]);
    await commit([trade(96)], {
      pool_metadata: [poolRow(pool)],
      erc20: [transferRow(500, 0), transferRow(2_000, 1)],
    });
    const [crossing, whale, rows] = await receiver.count(3);
    expect(crossing?.body.data).toEqual({
      up: [
        {
          direction: "up",
          level: 100,
          price: 101,
          price_type: "price_token_usd_robust_tick_1",
          token_address: TOKEN,
          trade: expect.objectContaining({ block_number: next - 4, price_token_usd_tick_1: 101 }),
        },
      ],
    });
    expect(whale?.body.data).toEqual({ trades: [expect.objectContaining({ amount_usd: 6_000 })] });
    expect(rows?.body.data).toEqual({
      pools: [expect.objectContaining({ pool_address: pool, token_1_address: OTHER })],
      transfers: [expect.objectContaining({ value_usd: 2_000 })],
    });
  });

  it("is told which deliveries a reorg made invalid, before it gets the new blocks", async () => {
    await start([{ type: "trades", token_address: [TOKEN] }]);
    const at = next;
    await commit([trade(4)]);
    await commit([trade(5)]);
    await commit([trade(6, { token: OTHER })]);
    await receiver.count(2);
    await rollback(at);
    await commit([trade(7)]);
    const requests = await receiver.count(4);
    expect(events(requests)).toEqual([
      ["block", at],
      ["block", at + 1],
      ["rollback", at],
      ["block", at + 1],
    ]);
    expect(requests[2]?.body.rolled_back).toEqual([requests[1]?.body.id]);
    await rollback(at);
    await commit([trade(7, { token: OTHER })]);
    await rollback(at);
    await commit([trade(8)]);
    expect(events(await receiver.count(6)).slice(4)).toEqual([
      ["rollback", at],
      ["block", at + 1],
    ]);
  });

  it("continues where it was when the service was down, also across a reorg", async () => {
    const { webhook, deliverer } = await start([{ type: "trades" }]);
    const at = next;
    await commit([trade(4)]);
    await commit([trade(5)]);
    await receiver.count(2);
    await storedAt(webhook.id, at + 1);
    await deliverer.close();
    await rollback(at);
    await commit([trade(6)]);
    await commit([trade(7)]);
    await deliver();
    expect(events(await receiver.count(5)).slice(2)).toEqual([
      ["rollback", at],
      ["block", at + 1],
      ["block", at + 2],
    ]);
    expect(receiver.requests[2]?.body.rolled_back).toEqual([receiver.requests[1]?.body.id]);
  });

  it("divides a block that is larger than a delivery", async () => {
    await start([{ type: "trades" }], { limits: { bodyBytes: 4_096 } });
    await commit(Array.from({ length: 20 }, (_, i) => trade(10 + i)));
    const [{ body }] = (await receiver.count(1)) as [Received];
    const requests = await receiver.count(body.parts);
    expect(body.parts).toBeGreaterThan(3);
    const prices = requests.flatMap((one) => one.body.data.trades?.map((row) => row.price_token_usd_tick_1));
    expect(prices).toEqual(Array.from({ length: 20 }, (_, i) => 10 + i));
    expect(Math.max(...requests.map((one) => Buffer.byteLength(one.text)))).toBeLessThanOrEqual(4_096);
  });

  it("catches up from the store when its receiver was too slow for the queue", async () => {
    await start([{ type: "trades" }], { limits: { queueBytes: 2_000 } });
    receiver.answers.push(silence);
    const at = next;
    await commit([trade(1)]);
    await receiver.count(1);
    for (let i = 0; i < 10; i++) await commit([trade(2 + i)]);
    receiver.answers.push(status(500));
    const requests = await whileClockMoves(1 + 1 + 11);
    expect(requests.slice(2).map(({ body }) => body.block)).toEqual(
      Array.from({ length: 11 }, (_, i) => at + i),
    );
  }, 120_000);
});

describe("a delivery that fails", () => {
  it("is repeated with growing delays, and later ones wait for it", async () => {
    const { webhook } = await start([{ type: "trades" }]);
    receiver.answers.push(status(500), status(404), status(302, { location: "http://127.0.0.1:1/" }));
    const startedMs = clock.monotonic();
    const at = next;
    await commit([trade(4)]);
    await commit([trade(5)]);
    const requests = await whileClockMoves(5);
    expect(events(requests)).toEqual([...Array(4).fill(["block", at]), ["block", at + 1]]);
    expect(new Set(requests.slice(0, 4).map(({ body }) => body.id)).size).toBe(1);
    // At least half of 1, 2 and 4 seconds.
    expect(clock.monotonic() - startedMs).toBeGreaterThanOrEqual(3_500);
    await storedAt(webhook.id, at + 1);
    expect(await records.stateOf(webhook.id)).toMatchObject({
      failingSince: null,
      error: null,
      attempted: null,
    });
    expect(await registry.metrics()).toMatch(/deliveries_total\{result="failed"\} 3\n/);
    expect(await registry.metrics()).toMatch(/deliveries_total\{result="delivered"\} 2\n/);
  });

  it("waits as long as the receiver requests", async () => {
    await start([{ type: "trades" }]);
    receiver.answers.push(status(429, { "retry-after": "90" }), status(503, { "retry-after": "86400" }));
    const startedMs = clock.monotonic();
    await commit([trade(4)]);
    await whileClockMoves(2);
    expect(clock.monotonic() - startedMs).toBeGreaterThanOrEqual(90_000);
    expect(clock.monotonic() - startedMs).toBeLessThan(95_000);
    await receiver.count(2);
    await until(() => clock.pending > 0);
    await clock.advance(HOUR_MS);
    await receiver.count(3);
  });

  it("is repeated after a timeout", async () => {
    const { webhook } = await start([{ type: "trades" }], { timeoutMs: 5_000 });
    receiver.answers.push(silence);
    await commit([trade(4)]);
    await receiver.count(1);
    await clock.advance(5_000);
    await until(async () => (await records.stateOf(webhook.id)).error !== null);
    expect((await records.stateOf(webhook.id)).error).toBe("the receiver did not respond within 5 s");
    await whileClockMoves(2);
  });

  it("pauses its webhook in the end; resumed, the webhook continues where it was", async () => {
    const { webhook, deliverer } = await start([{ type: "trades" }], { limits: { retryMs: 60_000 } });
    receiver.answers.push(...Array.from({ length: 200 }, () => status(500)));
    const at = next;
    await commit([trade(4)]);
    await until(async () => {
      await clock.advance(1_000);
      return deliverer.runners[0]?.isPaused;
    });
    expect(await registry.metrics()).toMatch(/quarry_webhooks\{state="paused"\} 1\n/);
    expect(await records.stateOf(webhook.id)).toMatchObject({
      error: "the receiver responded with status 500",
      pausedAt: expect.any(Number),
    });
    await commit([trade(5)]);
    const sent = receiver.requests.length;
    await clock.advance(HOUR_MS);
    await deliverer.look();
    expect(receiver.requests.length).toBe(sent);
    receiver.answers.length = 0;
    await records.save({ ...webhook, resumedAt: clock.now() + 1 });
    await deliverer.look();
    expect(events(await receiver.count(sent + 2)).slice(sent)).toEqual([
      ["block", at],
      ["block", at + 1],
    ]);
    expect(await registry.metrics()).toMatch(/quarry_webhooks\{state="active"\} 1\n/);
  }, 120_000);
});

describe("the process that delivers", () => {
  it("repeats a delivery that was interrupted, or says that its block is gone", async () => {
    const { webhook, deliverer } = await start([{ type: "trades" }]);
    receiver.answers.push(silence);
    const at = next;
    await commit([trade(4)]);
    await receiver.count(1);
    await deliverer.close();
    expect((await records.stateOf(webhook.id)).attempted).toBe(receiver.requests[0]?.body.id);
    receiver.answers.push(silence);
    const second = await deliver();
    expect(events(await receiver.count(2))).toEqual(Array(2).fill(["block", at]));
    await second.close();
    await rollback(at - 1);
    await commit([trade(5)]);
    await deliver();
    const requests = await receiver.count(4);
    expect(events(requests).slice(2)).toEqual([
      ["rollback", at - 1],
      ["block", at],
    ]);
    expect(requests[2]?.body.rolled_back).toHaveLength(1);
  });

  it("is one of several: another takes over when it ends", async () => {
    const follower = await serveFollower(engine);
    const lease = () => acquireFreeLease(engine, "webhooks of eth");
    try {
      const { deliverer } = await start([{ type: "trades" }], { acquire: lease });
      const other = deliveryOf(engine, follower, { clock, registry: new Registry(), acquire: lease });
      running.push(other);
      for (let look = 0; look < 5; look++) await other.look();
      const at = next;
      await commit([trade(4)]);
      await receiver.count(1);
      await storedAt(deliverer.runners[0]?.webhook.id ?? "", at);
      expect(other.runners).toEqual([]);
      await deliverer.close();
      await until(async () => {
        await other.look();
        return other.runners.length > 0;
      });
      await commit([trade(5)]);
      expect(events(await receiver.count(2))).toEqual([
        ["block", at],
        ["block", at + 1],
      ]);
      await other.close();
    } finally {
      await follower.stop();
    }
  });

  it("stops when a webhook is removed or paused, and begins with new ones", async () => {
    const { webhook, deliverer } = await start([{ type: "trades" }]);
    await records.save({ ...webhook, isPaused: true });
    await deliverer.look();
    expect(deliverer.runners[0]?.isPaused).toBe(true);
    await commit([trade(4)]);
    await records.remove({ ...webhook, version: 2 });
    const later = await addWebhook(engine, `${receiver.url}/later`, [{ type: "trades" }]);
    await deliverer.look();
    await begun(deliverer);
    expect(deliverer.runners.map((runner) => runner.webhook.id)).toEqual([later.id]);
    await commit([trade(5)]);
    await receiver.count(1);
    expect(receiver.requests.map(({ body }) => [body.webhook, body.block])).toEqual([[later.id, next - 1]]);
  });

  it("never connects to a private address, also if a name has another address than before", async () => {
    const port = new URL(receiver.url).port;
    let address = "127.0.0.1";
    const resolve = async () => [{ address, family: 4 }];
    const webhook = await addWebhook(engine, `http://receiver.example:${port}/`, [{ type: "trades" }]);
    const deliverer = await deliver({ allowed: ["127.0.0.1"], resolve });
    await begun(deliverer);
    await commit([trade(4)]);
    await receiver.count(1);
    await storedAt(webhook.id, next - 1);
    await deliverer.close();
    address = "127.0.0.2";
    const later = await deliver({ allowed: ["127.0.0.1"], resolve });
    await begun(later);
    await commit([trade(5)]);
    await until(async () => (await records.stateOf(webhook.id)).error !== null);
    expect((await records.stateOf(webhook.id)).error).toMatch(
      /receiver.example has the address 127.0.0.2, which is not public/,
    );
    expect(receiver.requests).toHaveLength(1);
    await later.close();
  });

  it("reports rules that it does not understand, and delivers the others", async () => {
    const webhook = await addWebhook(engine, receiver.url, [{ type: "trades" }]);
    await records.save({ ...webhook, id: "hook_old", rules: [{ type: "dreams" }], version: 0 });
    const deliverer = await deliver();
    expect(deliverer.runners.map((runner) => runner.webhook.id)).toEqual([webhook.id]);
  });
});

function poolRow(pool: Hex): RowOf<"pool_metadata"> {
  return {
    block_number_created: next,
    pool_address: pool,
    protocol: "uniswap_v2",
    timestamp_created: AT,
    token_0_address: TOKEN,
    token_1_address: OTHER,
    token_addresses: `${TOKEN},${OTHER}`,
    underlying_token_addresses: "",
    fee: 3000,
    hooks_address: null,
    hooks_flags: null,
    factory_address: hexOf(0xfac),
    record_index: recordIndexOf(next, 0),
    family: "constant_product",
    first_seen_block_number: next,
  };
}

function transferRow(valueUsd: number, ordinal: number): RowOf<"erc20"> {
  return {
    record_index: recordIndexOf(next, ordinal),
    transaction_hash: hexOf(next, 32),
    transaction_index: 0,
    block_number: next,
    timestamp: AT + 12 * (next - FIRST),
    from_address: TRADER,
    to_address: hexOf(0x72),
    token_address: TOKEN,
    token_symbol: "T9",
    token_name: "Token 9",
    log_index: ordinal,
    value_base: BigInt(valueUsd) * 10n ** 18n,
    value_token: valueUsd,
    value_usd: valueUsd,
  };
}
