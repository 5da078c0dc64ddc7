import { subscribe } from "node:diagnostics_channel";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { listedWebhook } from "../../src/cli/hooks/hook-list.ts";
import { acquireFreeLease } from "../../src/storage/commits/writer-lease.ts";
import { WebhookRecords } from "../../src/webhooks/records/webhook-records.ts";
import { serveFollower } from "../streams/support/stream-service.ts";
import { addWebhook, deliveryOf, HOUR_MS } from "./support/delivery.ts";
import { silence, status } from "./support/receiver.ts";
import { events, OTHER, TOKEN, until, WebhookMarket } from "./support/webhook-market.ts";

let market: WebhookMarket;

beforeAll(async () => {
  market = await WebhookMarket.open();
});
afterAll(() => market?.close());
beforeEach(() => market.begin());
afterEach(() => market.end());

/** Returns the state that `quarry hooks list` shows. */
async function listedState(id: string): Promise<string> {
  const webhook = (await market.records.all()).find((one) => one.id === id);
  if (webhook === undefined) return "none";
  return listedWebhook(webhook, await market.records.stateOf(id)).state;
}

describe("a delivery that fails", () => {
  it("is repeated with growing delays, and later ones wait for it", async () => {
    const { webhook } = await market.start([{ type: "trades" }]);
    market.receiver.answers.push(status(500), status(404), status(302, { location: "http://127.0.0.1:1/" }));
    const startedMs = market.clock.monotonic();
    const at = market.next;
    await market.commit([market.trade(4)]);
    await market.commit([market.trade(5)]);
    const requests = await market.whileClockMoves(5);
    expect(events(requests)).toEqual([...Array(4).fill(["block", at]), ["block", at + 1]]);
    expect(new Set(requests.slice(0, 4).map(({ body }) => body.id)).size).toBe(1);
    // The waits are at least half of 1, 2 and 4 seconds.
    expect(market.clock.monotonic() - startedMs).toBeGreaterThanOrEqual(3_500);
    await market.storedAt(webhook.id, at + 1);
    expect(await market.records.stateOf(webhook.id)).toMatchObject({
      failingSince: null,
      error: null,
      attempted: null,
    });
    expect(await market.registry.metrics()).toMatch(/deliveries_total\{result="failed"\} 3\n/);
    expect(await market.registry.metrics()).toMatch(/deliveries_total\{result="delivered"\} 2\n/);
  });

  it("waits as long as the receiver requests", async () => {
    await market.start([{ type: "trades" }]);
    market.receiver.answers.push(
      status(429, { "retry-after": "90" }),
      status(503, { "retry-after": "86400" }),
    );
    const startedMs = market.clock.monotonic();
    await market.commit([market.trade(4)]);
    await market.whileClockMoves(2);
    expect(market.clock.monotonic() - startedMs).toBeGreaterThanOrEqual(90_000);
    expect(market.clock.monotonic() - startedMs).toBeLessThan(95_000);
    await market.receiver.count(2);
    await until(() => market.clock.pending > 0);
    await market.clock.advance(HOUR_MS);
    await market.receiver.count(3);
  });

  it("is repeated after a timeout", async () => {
    const { webhook } = await market.start([{ type: "trades" }], { timeoutMs: 5_000 });
    market.receiver.answers.push(silence);
    await market.commit([market.trade(4)]);
    await market.receiver.count(1);
    await market.clock.advance(5_000);
    await until(async () => (await market.records.stateOf(webhook.id)).error !== null);
    expect((await market.records.stateOf(webhook.id)).error).toBe("the receiver did not respond within 5 s");
    await market.whileClockMoves(2);
  });

  it("is accepted if its status says so, even if the body does not end", async () => {
    const { webhook } = await market.start([{ type: "trades" }], { timeoutMs: 5_000 });
    market.receiver.answers.push((response) => void response.writeHead(200).write("and so on"));
    const hasStatus = new Promise<void>((resolve) => subscribe("undici:request:headers", () => resolve()));
    await market.commit([market.trade(4)]);
    await hasStatus;
    await market.clock.advance(5_000);
    await market.storedAt(webhook.id, market.next - 1);
    expect(await market.registry.metrics()).toMatch(/deliveries_total\{result="failed"\} 0\n/);
  });

  it("is explained if no address of the receiver can be reached", async () => {
    const url = new URL(market.receiver.url);
    const resolve = async () =>
      ["127.0.0.1", "::1"].map((address, i) => ({ address, family: i === 0 ? 4 : 6 }));
    const webhook = await addWebhook(market.engine, `http://two.example:${url.port}/`, [{ type: "trades" }]);
    const deliverer = await market.deliver({ allowed: ["two.example"], resolve });
    await market.begun(deliverer);
    await market.receiver.close();
    await market.commit([market.trade(4)]);
    await until(async () => (await market.records.stateOf(webhook.id)).error !== null);
    expect((await market.records.stateOf(webhook.id)).error).toMatch(/connect E\w+ .*; connect E/);
  });

  it("does not pause its webhook for the time before this process, or at a clock that is behind", async () => {
    const { webhook, deliverer } = await market.start([{ type: "trades" }], { limits: { retryMs: 60_000 } });
    await deliverer.close();
    const state = await market.records.stateOf(webhook.id);
    const failingSince = market.clock.now() - HOUR_MS;
    const resumedAt = market.clock.now() + HOUR_MS;
    await market.records.saveStates(
      new Map([[webhook.id, { ...state, failingSince, error: "no", version: state.version + 1 }]]),
    );
    await market.records.save({ ...webhook, resumedAt });
    const second = await market.deliver({ limits: { retryMs: 60_000 } });
    market.receiver.answers.push(...Array.from({ length: 50 }, () => status(500)));
    await market.commit([market.trade(4)]);
    await market.whileClockMoves(4);
    expect(second.runners[0]?.isPaused).toBe(false);
    await until(async () => {
      await market.clock.advance(1_000);
      return second.runners[0]?.isPaused;
    });
    expect(await market.records.stateOf(webhook.id)).toMatchObject({ failingSince, pausedAt: resumedAt });
  });

  it("eventually pauses its webhook; once resumed, the webhook continues where it was", async () => {
    const { webhook, deliverer } = await market.start([{ type: "trades" }], { limits: { retryMs: 60_000 } });
    market.receiver.answers.push(...Array.from({ length: 200 }, () => status(500)));
    const at = market.next;
    await market.commit([market.trade(4)]);
    await until(async () => {
      await market.clock.advance(1_000);
      return deliverer.runners[0]?.isPaused;
    });
    expect(await market.registry.metrics()).toMatch(/quarry_webhooks\{state="paused"\} 1\n/);
    expect(await market.records.stateOf(webhook.id)).toMatchObject({
      error: "the receiver responded with status 500",
      pausedAt: expect.any(Number),
    });
    await market.commit([market.trade(5)]);
    const sent = market.receiver.requests.length;
    await market.clock.advance(HOUR_MS);
    await deliverer.look();
    expect(market.receiver.requests.length).toBe(sent);
    market.receiver.answers.length = 0;
    await market.records.save({ ...webhook, resumedAt: market.clock.now() + 1 });
    await deliverer.look();
    expect(events(await market.receiver.count(sent + 2)).slice(sent)).toEqual([
      ["block", at],
      ["block", at + 1],
    ]);
    expect(await market.registry.metrics()).toMatch(/quarry_webhooks\{state="active"\} 1\n/);
  }, 120_000);
});

describe("the process that delivers", () => {
  it("repeats a delivery that was interrupted, or says that its block is gone", async () => {
    const { webhook, deliverer } = await market.start([{ type: "trades" }]);
    market.receiver.answers.push(silence);
    const at = market.next;
    await market.commit([market.trade(4)]);
    await market.receiver.count(1);
    await deliverer.close();
    expect((await market.records.stateOf(webhook.id)).attempted).toBe(market.receiver.requests[0]?.body.id);
    market.receiver.answers.push(silence);
    const second = await market.deliver();
    expect(events(await market.receiver.count(2))).toEqual(Array(2).fill(["block", at]));
    await second.close();
    await market.rollback(at - 1);
    await market.commit([market.trade(5)]);
    await market.deliver();
    const requests = await market.receiver.count(4);
    expect(events(requests).slice(2)).toEqual([
      ["rollback", at - 1],
      ["block", at],
    ]);
    expect(requests[2]?.body.rolled_back).toHaveLength(1);
  });

  it("says that an interrupted delivery is gone before it delivers an earlier block", async () => {
    const token_address = [TOKEN];
    const { webhook, deliverer } = await market.start([{ type: "trades", token_address }]);
    const at = market.next;
    market.receiver.answers.push(silence, silence);
    for (const token of [OTHER, OTHER, TOKEN]) await market.commit([market.trade(4, { token })]);
    const [old] = await market.receiver.count(1);
    await deliverer.close();
    await market.rollback(at - 1);
    await market.commit([market.trade(5)]);
    const second = await market.deliver();
    await market.receiver.count(2);
    await second.close();
    await market.deliver();
    for (const token of [OTHER, OTHER]) await market.commit([market.trade(6, { token })]);
    await market.commit([market.trade(7)]);
    await market.storedAt(webhook.id, at + 3);
    const { requests } = market.receiver;
    expect(events(requests)).toEqual([
      ["block", at + 2],
      ["rollback", at - 1],
      ["rollback", at - 1],
      ["block", at],
      ["block", at + 3],
    ]);
    for (const { body } of requests.slice(1, 3)) expect(body.rolled_back).toEqual([old?.body.id]);
  });

  it("is one of several: another takes over when it ends", async () => {
    const follower = await serveFollower(market.engine);
    const lease = () => acquireFreeLease(market.engine, "webhooks of eth");
    try {
      const { deliverer } = await market.start([{ type: "trades" }], { acquire: lease });
      const other = deliveryOf(market.engine, follower, {
        clock: market.clock,
        registry: new Registry(),
        acquire: lease,
      });
      market.running.push(other);
      for (let look = 0; look < 5; look++) await other.look();
      const at = market.next;
      await market.commit([market.trade(4)]);
      await market.receiver.count(1);
      await market.storedAt(deliverer.runners[0]?.webhook.id ?? "", at);
      expect(other.runners).toEqual([]);
      await deliverer.close();
      await until(async () => {
        await other.look();
        return other.runners.length > 0;
      });
      await market.commit([market.trade(5)]);
      expect(events(await market.receiver.count(2))).toEqual([
        ["block", at],
        ["block", at + 1],
      ]);
      await other.close();
    } finally {
      await follower.stop();
    }
  });

  it("stops when a webhook is removed or paused, and begins with new ones", async () => {
    const { webhook, deliverer } = await market.start([{ type: "trades" }]);
    await market.records.save({ ...webhook, isPaused: true });
    await deliverer.look();
    expect(deliverer.runners[0]?.isPaused).toBe(true);
    const metrics = await market.registry.metrics();
    expect(metrics).toMatch(/quarry_webhooks\{state="paused"\} 0\n/);
    expect(metrics).toMatch(/quarry_webhooks\{state="paused-by-operator"\} 1\n/);
    await market.commit([market.trade(4)]);
    await market.records.remove({ ...webhook, version: 2 });
    const later = await addWebhook(market.engine, `${market.receiver.url}/later`, [{ type: "trades" }]);
    await deliverer.look();
    await market.begun(deliverer);
    expect(deliverer.runners.map((runner) => runner.webhook.id)).toEqual([later.id]);
    await market.commit([market.trade(5)]);
    await market.receiver.count(1);
    expect(market.receiver.requests.map(({ body }) => [body.webhook, body.block])).toEqual([
      [later.id, market.next - 1],
    ]);
  });

  it("never connects to a private address, even if a name has a new address", async () => {
    const port = new URL(market.receiver.url).port;
    let address = "127.0.0.1";
    const resolve = async () => [{ address, family: 4 }];
    const webhook = await addWebhook(market.engine, `http://the.receiver.example:${port}/`, [
      { type: "trades" },
    ]);
    const deliverer = await market.deliver({ allowed: ["127.0.0.1"], resolve });
    await market.begun(deliverer);
    await market.commit([market.trade(4)]);
    await market.receiver.count(1);
    await market.storedAt(webhook.id, market.next - 1);
    await deliverer.close();
    address = "127.0.0.2";
    const later = await market.deliver({ allowed: ["127.0.0.1"], resolve });
    await market.begun(later);
    await market.commit([market.trade(5)]);
    await until(async () => (await market.records.stateOf(webhook.id)).error !== null);
    expect((await market.records.stateOf(webhook.id)).error).toMatch(
      /the.receiver.example has the address 127.0.0.2, which is not public/,
    );
    expect(market.receiver.requests).toHaveLength(1);
    await later.close();
  });

  it("says which webhooks are too many, and delivers them when others are removed", async () => {
    const first = await addWebhook(market.engine, market.receiver.url, [{ type: "trades" }]);
    const second = await addWebhook(market.engine, market.receiver.url, [{ type: "trades" }]);
    await market.records.save({ ...second, createdAt: first.createdAt + 1 });
    const deliverer = await market.deliver({ maxWebhooks: 1 });
    expect(deliverer.runners.map((runner) => runner.webhook.id)).toEqual([first.id]);
    expect((await market.records.stateOf(second.id)).error).toMatch(/not among the 1 oldest.*--hooks/);
    expect(await listedState(second.id)).toBe("refused");
    expect(await market.registry.metrics()).toMatch(/quarry_webhooks\{state="refused"\} 1\n/);
    await market.records.remove(first);
    await deliverer.look();
    await market.begun(deliverer);
    expect((await market.records.stateOf(second.id)).error).toBeNull();
    expect(await market.registry.metrics()).toMatch(/quarry_webhooks\{state="refused"\} 0\n/);
  });

  it("refuses a webhook that failed before, and no longer calls it failing", async () => {
    const { webhook, deliverer } = await market.start([{ type: "trades" }]);
    market.receiver.answers.push(...Array.from({ length: 9 }, () => status(500)));
    await market.commit([market.trade(4)]);
    await until(async () => (await listedState(webhook.id)) === "failing");
    await market.records.save({ ...webhook, rules: [{ type: "dreams" }] });
    await deliverer.look();
    expect(await listedState(webhook.id)).toBe("refused");
    expect(await market.registry.metrics()).toMatch(/quarry_webhooks\{state="refused"\} 1\n/);
  });

  it("stops when its right is lost, even while the webhooks cannot be read", async () => {
    let isHeld = true;
    const lease = {
      get isHeld() {
        return isHeld;
      },
      requireHeld() {
        if (!isHeld) throw new Error("lost");
      },
      release: async () => {},
    };
    const { deliverer } = await market.start([{ type: "trades" }], { acquire: async () => lease });
    isHeld = false;
    const reading = vi
      .spyOn(WebhookRecords.prototype, "all")
      .mockRejectedValue(new Error("the store is down"));
    await deliverer.look();
    reading.mockRestore();
    expect(deliverer.runners).toEqual([]);
  });

  it("sends nothing while it cannot store, and retries less and less often", async () => {
    const { webhook } = await market.start([{ type: "trades" }]);
    await market.commit([market.trade(4)]);
    await market.receiver.count(1);
    await market.storedAt(webhook.id, market.next - 1);
    const timesMs: number[] = [];
    const saving = vi.spyOn(WebhookRecords.prototype, "saveStates").mockImplementation(async () => {
      timesMs.push(market.clock.monotonic());
      throw new Error("the disk is full");
    });
    await market.rollback(market.next - 2);
    await until(async () => {
      await market.clock.advance(200);
      return timesMs.length >= 5;
    });
    // The waits are at least half of 1, 2, 4 and 8 seconds.
    timesMs.slice(1).forEach((timeMs, i) => {
      expect(timeMs - (timesMs[i] ?? 0)).toBeGreaterThanOrEqual(500 * 2 ** i);
    });
    expect(market.receiver.requests).toHaveLength(1);
    saving.mockRestore();
    expect(events(await market.whileClockMoves(2)).at(-1)).toEqual(["rollback", market.next - 1]);
  });

  it("reports rules that it does not understand, and delivers the others", async () => {
    const webhook = await addWebhook(market.engine, market.receiver.url, [{ type: "trades" }]);
    await market.records.save({ ...webhook, id: "hook_old", rules: [{ type: "dreams" }], version: 0 });
    const deliverer = await market.deliver();
    expect(deliverer.runners.map((runner) => runner.webhook.id)).toEqual([webhook.id]);
    expect((await market.records.stateOf("hook_old")).error).toMatch(/got the type "dreams"/);
    expect(await listedState("hook_old")).toBe("refused");
    expect(await listedState(webhook.id)).toBe("active");
    const metrics = await market.registry.metrics();
    expect(metrics).toMatch(/quarry_webhooks\{state="active"\} 1\n/);
    expect(metrics).toMatch(/quarry_webhooks\{state="refused"\} 1\n/);
  });
});
