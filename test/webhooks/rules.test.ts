import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Hex } from "../../src/lib/hex.ts";
import { hashOf, hexOf } from "../../src/reads/support/market.ts";
import { recordIndexOf } from "../../src/schema/record-index.ts";
import type { RowOf } from "../../src/schema/tables.ts";
import { HOUR_MS } from "./support/delivery.ts";
import { isSigned, type Received, silence, status } from "./support/receiver.ts";
import { AT, events, FIRST, OTHER, TOKEN, WebhookMarket } from "./support/webhook-market.ts";

const TRADER = hexOf(0x71);

let market: WebhookMarket;

beforeAll(async () => {
  market = await WebhookMarket.open();
});
afterAll(() => market?.close());
beforeEach(() => market.begin());
afterEach(() => market.end());

describe("a webhook", () => {
  it("gets the trades of a wallet, signed, with the id and the rows of the stream", async () => {
    const { webhook } = await market.start([{ id: "mine", type: "trades", trader_address: [TRADER] }]);
    await market.commit([market.trade(4, { trader: TRADER }), market.trade(5)]);
    await market.commit([market.trade(6)]);
    await market.commit([market.trade(7, { trader: TRADER })]);
    const [first, second] = await market.receiver.count(2);
    expect(first?.body).toMatchObject({
      event: "block",
      webhook: webhook.id,
      chain: "eth",
      block: market.next - 3,
      hash: hashOf(market.next - 3, market.fork),
      id: expect.stringMatching(
        new RegExp(`^\\d+:${market.next - 3}:${hashOf(market.next - 3, market.fork)}$`),
      ),
      part: 1,
      parts: 1,
      data: { mine: [{ trader_address: TRADER, price_token_usd_tick_1: 4 }] },
    });
    const top = await market.service.app.inject(
      `/v1/topk-api/dex-trades?groupby=trader_address&eq=${TRADER}&size=2`,
    );
    const rows = [...(second?.body.data.mine ?? []), ...(first?.body.data.mine ?? [])];
    expect(rows).toEqual(Object.values(top.json())[0]);
    const received = first as Received;
    expect(received.headers["content-type"]).toBe("application/json");
    expect(isSigned(received, webhook.secret, market.clock.now())).toBe(true);
    expect(isSigned(received, `${webhook.secret}x`, market.clock.now())).toBe(false);
    expect(isSigned({ ...received, text: `${received.text} ` }, webhook.secret, market.clock.now())).toBe(
      false,
    );
    expect(isSigned(received, webhook.secret, market.clock.now() + HOUR_MS)).toBe(false);
  });

  it("gets crossings of a price, trades above a value, new pools and large transfers", async () => {
    const pool = hexOf(0xb01);
    await market.start([
      { id: "up", type: "price_crosses", token_address: TOKEN, level: 100, direction: "up" },
      { type: "trades", min_usd: 5_000 },
      { type: "pools", token_address: [OTHER] },
      { type: "transfers", min_usd: 1_000 },
    ]);
    await market.commit([market.trade(101, { usd: 10 })]);
    await market.commit([market.trade(99)]);
    await market.commit([market.trade(98, { usd: 6_000 }), market.trade(97)]);
    await market.commit([market.trade(96)], {
      pool_metadata: [poolRow(pool)],
      erc20: [transferRow(500, 0), transferRow(2_000, 1)],
    });
    const [crossing, whale, rows] = await market.receiver.count(3);
    expect(crossing?.body.data).toEqual({
      up: [
        {
          direction: "up",
          level: 100,
          price: 101,
          price_type: "price_token_usd_robust_tick_1",
          token_address: TOKEN,
          trade: expect.objectContaining({ block_number: market.next - 4, price_token_usd_tick_1: 101 }),
        },
      ],
    });
    expect(whale?.body.data).toEqual({ trades: [expect.objectContaining({ amount_usd: 6_000 })] });
    expect(rows?.body.data).toEqual({
      pools: [expect.objectContaining({ pool_address: pool, token_1_address: OTHER })],
      transfers: [expect.objectContaining({ value_usd: 2_000 })],
    });
  });

  it("crosses at the first trade after a reorg of the block with which it began", async () => {
    await market.commit([market.trade(90)]);
    await market.commit([market.trade(95)]);
    await market.start([{ id: "up", type: "price_crosses", token_address: TOKEN, level: 100 }]);
    await market.rollback(market.next - 2);
    await market.commit([market.trade(101)]);
    const [crossing] = await market.receiver.count(1);
    expect(crossing?.body.data).toEqual({ up: [expect.objectContaining({ direction: "up", price: 101 })] });
  });

  it("crosses in the first of several blocks after such a reorg while the service was down", async () => {
    const both = (price: number, robust = price) =>
      market.commit([market.trade(price), market.trade(price, { token: OTHER, robust })]);
    await both(90, 200);
    await both(95);
    const at = market.next - 1;
    const watch = { type: "price_crosses", level: 100 };
    const { deliverer } = await market.start([
      { ...watch, id: "robust", token_address: TOKEN },
      { ...watch, id: "tick", token_address: OTHER, price_type: "price_token_usd_tick_1" },
      { ...watch, id: "unpriced", token_address: hexOf(0xdead) },
    ]);
    await deliverer.close();
    await market.rollback(at - 1);
    await both(101);
    await both(102);
    await market.deliver();
    const [first] = await market.receiver.count(1);
    const crossing = [expect.objectContaining({ direction: "up", price: 101 })];
    expect(first?.body).toMatchObject({ block: at, data: { robust: crossing, tick: crossing } });
  });

  it("learns which deliveries a reorg made invalid, before it gets the new blocks", async () => {
    await market.start([{ type: "trades", token_address: [TOKEN] }]);
    const at = market.next;
    await market.commit([market.trade(4)]);
    await market.commit([market.trade(5)]);
    await market.commit([market.trade(6, { token: OTHER })]);
    await market.receiver.count(2);
    await market.rollback(at);
    await market.commit([market.trade(7)]);
    const requests = await market.receiver.count(4);
    expect(events(requests)).toEqual([
      ["block", at],
      ["block", at + 1],
      ["rollback", at],
      ["block", at + 1],
    ]);
    expect(requests[2]?.body.rolled_back).toEqual([requests[1]?.body.id]);
    await market.rollback(at);
    await market.commit([market.trade(7, { token: OTHER })]);
    await market.rollback(at);
    await market.commit([market.trade(8)]);
    expect(events(await market.receiver.count(6)).slice(4)).toEqual([
      ["rollback", at],
      ["block", at + 1],
    ]);
  });

  it("continues where it was when the service was down, even across a reorg", async () => {
    const { webhook, deliverer } = await market.start([{ type: "trades" }]);
    const at = market.next;
    await market.commit([market.trade(4)]);
    await market.commit([market.trade(5)]);
    await market.receiver.count(2);
    await market.storedAt(webhook.id, at + 1);
    await deliverer.close();
    await market.rollback(at);
    await market.commit([market.trade(6)]);
    await market.commit([market.trade(7)]);
    await market.deliver();
    expect(events(await market.receiver.count(5)).slice(2)).toEqual([
      ["rollback", at],
      ["block", at + 1],
      ["block", at + 2],
    ]);
    expect(market.receiver.requests[2]?.body.rolled_back).toEqual([market.receiver.requests[1]?.body.id]);
  });

  it("misses nothing when balances from before the first block are found, live or while it was down", async () => {
    const { webhook, deliverer } = await market.start([{ type: "trades" }]);
    const at = market.next;
    await market.store.amend(async () => async () => {});
    await market.commit([market.trade(4)]);
    await market.receiver.count(1);
    await market.storedAt(webhook.id, at);
    await deliverer.close();
    await market.commit([market.trade(5)]);
    await market.store.amend(async () => async () => {});
    await market.commit([market.trade(6)]);
    await market.deliver();
    expect(events(await market.receiver.count(3))).toEqual([
      ["block", at],
      ["block", at + 1],
      ["block", at + 2],
    ]);
  });

  it("divides a block that is larger than a delivery", async () => {
    await market.start([{ type: "trades" }], { limits: { bodyBytes: 4_096 } });
    await market.commit(Array.from({ length: 20 }, (_, i) => market.trade(10 + i)));
    const [{ body }] = (await market.receiver.count(1)) as [Received];
    const requests = await market.receiver.count(body.parts);
    expect(body.parts).toBeGreaterThan(3);
    const prices = requests.flatMap((one) => one.body.data.trades?.map((row) => row.price_token_usd_tick_1));
    expect(prices).toEqual(Array.from({ length: 20 }, (_, i) => 10 + i));
    expect(Math.max(...requests.map((one) => Buffer.byteLength(one.text)))).toBeLessThanOrEqual(4_096);
  });

  it("catches up from the store when its receiver was too slow for the queue", async () => {
    await market.start([{ type: "trades" }], { limits: { queueBytes: 2_000 } });
    market.receiver.answers.push(silence);
    const at = market.next;
    await market.commit([market.trade(1)]);
    await market.receiver.count(1);
    for (let i = 0; i < 10; i++) await market.commit([market.trade(2 + i)]);
    market.receiver.answers.push(status(500));
    const requests = await market.whileClockMoves(1 + 1 + 11);
    expect(requests.slice(2).map(({ body }) => body.block)).toEqual(
      Array.from({ length: 11 }, (_, i) => at + i),
    );
  }, 120_000);
});

function poolRow(pool: Hex): RowOf<"pool_metadata"> {
  return {
    block_number_created: market.next,
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
    record_index: recordIndexOf("wide", market.next, 0),
    family: "constant_product",
    first_seen_block_number: market.next,
  };
}

function transferRow(valueUsd: number, ordinal: number): RowOf<"erc20"> {
  return {
    record_index: recordIndexOf("wide", market.next, ordinal),
    transaction_hash: hexOf(market.next, 32),
    transaction_index: 0,
    block_number: market.next,
    timestamp: AT + 12 * (market.next - FIRST),
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
