import { promises as dns } from "node:dns";
import type { Registry } from "prom-client";
import type { Streams } from "../../api/streams/streams.ts";
import { scopeOf } from "../../chains/chain.ts";
import type { WebhookSetting } from "../../config/groups/webhook-settings.ts";
import type { Settings } from "../../config/settings.ts";
import { systemClock } from "../../lib/async/clock.ts";
import type { Logger } from "../../lib/log.ts";
import { engineOf, type Reader, readableChain } from "../../reads/snapshot/snapshot.ts";
import { acquireFreeLease, type Lease } from "../../storage/commits/writer-lease.ts";
import type { Engine } from "../../storage/store.ts";
import { Deliverer } from "../../webhooks/delivery/deliverer.ts";
import { Receiver } from "../../webhooks/delivery/receiver.ts";
import { deliveryCounter, measureWebhooks } from "../../webhooks/delivery/webhook-metrics.ts";
import type { RunnerOptions } from "../../webhooks/delivery/webhook-runner.ts";
import { StateWriter } from "../../webhooks/records/state-writer.ts";
import { WebhookRecords } from "../../webhooks/records/webhook-records.ts";
import { Targets } from "../../webhooks/targets/targets.ts";

type WebhookSettings = Settings<WebhookSetting>;

/**
 * How a process gets the right to deliver webhooks.
 *
 * - `sole`: no other process has the data directory open.
 * - `leased`: a lease for each chain decides which process delivers.
 */
export type DeliveryRight = "sole" | "leased";

/**
 * Returns how a process gets the right to deliver webhooks; undefined for data that cannot be written,
 * because the state of deliveries is stored with it.
 */
export function deliveryRight({
  directory,
  isReadOnly = false,
}: {
  /** Null if the tables are on a server, which several services may share. */
  directory: string | null;
  isReadOnly?: boolean;
}): DeliveryRight | undefined {
  if (isReadOnly) return undefined;
  return directory === null ? "leased" : "sole";
}

/** A store whose webhooks may be delivered. */
interface HookStore {
  engine: Engine;
  /** Undefined if this process does not deliver the webhooks of the store. */
  webhooks: DeliveryRight | undefined;
}

interface DeliveryOptions {
  reader: Reader;
  stores: readonly HookStore[];
  streams: Streams;
  metrics: Registry;
  logger: Logger;
}

/**
 * Delivers the webhooks of all chains that this process serves.
 *
 * @returns a function that stops the work
 */
export function deliverWebhooks(settings: WebhookSettings, options: DeliveryOptions): () => Promise<void> {
  const { reader, stores, metrics } = options;
  const delivering = stores.filter(({ webhooks }) => webhooks !== undefined);
  if (delivering.length === 0 || settings.hooks === 0) return async () => {};
  const receiver = receiverOf(settings);
  const count = deliveryCounter(metrics);
  const deliverers = delivering.map((store) => delivererOf(settings, store, { ...options, receiver, count }));
  const newestBlock = (chain: string) =>
    reader.chains.find((one) => one.chain.name === chain)?.serving?.position?.blockNumber ?? null;
  measureWebhooks(metrics, {
    runners: () => deliverers.flatMap(({ runners }) => runners),
    refused: () => deliverers.reduce((sum, { refused }) => sum + refused, 0),
    newestBlock,
  });
  for (const deliverer of deliverers) deliverer.start();
  return async () => {
    await Promise.all(deliverers.map((deliverer) => deliverer.close()));
    await receiver.close();
  };
}

/**
 * Returns the deliverer of a store. Each store has its own, because webhooks are stored with their chains.
 */
function delivererOf(
  settings: WebhookSettings,
  { engine, webhooks }: HookStore,
  { reader, streams, receiver, count, logger }: DeliveryOptions & Pick<RunnerOptions, "receiver" | "count">,
): Deliverer {
  const records = new WebhookRecords(engine);
  const writer = new StateWriter(records);
  const bufferBytes = settings.hookQueue * 2 ** 10;
  return new Deliverer({
    records,
    get chains() {
      const own = reader.chains.filter((readable) => engineOf(reader, readable) === engine);
      return own.map(({ chain }) => chain.name);
    },
    scopeOf: (name) => scopeOf(readableChain(reader, name).chain),
    maxWebhooks: settings.hooks,
    acquire: (chain) => (webhooks === "sole" ? SOLE : acquireFreeLease(engine, leaseOf(chain))),
    runner: {
      open: (sink, request) => streams.run(sink, { ...request, client: CLIENT, bufferBytes }),
      pricesAt: (chain, query) => streams.pricesAt(CLIENT, chain, query),
      receiver,
      save: (id, state) => writer.save(id, state),
      count,
      limits: {
        bodyBytes: settings.hookBody * 2 ** 10,
        queueBytes: bufferBytes,
        retryMs: settings.hookRetry * HOUR_MS,
      },
      clock: systemClock,
      logger,
    },
    clock: systemClock,
    logger,
  });
}

const HOUR_MS = 3_600_000;

/**
 * Name under which all webhooks count as one client of the service, and share that client's part of the
 * queues.
 */
const CLIENT = "webhooks";

/** Returns the name of the lease. It differs from all names of chains, which have no spaces. */
function leaseOf(chain: string): string {
  return `webhooks of ${chain}`;
}

/**
 * The lease of a process with the right `sole`. The lock of the data directory already excludes other
 * processes.
 */
const SOLE: Promise<Lease> = Promise.resolve({
  isHeld: true,
  requireHeld: () => {},
  release: async () => {},
});

/** Returns a `Receiver`, which sends deliveries only to the targets that the settings allow. */
export function receiverOf({
  hookHosts = [],
  hookTimeout,
}: Pick<WebhookSettings, "hookHosts" | "hookTimeout">) {
  return new Receiver({
    targets: targetsOf({ hookHosts }),
    timeoutMs: hookTimeout * 1000,
    clock: systemClock,
  });
}

export function targetsOf({ hookHosts = [] }: Pick<WebhookSettings, "hookHosts">): Targets {
  return new Targets(hookHosts, (name, options) => dns.lookup(name, options));
}
