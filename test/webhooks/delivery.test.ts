import { subscribe } from "node:diagnostics_channel";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { acquireFreeLease } from "../../src/storage/commits/writer-lease.ts";
import { WebhookRecords } from "../../src/webhooks/records/webhook-records.ts";
import { serveFollower } from "../streams/support/stream-service.ts";
import { addWebhook, deliveryOf, HOUR_MS } from "./support/delivery.ts";
import { silence, status } from "./support/receiver.ts";
import { events, until, WebhookMarket } from "./support/webhook-market.ts";

let the: WebhookMarket;

beforeAll(async () => {
  the = await WebhookMarket.open();
});
afterAll(() => the?.close());
beforeEach(() => the.begin());
afterEach(() => the.end());

describe("a delivery that fails", () => {
  it("is repeated with growing delays, and later ones wait for it", async () => {
    const { webhook } = await the.start([{ type: "trades" }]);
    the.receiver.answers.push(status(500), status(404), status(302, { location: "http://127.0.0.1:1/" }));
    const startedMs = the.clock.monotonic();
    const at = the.next;
    await the.commit([the.trade(4)]);
    await the.commit([the.trade(5)]);
    const requests = await the.whileClockMoves(5);
    expect(events(requests)).toEqual([...Array(4).fill(["block", at]), ["block", at + 1]]);
    expect(new Set(requests.slice(0, 4).map(({ body }) => body.id)).size).toBe(1);
    // At least half of 1, 2 and 4 seconds.
    expect(the.clock.monotonic() - startedMs).toBeGreaterThanOrEqual(3_500);
    await the.storedAt(webhook.id, at + 1);
    expect(await the.records.stateOf(webhook.id)).toMatchObject({
      failingSince: null,
      error: null,
      attempted: null,
    });
    expect(await the.registry.metrics()).toMatch(/deliveries_total\{result="failed"\} 3\n/);
    expect(await the.registry.metrics()).toMatch(/deliveries_total\{result="delivered"\} 2\n/);
  });

  it("waits as long as the receiver requests", async () => {
    await the.start([{ type: "trades" }]);
    the.receiver.answers.push(status(429, { "retry-after": "90" }), status(503, { "retry-after": "86400" }));
    const startedMs = the.clock.monotonic();
    await the.commit([the.trade(4)]);
    await the.whileClockMoves(2);
    expect(the.clock.monotonic() - startedMs).toBeGreaterThanOrEqual(90_000);
    expect(the.clock.monotonic() - startedMs).toBeLessThan(95_000);
    await the.receiver.count(2);
    await until(() => the.clock.pending > 0);
    await the.clock.advance(HOUR_MS);
    await the.receiver.count(3);
  });

  it("is repeated after a timeout", async () => {
    const { webhook } = await the.start([{ type: "trades" }], { timeoutMs: 5_000 });
    the.receiver.answers.push(silence);
    await the.commit([the.trade(4)]);
    await the.receiver.count(1);
    await the.clock.advance(5_000);
    await until(async () => (await the.records.stateOf(webhook.id)).error !== null);
    expect((await the.records.stateOf(webhook.id)).error).toBe("the receiver did not respond within 5 s");
    await the.whileClockMoves(2);
  });

  it("is accepted if its status says so, also if the body does not end", async () => {
    const { webhook } = await the.start([{ type: "trades" }], { timeoutMs: 5_000 });
    the.receiver.answers.push((response) => void response.writeHead(200).write("and so on"));
    const hasStatus = new Promise<void>((resolve) => subscribe("undici:request:headers", () => resolve()));
    await the.commit([the.trade(4)]);
    await hasStatus;
    await the.clock.advance(5_000);
    await the.storedAt(webhook.id, the.next - 1);
    expect(await the.registry.metrics()).toMatch(/deliveries_total\{result="failed"\} 0\n/);
  });

  it("is explained if no address of the receiver can be reached", async () => {
    const url = new URL(the.receiver.url);
    const resolve = async () =>
      ["127.0.0.1", "::1"].map((address, i) => ({ address, family: i === 0 ? 4 : 6 }));
    const webhook = await addWebhook(the.engine, `http://two.example:${url.port}/`, [{ type: "trades" }]);
    const deliverer = await the.deliver({ allowed: ["two.example"], resolve });
    await the.begun(deliverer);
    await the.receiver.close();
    await the.commit([the.trade(4)]);
    await until(async () => (await the.records.stateOf(webhook.id)).error !== null);
    expect((await the.records.stateOf(webhook.id)).error).toMatch(/connect E\w+ .*; connect E/);
  });

  it("does not pause its webhook for the time before this process, or at a clock that is behind", async () => {
    const { webhook, deliverer } = await the.start([{ type: "trades" }], { limits: { retryMs: 60_000 } });
    await deliverer.close();
    const state = await the.records.stateOf(webhook.id);
    const failingSince = the.clock.now() - HOUR_MS;
    const resumedAt = the.clock.now() + HOUR_MS;
    await the.records.saveStates(
      new Map([[webhook.id, { ...state, failingSince, error: "no", version: state.version + 1 }]]),
    );
    await the.records.save({ ...webhook, resumedAt });
    const second = await the.deliver({ limits: { retryMs: 60_000 } });
    the.receiver.answers.push(...Array.from({ length: 50 }, () => status(500)));
    await the.commit([the.trade(4)]);
    await the.whileClockMoves(4);
    expect(second.runners[0]?.isPaused).toBe(false);
    await until(async () => {
      await the.clock.advance(1_000);
      return second.runners[0]?.isPaused;
    });
    expect(await the.records.stateOf(webhook.id)).toMatchObject({ failingSince, pausedAt: resumedAt });
  });

  it("pauses its webhook in the end; resumed, the webhook continues where it was", async () => {
    const { webhook, deliverer } = await the.start([{ type: "trades" }], { limits: { retryMs: 60_000 } });
    the.receiver.answers.push(...Array.from({ length: 200 }, () => status(500)));
    const at = the.next;
    await the.commit([the.trade(4)]);
    await until(async () => {
      await the.clock.advance(1_000);
      return deliverer.runners[0]?.isPaused;
    });
    expect(await the.registry.metrics()).toMatch(/quarry_webhooks\{state="paused"\} 1\n/);
    expect(await the.records.stateOf(webhook.id)).toMatchObject({
      error: "the receiver responded with status 500",
      pausedAt: expect.any(Number),
    });
    await the.commit([the.trade(5)]);
    const sent = the.receiver.requests.length;
    await the.clock.advance(HOUR_MS);
    await deliverer.look();
    expect(the.receiver.requests.length).toBe(sent);
    the.receiver.answers.length = 0;
    await the.records.save({ ...webhook, resumedAt: the.clock.now() + 1 });
    await deliverer.look();
    expect(events(await the.receiver.count(sent + 2)).slice(sent)).toEqual([
      ["block", at],
      ["block", at + 1],
    ]);
    expect(await the.registry.metrics()).toMatch(/quarry_webhooks\{state="active"\} 1\n/);
  }, 120_000);
});

describe("the process that delivers", () => {
  it("repeats a delivery that was interrupted, or says that its block is gone", async () => {
    const { webhook, deliverer } = await the.start([{ type: "trades" }]);
    the.receiver.answers.push(silence);
    const at = the.next;
    await the.commit([the.trade(4)]);
    await the.receiver.count(1);
    await deliverer.close();
    expect((await the.records.stateOf(webhook.id)).attempted).toBe(the.receiver.requests[0]?.body.id);
    the.receiver.answers.push(silence);
    const second = await the.deliver();
    expect(events(await the.receiver.count(2))).toEqual(Array(2).fill(["block", at]));
    await second.close();
    await the.rollback(at - 1);
    await the.commit([the.trade(5)]);
    await the.deliver();
    const requests = await the.receiver.count(4);
    expect(events(requests).slice(2)).toEqual([
      ["rollback", at - 1],
      ["block", at],
    ]);
    expect(requests[2]?.body.rolled_back).toHaveLength(1);
  });

  it("is one of several: another takes over when it ends", async () => {
    const follower = await serveFollower(the.engine);
    const lease = () => acquireFreeLease(the.engine, "webhooks of eth");
    try {
      const { deliverer } = await the.start([{ type: "trades" }], { acquire: lease });
      const other = deliveryOf(the.engine, follower, {
        clock: the.clock,
        registry: new Registry(),
        acquire: lease,
      });
      the.running.push(other);
      for (let look = 0; look < 5; look++) await other.look();
      const at = the.next;
      await the.commit([the.trade(4)]);
      await the.receiver.count(1);
      await the.storedAt(deliverer.runners[0]?.webhook.id ?? "", at);
      expect(other.runners).toEqual([]);
      await deliverer.close();
      await until(async () => {
        await other.look();
        return other.runners.length > 0;
      });
      await the.commit([the.trade(5)]);
      expect(events(await the.receiver.count(2))).toEqual([
        ["block", at],
        ["block", at + 1],
      ]);
      await other.close();
    } finally {
      await follower.stop();
    }
  });

  it("stops when a webhook is removed or paused, and begins with new ones", async () => {
    const { webhook, deliverer } = await the.start([{ type: "trades" }]);
    await the.records.save({ ...webhook, isPaused: true });
    await deliverer.look();
    expect(deliverer.runners[0]?.isPaused).toBe(true);
    await the.commit([the.trade(4)]);
    await the.records.remove({ ...webhook, version: 2 });
    const later = await addWebhook(the.engine, `${the.receiver.url}/later`, [{ type: "trades" }]);
    await deliverer.look();
    await the.begun(deliverer);
    expect(deliverer.runners.map((runner) => runner.webhook.id)).toEqual([later.id]);
    await the.commit([the.trade(5)]);
    await the.receiver.count(1);
    expect(the.receiver.requests.map(({ body }) => [body.webhook, body.block])).toEqual([
      [later.id, the.next - 1],
    ]);
  });

  it("never connects to a private address, also if a name has another address than before", async () => {
    const port = new URL(the.receiver.url).port;
    let address = "127.0.0.1";
    const resolve = async () => [{ address, family: 4 }];
    const webhook = await addWebhook(the.engine, `http://the.receiver.example:${port}/`, [
      { type: "trades" },
    ]);
    const deliverer = await the.deliver({ allowed: ["127.0.0.1"], resolve });
    await the.begun(deliverer);
    await the.commit([the.trade(4)]);
    await the.receiver.count(1);
    await the.storedAt(webhook.id, the.next - 1);
    await deliverer.close();
    address = "127.0.0.2";
    const later = await the.deliver({ allowed: ["127.0.0.1"], resolve });
    await the.begun(later);
    await the.commit([the.trade(5)]);
    await until(async () => (await the.records.stateOf(webhook.id)).error !== null);
    expect((await the.records.stateOf(webhook.id)).error).toMatch(
      /the.receiver.example has the address 127.0.0.2, which is not public/,
    );
    expect(the.receiver.requests).toHaveLength(1);
    await later.close();
  });

  it("says which webhooks are too many, and delivers them when others are removed", async () => {
    const first = await addWebhook(the.engine, the.receiver.url, [{ type: "trades" }]);
    const second = await addWebhook(the.engine, the.receiver.url, [{ type: "trades" }]);
    await the.records.save({ ...second, createdAt: first.createdAt + 1 });
    const deliverer = await the.deliver({ maxWebhooks: 1 });
    expect(deliverer.runners.map((runner) => runner.webhook.id)).toEqual([first.id]);
    expect((await the.records.stateOf(second.id)).error).toMatch(/not one of the 1 oldest.*--hooks/);
    await the.records.remove(first);
    await deliverer.look();
    await the.begun(deliverer);
    expect((await the.records.stateOf(second.id)).error).toBeNull();
  });

  it("stops when its right is lost, also while the webhooks cannot be read", async () => {
    let isHeld = true;
    const lease = {
      requireHeld() {
        if (!isHeld) throw new Error("lost");
      },
      release: async () => {},
    };
    const { deliverer } = await the.start([{ type: "trades" }], { acquire: async () => lease });
    isHeld = false;
    const reading = vi
      .spyOn(WebhookRecords.prototype, "all")
      .mockRejectedValue(new Error("the store is down"));
    await deliverer.look();
    reading.mockRestore();
    expect(deliverer.runners).toEqual([]);
  });

  it("sends nothing while it cannot store, and tries again more and more rarely", async () => {
    const { webhook } = await the.start([{ type: "trades" }]);
    await the.commit([the.trade(4)]);
    await the.receiver.count(1);
    await the.storedAt(webhook.id, the.next - 1);
    const timesMs: number[] = [];
    const saving = vi.spyOn(WebhookRecords.prototype, "saveStates").mockImplementation(async () => {
      timesMs.push(the.clock.monotonic());
      throw new Error("the disk is full");
    });
    await the.rollback(the.next - 2);
    await until(async () => {
      await the.clock.advance(200);
      return timesMs.length >= 5;
    });
    // At least half of 1, 2, 4 and 8 seconds.
    timesMs.slice(1).forEach((timeMs, i) => {
      expect(timeMs - (timesMs[i] ?? 0)).toBeGreaterThanOrEqual(500 * 2 ** i);
    });
    expect(the.receiver.requests).toHaveLength(1);
    saving.mockRestore();
    expect(events(await the.whileClockMoves(2)).at(-1)).toEqual(["rollback", the.next - 1]);
  });

  it("reports rules that it does not understand, and delivers the others", async () => {
    const webhook = await addWebhook(the.engine, the.receiver.url, [{ type: "trades" }]);
    await the.records.save({ ...webhook, id: "hook_old", rules: [{ type: "dreams" }], version: 0 });
    const deliverer = await the.deliver();
    expect(deliverer.runners.map((runner) => runner.webhook.id)).toEqual([webhook.id]);
    expect((await the.records.stateOf("hook_old")).error).toMatch(/given is the type "dreams"/);
  });
});
