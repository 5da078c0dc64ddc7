import { type EngineLoad, readEngineLoads } from "../../../reads/engine/engine-load.ts";
import { endpoint, type Operations } from "../../endpoint/endpoint.ts";
import {
  type ProcessReport,
  type QueueReport,
  REFUSAL_LIMITS,
  RESOURCE_NAMES,
} from "../../operations/process-report.ts";
import type { CollectedReport } from "../../operations/report-exchange.ts";
import { mergedLists, type SlowRequest } from "../../operations/slow-requests.ts";
import { EXAMPLE, type OperationsAnswer, operationsAnswer } from "./operations-answer.ts";

export const operations = endpoint({
  name: "getOperations",
  methods: ["GET"],
  scope: "operations",
  isForOperator: true,
  isUncounted: true,
  path: "/v1/operations",
  title: "Operations",
  summary: "Queues, memory, refusals and slow requests, for the operator of the service.",
  parameters: {},
  answer: operationsAnswer,
  example: { parameters: {}, answer: EXAMPLE },
  cost: "nothing",
  async handle(_values, { reader, operations: known, now }) {
    const [collected, engines] = await Promise.all([known.collect(), readEngineLoads(reader)]);
    return { body: answerOf(collected, engines.map(presentEngine), known, now), asOf: null };
  },
});

function answerOf(
  collected: readonly CollectedReport[],
  engines: OperationsAnswer["engines"],
  { slowAfterMs, hasTexts }: Operations,
  now: number,
): OperationsAnswer {
  const reports = collected.flatMap(({ report }) => (report === null ? [] : [report]));
  const slow = mergedLists(
    reports.map((report) => report.slow),
    now,
  );
  return {
    queues: summedQueues(reports.flatMap(({ queues }) => queues)).map(presentQueue),
    resources: RESOURCE_NAMES.map((name) => summedResource(name, reports)),
    responses: {
      total: sum(reports, ({ responses }) => responses.total),
      status_429: sum(reports, ({ responses }) => responses.tooMany),
      status_503: sum(reports, ({ responses }) => responses.unavailable),
    },
    refusals: REFUSAL_LIMITS.map((limit) => ({
      limit,
      count: sum(reports, ({ refusals }) => refusals.find((one) => one.limit === limit)?.count ?? 0),
    })),
    engines,
    processes: collected.map(presentProcess),
    slow_requests: {
      after_seconds: slowAfterMs / 1000,
      has_texts: hasTexts,
      total: slow.total,
      latest: slow.latest.map(presentSlow),
      slowest: slow.slowest.map(presentSlow),
    },
  };
}

function sum<T>(items: readonly T[], figureOf: (item: T) => number): number {
  return items.reduce((total, item) => total + figureOf(item), 0);
}

/** Returns the sum of the processes' reports for each kind and tier of queue. */
function summedQueues(queues: readonly QueueReport[]): QueueReport[] {
  const byName = new Map<string, QueueReport>();
  for (const queue of queues) {
    const name = `${queue.kind} ${queue.tier}`;
    const other = byName.get(name);
    byName.set(name, other === undefined ? queue : added(other, queue));
  }
  return [...byName.values()].sort((a, b) => order(a) - order(b));
}

const order = ({ kind, tier }: QueueReport) => 2 * Number(kind === "read") + Number(tier === "long");

function added(a: QueueReport, b: QueueReport): QueueReport {
  return {
    ...a,
    running: a.running + b.running,
    runningLimit: a.runningLimit + b.runningLimit,
    waiting: a.waiting + b.waiting,
    waitingLimit: a.waitingLimit + b.waitingLimit,
    // A client with connections to both processes counts twice.
    clients: a.clients + b.clients,
    rejected: a.rejected + b.rejected,
  };
}

function presentQueue(queue: QueueReport): OperationsAnswer["queues"][number] {
  const { kind, tier, running, runningLimit, waiting, waitingLimit, clients, rejected } = queue;
  return {
    ...{ kind, tier, running, running_limit: runningLimit, waiting, waiting_limit: waitingLimit },
    ...{ clients, refused: rejected },
  };
}

function summedResource(
  resource: (typeof RESOURCE_NAMES)[number],
  reports: readonly ProcessReport[],
): OperationsAnswer["resources"][number] {
  const parts = reports.flatMap(({ resources }) => resources.filter((one) => one.resource === resource));
  const isLimited = parts.every(({ limit }) => limit !== null);
  return {
    resource,
    used: sum(parts, ({ used }) => used),
    limit: isLimited ? sum(parts, ({ limit }) => limit ?? 0) : null,
  };
}

function presentEngine(engine: EngineLoad): OperationsAnswer["engines"][number] {
  const { chains, memoryBytes, memoryLimitBytes, running, merges, abandoned, message } = engine;
  return {
    chains: [...chains],
    memory_bytes: memoryBytes,
    memory_limit_bytes: memoryLimitBytes,
    running_statements: running,
    running_merges: merges,
    abandoned_statements: abandoned,
    message,
  };
}

function presentProcess({ process, report }: CollectedReport): OperationsAnswer["processes"][number] {
  return {
    process,
    is_responding: report !== null,
    pid: report?.pid ?? null,
    started_at: report?.startedAt ?? null,
    rss_bytes: report?.memory.rss ?? null,
    heap_bytes: report?.memory.heap ?? null,
    heap_limit_bytes: report?.memory.heapLimit ?? null,
    buffer_bytes: report?.memory.buffers ?? null,
    cpu_share: thousandths(report?.load?.cpu),
    event_loop_share: thousandths(report?.load?.eventLoop),
  };
}

function thousandths(value: number | undefined): number | null {
  return value === undefined ? null : Math.round(1000 * value) / 1000;
}

function presentSlow(request: SlowRequest): OperationsAnswer["slow_requests"]["latest"][number] {
  const { requestId, at, method, route, client, chain, status, ms, runMs, rowsRead } = request;
  return {
    request_id: requestId,
    ...{ at, method, path: route, client, chain, status, ms },
    run_ms: runMs,
    rows_read: rowsRead,
    query: request.fingerprint,
    sql: request.text,
  };
}
