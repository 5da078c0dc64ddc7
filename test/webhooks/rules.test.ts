import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Hex } from "../../src/lib/hex.ts";
import { hashOf, hexOf } from "../../src/reads/support/market.ts";
import { recordIndexOf } from "../../src/schema/record-index.ts";
import type { RowOf } from "../../src/schema/tables.ts";
import { HOUR_MS } from "./support/delivery.ts";
import { isSigned, type Received, silence, status } from "./support/receiver.ts";
import { AT, events, FIRST, OTHER, TOKEN, WebhookMarket } from "./support/webhook-market.ts";

const TRADER = hexOf(0x71);

let the: WebhookMarket;

beforeAll(async () => {
  the = await WebhookMarket.open();
});
afterAll(() => the?.close());
beforeEach(() => the.begin());
afterEach(() => the.end());

describe("a webhook", () => {
  it("gets the trades of a wallet, signed, with the id and the rows of the stream", async () => {
    const { webhook } = await the.start([{ id: "mine", type: "trades", trader_address: [TRADER] }]);
    await the.commit([the.trade(4, { trader: TRADER }), the.trade(5)]);
    await the.commit([the.trade(6)]);
    await the.commit([the.trade(7, { trader: TRADER })]);
    const [first, second] = await the.receiver.count(2);
    expect(first?.body).toMatchObject({
      event: "block",
      webhook: webhook.id,
      chain: "eth",
      block: the.next - 3,
      hash: hashOf(the.next - 3, the.fork),
      id: expect.stringMatching(new RegExp(`^\\d+:${the.next - 3}:${hashOf(the.next - 3, the.fork)}$`)),
      part: 1,
      parts: 1,
      data: { mine: [{ trader_address: TRADER, price_token_usd_tick_1: 4 }] },
    });
    const top = await the.service.app.inject(
      `/v1/topk-api/dex-trades?groupby=trader_address&eq=${TRADER}&size=2`,
    );
    const rows = [...(second?.body.data.mine ?? []), ...(first?.body.data.mine ?? [])];
    expect(rows).toEqual(Object.values(top.json())[0]);
    const received = first as Received;
    expect(received.headers["content-type"]).toBe("application/json");
    expect(isSigned(received, webhook.secret, the.clock.now())).toBe(true);
    expect(isSigned(received, `${webhook.secret}x`, the.clock.now())).toBe(false);
    expect(isSigned({ ...received, text: `${received.text} ` }, webhook.secret, the.clock.now())).toBe(false);
    expect(isSigned(received, webhook.secret, the.clock.now() + HOUR_MS)).toBe(false);
  });

  it("gets crossings of a price, trades above a value, new pools and large transfers", async () => {
    const pool = hexOf(0xb01);
    await the.start([
      { id: "up", type: "price_crosses", token_address: TOKEN, level: 100, direction: "up" },
      { type: "trades", min_usd: 5_000 },
      { type: "pools", token_address: [OTHER] },
      { type: "transfers", min_usd: 1_000 },
    ]);
    await the.commit([the.trade(101, { usd: 10 })]);
    await the.commit([the.trade(99)]);
    await the.commit([the.trade(98, { usd: 6_000 }), the.trade(97)]);
    await the.commit([the.trade(96)], {
      pool_metadata: [poolRow(pool)],
      erc20: [transferRow(500, 0), transferRow(2_000, 1)],
    });
    const [crossing, whale, rows] = await the.receiver.count(3);
    expect(crossing?.body.data).toEqual({
      up: [
        {
          direction: "up",
          level: 100,
          price: 101,
          price_type: "price_token_usd_robust_tick_1",
          token_address: TOKEN,
          trade: expect.objectContaining({ block_number: the.next - 4, price_token_usd_tick_1: 101 }),
        },
      ],
    });
    expect(whale?.body.data).toEqual({ trades: [expect.objectContaining({ amount_usd: 6_000 })] });
    expect(rows?.body.data).toEqual({
      pools: [expect.objectContaining({ pool_address: pool, token_1_address: OTHER })],
      transfers: [expect.objectContaining({ value_usd: 2_000 })],
    });
  });

  it("learns which deliveries a reorg made invalid, before it gets the new blocks", async () => {
    await the.start([{ type: "trades", token_address: [TOKEN] }]);
    const at = the.next;
    await the.commit([the.trade(4)]);
    await the.commit([the.trade(5)]);
    await the.commit([the.trade(6, { token: OTHER })]);
    await the.receiver.count(2);
    await the.rollback(at);
    await the.commit([the.trade(7)]);
    const requests = await the.receiver.count(4);
    expect(events(requests)).toEqual([
      ["block", at],
      ["block", at + 1],
      ["rollback", at],
      ["block", at + 1],
    ]);
    expect(requests[2]?.body.rolled_back).toEqual([requests[1]?.body.id]);
    await the.rollback(at);
    await the.commit([the.trade(7, { token: OTHER })]);
    await the.rollback(at);
    await the.commit([the.trade(8)]);
    expect(events(await the.receiver.count(6)).slice(4)).toEqual([
      ["rollback", at],
      ["block", at + 1],
    ]);
  });

  it("continues where it was when the service was down, also across a reorg", async () => {
    const { webhook, deliverer } = await the.start([{ type: "trades" }]);
    const at = the.next;
    await the.commit([the.trade(4)]);
    await the.commit([the.trade(5)]);
    await the.receiver.count(2);
    await the.storedAt(webhook.id, at + 1);
    await deliverer.close();
    await the.rollback(at);
    await the.commit([the.trade(6)]);
    await the.commit([the.trade(7)]);
    await the.deliver();
    expect(events(await the.receiver.count(5)).slice(2)).toEqual([
      ["rollback", at],
      ["block", at + 1],
      ["block", at + 2],
    ]);
    expect(the.receiver.requests[2]?.body.rolled_back).toEqual([the.receiver.requests[1]?.body.id]);
  });

  it("divides a block that is larger than a delivery", async () => {
    await the.start([{ type: "trades" }], { limits: { bodyBytes: 4_096 } });
    await the.commit(Array.from({ length: 20 }, (_, i) => the.trade(10 + i)));
    const [{ body }] = (await the.receiver.count(1)) as [Received];
    const requests = await the.receiver.count(body.parts);
    expect(body.parts).toBeGreaterThan(3);
    const prices = requests.flatMap((one) => one.body.data.trades?.map((row) => row.price_token_usd_tick_1));
    expect(prices).toEqual(Array.from({ length: 20 }, (_, i) => 10 + i));
    expect(Math.max(...requests.map((one) => Buffer.byteLength(one.text)))).toBeLessThanOrEqual(4_096);
  });

  it("catches up from the store when its receiver was too slow for the queue", async () => {
    await the.start([{ type: "trades" }], { limits: { queueBytes: 2_000 } });
    the.receiver.answers.push(silence);
    const at = the.next;
    await the.commit([the.trade(1)]);
    await the.receiver.count(1);
    for (let i = 0; i < 10; i++) await the.commit([the.trade(2 + i)]);
    the.receiver.answers.push(status(500));
    const requests = await the.whileClockMoves(1 + 1 + 11);
    expect(requests.slice(2).map(({ body }) => body.block)).toEqual(
      Array.from({ length: 11 }, (_, i) => at + i),
    );
  }, 120_000);
});

function poolRow(pool: Hex): RowOf<"pool_metadata"> {
  return {
    block_number_created: the.next,
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
    record_index: recordIndexOf(the.next, 0),
    family: "constant_product",
    first_seen_block_number: the.next,
  };
}

function transferRow(valueUsd: number, ordinal: number): RowOf<"erc20"> {
  return {
    record_index: recordIndexOf(the.next, ordinal),
    transaction_hash: hexOf(the.next, 32),
    transaction_index: 0,
    block_number: the.next,
    timestamp: AT + 12 * (the.next - FIRST),
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
