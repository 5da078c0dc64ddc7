import { getHeapStatistics } from "node:v8";
import type { Registry } from "prom-client";
import type { Clock } from "../../lib/async/clock.ts";
import { sumOf } from "../../lib/figures.ts";
import { CLIENT_LIMITS } from "../admission/client-limits.ts";
import type { AdmissionQueue, QueueState } from "../admission/fair-queue.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { type Load, RecentLoad } from "./recent-load.ts";
import type { SlowLists, SlowRequests } from "./slow-requests.ts";

/** The current activity of one process of the service. Plain data, because it is sent to other processes. */
export interface ProcessReport {
  pid: number;
  /** Unix seconds. */
  startedAt: number;
  memory: ProcessMemory;
  /** Null if the previous report was too long ago to measure it. */
  load: Load | null;
  queues: readonly QueueReport[];
  resources: readonly ResourceReport[];
  responses: { total: number; tooMany: number; unavailable: number };
  refusals: readonly { limit: RefusalLimit; count: number }[];
  slow: SlowLists;
}

/** Memory of a process, in bytes. */
export interface ProcessMemory {
  /** Memory of the whole process, including an embedded engine. */
  rss: number;
  heap: number;
  heapLimit: number;
  /** Memory outside the heap: bodies and answers. */
  buffers: number;
}

export interface QueueReport extends QueueState {
  kind: "query" | "read";
  tier: "quick" | "long";
}

/** How much of a resource, such as memory or connections, is in use. */
export interface ResourceReport {
  resource: ResourceName;
  used: number;
  /** Null if the total is not limited. */
  limit: number | null;
}

/**
 * Queues by kind. A queue that belongs to another process has no tiers here, because that process reports it.
 */
export type ReportedQueues = Partial<Record<QueueReport["kind"], Pick<AdmissionQueue, "tiers">>>;

interface Resource {
  metric: string;
  limit(limits: ApiLimits): number | null;
}

const RESOURCES = {
  connections: { metric: "quarry_http_connections", limit: ({ connections }) => connections },
  streams: { metric: "quarry_streams", limit: ({ streams }) => streams },
  requests_waiting_for_event_loop: { metric: "quarry_http_turns_waiting", limit: () => null },
  delayed_rejections: {
    metric: "quarry_http_delayed_rejections",
    limit: ({ delayedRejections }) => delayedRejections,
  },
  request_body_bytes: {
    metric: "quarry_http_body_memory_bytes",
    limit: ({ bodyMemoryBytes }) => bodyMemoryBytes,
  },
  answer_memory_bytes: {
    metric: "quarry_http_answer_memory_bytes",
    limit: ({ answerMemoryBytes }) => answerMemoryBytes,
  },
  answer_disk_bytes: {
    metric: "quarry_http_answer_disk_bytes",
    limit: ({ answerDiskBytes }) => answerDiskBytes,
  },
  unread_answer_bytes: { metric: "quarry_http_unread_answer_bytes", limit: () => null },
  unread_stream_bytes: {
    metric: "quarry_stream_buffer_bytes",
    limit: ({ streamMemoryBytes }) => streamMemoryBytes,
  },
  cached_sql_bytes: { metric: "quarry_sql_cache_bytes", limit: ({ sqlCacheBytes }) => sqlCacheBytes },
  serving_memory_bytes: { metric: "quarry_serving_bytes", limit: () => null },
} as const satisfies Record<string, Resource>;

export type ResourceName = keyof typeof RESOURCES;

export const RESOURCE_NAMES = Object.keys(RESOURCES) as [ResourceName, ...ResourceName[]];

/** The limits that reject requests and connections. */
export const REFUSAL_LIMITS = [
  "query-queue",
  "read-queue",
  ...CLIENT_LIMITS,
  "connections",
  "address-connections",
] as const;

export type RefusalLimit = (typeof REFUSAL_LIMITS)[number];

const CLIENT_REFUSALS = "quarry_http_client_refused_total";

/** The metric that counts the rejections by each limit, with the label and its value. */
const REFUSAL_COUNTERS: Record<RefusalLimit, { metric: string; label: string; value: string }> = {
  "query-queue": { metric: "quarry_http_questions_refused_total", label: "kind", value: "query" },
  "read-queue": { metric: "quarry_http_questions_refused_total", label: "kind", value: "read" },
  rate: { metric: CLIENT_REFUSALS, label: "limit", value: "rate" },
  "monthly-quota": { metric: CLIENT_REFUSALS, label: "limit", value: "monthly-quota" },
  "unread-answers": { metric: CLIENT_REFUSALS, label: "limit", value: "unread-answers" },
  connections: { metric: "quarry_http_connections_refused_total", label: "limit", value: "all" },
  "address-connections": {
    metric: "quarry_http_connections_refused_total",
    label: "limit",
    value: "address",
  },
};

/**
 * The counter of responses, and the route whose 503 responses do not count as refusals, because probes expect
 * them.
 */
const RESPONSES = "quarry_http_requests_total";
const PROBE = "/ready";

interface ReporterOptions {
  queues: ReportedQueues;
  /** Where the figures of requests are read; null in a process that serves no requests. */
  served: { registry: Registry; limits: ApiLimits; slow: SlowRequests } | null;
  clock: Clock;
}

/**
 * Returns a function that reports what this process is doing. Figures that are also metrics are read from the
 * metrics.
 */
export function processReporter({ queues, served, clock }: ReporterOptions): () => Promise<ProcessReport> {
  const load = new RecentLoad(clock);
  return async () => {
    const now = Math.floor(clock.now() / 1000);
    return {
      pid: process.pid,
      startedAt: Math.floor(now - process.uptime()),
      memory: memoryNow(),
      load: load.current(),
      queues: queuesNow(queues),
      ...(served === null ? NOTHING_SERVED : await requestFigures(served.registry, served.limits)),
      slow: served?.slow.lists(now) ?? { total: 0, latest: [], slowest: [] },
    };
  };
}

const NOTHING_SERVED = {
  resources: [],
  responses: { total: 0, tooMany: 0, unavailable: 0 },
  refusals: [],
};

function memoryNow(): ProcessMemory {
  const { rss, heapUsed: heap, arrayBuffers: buffers } = process.memoryUsage();
  return { rss, heap, heapLimit: getHeapStatistics().heap_size_limit, buffers };
}

function queuesNow(queues: ReportedQueues): QueueReport[] {
  return (["query", "read"] as const).flatMap((kind) => {
    const tiers = queues[kind]?.tiers;
    return tiers === undefined ? [] : TIERS.map((tier) => ({ kind, tier, ...tiers[tier] }));
  });
}

const TIERS = ["quick", "long"] as const;

async function requestFigures(registry: Registry, limits: ApiLimits) {
  const resources = RESOURCE_NAMES.map(async (resource) => {
    const { metric, limit } = RESOURCES[resource];
    return { resource, used: await sumOf(registry, metric), limit: limit(limits) };
  });
  const refusals = REFUSAL_LIMITS.map(async (limit) => {
    const { metric, label, value } = REFUSAL_COUNTERS[limit];
    return { limit, count: await sumOf(registry, metric, (labels) => labels[label] === value) };
  });
  const responses = (status?: number) =>
    sumOf(registry, RESPONSES, (labels) =>
      status === undefined ? true : Number(labels.status) === status && labels.route !== PROBE,
    );
  return {
    resources: await Promise.all(resources),
    refusals: await Promise.all(refusals),
    responses: {
      total: await responses(),
      tooMany: await responses(429),
      unavailable: await responses(503),
    },
  };
}
