import type { Registry } from "prom-client";
import type { Clock } from "../../../src/lib/async/clock.ts";
import { createLogger } from "../../../src/lib/log.ts";
import { ETH } from "../../../src/reads/support/market.ts";
import { EVERYTHING } from "../../../src/schema/scope.ts";
import type { Lease } from "../../../src/storage/commits/writer-lease.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { Deliverer } from "../../../src/webhooks/delivery/deliverer.ts";
import { Receiver } from "../../../src/webhooks/delivery/receiver.ts";
import { deliveryCounter, measureWebhooks } from "../../../src/webhooks/delivery/webhook-metrics.ts";
import type { WebhookLimits } from "../../../src/webhooks/delivery/webhook-runner.ts";
import { newWebhook } from "../../../src/webhooks/records/new-webhook.ts";
import { StateWriter } from "../../../src/webhooks/records/state-writer.ts";
import { type StoredWebhook, WebhookRecords } from "../../../src/webhooks/records/webhook-records.ts";
import { type Resolve, Targets } from "../../../src/webhooks/targets/targets.ts";
import type { StreamService } from "../../streams/support/stream-service.ts";

export const HOUR_MS = 3_600_000;

const SOLE: Lease = { isHeld: true, requireHeld: () => {}, release: async () => {} };

/** Resolves any name to the address of this machine. */
const local: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];

export interface DeliveryOptions {
  clock: Clock;
  registry: Registry;
  allowed?: readonly string[];
  resolve?: Resolve;
  timeoutMs?: number;
  limits?: Partial<WebhookLimits>;
  maxWebhooks?: number;
  acquire?: () => Promise<Lease | null>;
}

/** Makes the webhook deliverer of a process, without starting its timer. Tests call `look` themselves. */
export function deliveryOf(engine: Engine, service: StreamService, options: DeliveryOptions): Deliverer {
  const { clock, registry, allowed = ["127.0.0.1"], resolve = local } = options;
  const records = new WebhookRecords(engine);
  const writer = new StateWriter(records);
  const limits = { bodyBytes: 2 ** 18, queueBytes: 2 ** 20, retryMs: 24 * HOUR_MS, ...options.limits };
  const targets = new Targets(allowed, resolve);
  const { timeoutMs = HOUR_MS } = options;
  const logger = createLogger("silent");
  const deliverer = new Deliverer({
    records,
    chains: [ETH.name],
    scopeOf: () => EVERYTHING,
    maxWebhooks: options.maxWebhooks ?? 100,
    acquire: options.acquire ?? (async () => SOLE),
    runner: {
      open: (sink, request) =>
        service.app.streams.run(sink, { ...request, client: "webhooks", bufferBytes: limits.queueBytes }),
      pricesAt: (chain, query) => service.app.streams.pricesAt("webhooks", chain, query),
      receiver: new Receiver({ targets, timeoutMs, clock }),
      save: (id, state) => writer.save(id, state),
      count: deliveryCounter(registry),
      limits,
      clock,
      logger,
    },
    clock,
    logger,
  });
  measureWebhooks(registry, {
    runners: () => deliverer.runners,
    refused: () => deliverer.refused,
    newestBlock: () => service.serving.position?.blockNumber ?? null,
  });
  return deliverer;
}

/** Adds a webhook, as `quarry hooks add` does. */
export async function addWebhook(
  engine: Engine,
  url: string,
  rules: readonly object[],
): Promise<StoredWebhook> {
  const records = new WebhookRecords(engine);
  const webhook = newWebhook(
    { url, chain: ETH.name, rules },
    {
      targets: new Targets(["127.0.0.1"], local),
      context: { method: "POST", now: 0, chains: [ETH.name] },
      scopeOf: () => EVERYTHING,
      count: (await records.all()).length,
      maxCount: 100,
      nowMs: Date.now(),
    },
  );
  await records.save(webhook);
  return { ...webhook, version: 1 };
}
