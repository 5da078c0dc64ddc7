import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { Registry } from "prom-client";
import { vi } from "vitest";
import { ManualClock } from "../../../src/lib/support/manual-clock.ts";
import { commitTrades, ETH, hashOf, hexOf, type Trade } from "../../../src/reads/support/market.ts";
import type { Rows } from "../../../src/schema/tables.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../../src/storage/store.ts";
import type { Deliverer } from "../../../src/webhooks/delivery/deliverer.ts";
import { WebhookRecords } from "../../../src/webhooks/records/webhook-records.ts";
import { type StreamService, serveWriter, Writer } from "../../streams/support/stream-service.ts";
import { addWebhook, type DeliveryOptions, deliveryOf } from "./delivery.ts";
import { type Received, startReceiver, type TestReceiver } from "./receiver.ts";

export const AT = 1_700_000_040;
export const TOKEN = hexOf(9);
export const OTHER = hexOf(10);
export const FIRST = 1000;

/** A chain in a real store, a service over it, and a receiver. Deliveries use a clock that the test moves. */
export class WebhookMarket {
  readonly engine: Engine;
  readonly store: ChainStore;
  readonly service: StreamService;
  readonly records: WebhookRecords;
  readonly #folder: string;
  /** Number of the next block. */
  next: number;
  fork = 0;
  #receiver: TestReceiver | null = null;
  clock = new ManualClock();
  /** Metrics of the newest process that delivers. */
  registry = new Registry();
  readonly running: Deliverer[] = [];

  private constructor(
    folder: string,
    engine: Engine,
    store: ChainStore,
    service: StreamService,
    next: number,
  ) {
    this.#folder = folder;
    this.engine = engine;
    this.store = store;
    this.service = service;
    this.next = next;
    this.records = new WebhookRecords(engine);
  }

  static async open(): Promise<WebhookMarket> {
    const folder = await mkdtemp(join(tmpdir(), "quarry-webhooks-"));
    const engine = await openEmbeddedEngine({ path: folder });
    const store = await openChainStore(engine, ETH.name, {});
    const writer = new Writer();
    store.follow(writer);
    const trades = [TOKEN, OTHER].map((token) => ({ token, at: AT, price: 2 }));
    await commitTrades(store, trades, { firstBlock: FIRST });
    const service = await serveWriter(engine, store, writer);
    return new WebhookMarket(folder, engine, store, service, FIRST + 1);
  }

  /** The receiver of the current test. */
  get receiver(): TestReceiver {
    if (this.#receiver === null) throw new Error("the test has not begun");
    return this.#receiver;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.engine.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Must be called before each test. */
  async begin(): Promise<void> {
    this.#receiver = await startReceiver();
    this.clock = new ManualClock(Date.now());
  }

  /** Must be called after each test. */
  async end(): Promise<void> {
    await Promise.all(this.running.splice(0).map((one) => one.close()));
    for (const webhook of await this.records.all()) await this.records.remove(webhook);
    await this.receiver.close();
  }

  /** Makes a trade in the next block. */
  trade(price: number, more: Partial<Trade> = {}): Trade {
    return { token: TOKEN, at: AT + 12 * (this.next - FIRST), price, ...more };
  }

  async commit(trades: Trade[], rows: Rows = {}): Promise<void> {
    const options = { firstBlock: this.next, fork: this.fork, rows };
    this.next = (await commitTrades(this.store, trades, options)).blockNumber + 1;
  }

  async rollback(number: number): Promise<void> {
    this.next = number + 1;
    const timestamp = AT + 12 * (number - FIRST);
    await this.store.rollback({ number, hash: hashOf(number, this.fork), timestamp });
    this.fork++;
  }

  /** Starts delivering, as one process of the service does. */
  async deliver(options: Partial<DeliveryOptions> = {}): Promise<Deliverer> {
    this.registry = new Registry();
    const { clock, registry } = this;
    const deliverer = deliveryOf(this.engine, this.service, { clock, registry, ...options });
    this.running.push(deliverer);
    // The right to deliver is acquired in the background.
    await until(async () => {
      await deliverer.look();
      return deliverer.runners.length > 0;
    });
    return deliverer;
  }

  /** Resolves when every webhook has begun. From then on, each webhook gets new commits. */
  async begun(deliverer: Deliverer): Promise<void> {
    await until(() => deliverer.runners.every(({ block }) => block !== null && block >= this.next - 1));
  }

  /** Adds a webhook. Resolves when the webhook has begun. */
  async start(rules: object[], options: Partial<DeliveryOptions> = {}) {
    const webhook = await addWebhook(this.engine, this.receiver.url, rules);
    const deliverer = await this.deliver(options);
    await this.begun(deliverer);
    return { webhook, deliverer };
  }

  /** Moves the clock whenever something waits for it, until there have been at least this many requests. */
  async whileClockMoves(requests: number): Promise<Received[]> {
    const isThere = () => this.receiver.requests.length >= requests;
    while (!isThere()) {
      await until(() => this.clock.pending > 0 || isThere());
      if (!isThere()) await this.clock.advance(100);
      await turn();
    }
    return this.receiver.requests;
  }

  /** Resolves when the stored position of a webhook is this block. */
  async storedAt(id: string, block: number): Promise<void> {
    await until(async () => Number((await this.records.stateOf(id)).position?.split(":")[1]) === block);
  }
}

export function until(isOver: () => unknown): Promise<unknown> {
  return vi.waitUntil(isOver, { timeout: 30_000, interval: 10 });
}

/** Returns the event and the block of each request. */
export function events(requests: readonly Received[]) {
  return requests.map(({ body }) => [body.event, body.block]);
}
