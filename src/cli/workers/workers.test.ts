import { AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import type { AdmissionQueue } from "../../api/admission/fair-queue.ts";
import { DEFAULT_LIMITS } from "../../api/admission/limits.ts";
import { queryQueue } from "../../api/admission/queues.ts";
import type { ProcessReport } from "../../api/operations/process-report.ts";
import { deferred } from "../../lib/support/deferred.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { measureProcess } from "../serving/metrics/metrics.ts";
import { ServiceReports, WorkerReports } from "./process-reports.ts";
import { admitQueries } from "./shared-admission.ts";
import { SharedQueue } from "./shared-queue.ts";
import { SummedMetrics, WorkerRegistry } from "./summed-metrics.ts";
import { localLink } from "./support/local-link.ts";
import { workerLimits, workerPart } from "./worker-limits.ts";

const LIMITS = { ...DEFAULT_LIMITS, concurrentQueries: 1, quickQueries: 1, quickMs: 40, waitingRequests: 1 };

/** Returns three workers, and the queue that they share. */
function threeWorkers(clock: ManualClock) {
  const queue = queryQueue(LIMITS, clock);
  const links = [localLink(), localLink(), localLink()] as const;
  const queues = links.map(({ worker, primary }) => {
    admitQueries(worker, queue);
    return new SharedQueue(primary);
  });
  return { queue, links, queues };
}

const caller = (signal = new AbortController().signal, kind = "k") => ({ client: "a", kind, signal });

describe("the queue that workers share", () => {
  it("runs as many queries as its limits say, whichever worker they are in, and preempts slow ones", async () => {
    const clock = new ManualClock();
    const { queues } = threeWorkers(clock);
    const starts = [0, 0, 0];
    const slow = queues.map((queue, i) =>
      queue.run(caller(undefined, `query ${i}`), async (signal) => {
        starts[i] = (starts[i] ?? 0) + 1;
        await clock.sleep(100, signal);
        return i;
      }),
    );
    const third = expect(slow[2]).rejects.toMatchObject({ code: "busy", retryable: true });
    await clock.advance(0);
    await third;
    expect(queues.map(({ running, waiting, rejected }) => [running, waiting, rejected])).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    for (let i = 0; i < 30; i++) await clock.advance(10);
    expect(await Promise.all(slow.slice(0, 2))).toEqual([0, 1]);
    expect(starts).toEqual([1, 2, 0]);
  });

  it("frees the slots of a worker that ends, and of clients that disconnect", async () => {
    const clock = new ManualClock();
    const { queue, links, queues } = threeWorkers(clock);
    const [first, second, third] = queues;
    void first?.run(caller(), () => new Promise(() => {}));
    await clock.advance(0);
    const client = new AbortController();
    const left = second?.run(caller(client.signal), async () => "never");
    const gone = expect(left).rejects.toMatchObject({ name: "ClientClosed" });
    await clock.advance(0);
    expect([queue.running, queue.waiting]).toEqual([1, 1]);
    client.abort();
    await gone;
    await clock.advance(0);
    expect([queue.running, queue.waiting, second?.waiting]).toEqual([1, 0, 0]);
    links[0].close();
    expect(await third?.run(caller(), async () => "ran")).toBe("ran");
    await clock.advance(0);
    expect([queue.running, third?.running]).toEqual([0, 0]);
  });

  it("remembers that a kind of query is slow when the next one fails or leaves", async () => {
    const clock = new ManualClock();
    const queue = queryQueue({ ...LIMITS, clientShare: 1, waitingRequests: 5 }, clock);
    const { worker, primary } = localLink();
    admitQueries(worker, queue);
    const shared = new SharedQueue(primary);
    const slow = shared.run(caller(), () => clock.sleep(100));
    for (let i = 0; i < 12; i++) await clock.advance(10);
    await slow;
    await expect(shared.run(caller(), () => Promise.reject(new RangeError("no")))).rejects.toThrow("no");
    const client = new AbortController();
    const left = shared.run(caller(client.signal), async () => "never");
    client.abort();
    await expect(left).rejects.toMatchObject({ name: "ClientClosed" });
    await clock.advance(0);
    void queue.run(caller(undefined, "another"), () => new Promise(() => {}));
    await clock.advance(LIMITS.quickMs);
    let hasStarted = false;
    void shared.run(caller(), async () => {
      hasStarted = true;
    });
    await clock.advance(0);
    expect([hasStarted, queue.waiting, shared.rejected]).toEqual([false, 1, 0]);
  });

  it("keeps a query's slot until the work that it left behind has ended", async () => {
    const clock = new ManualClock();
    const { queue, queues } = threeWorkers(clock);
    const { promise: ended, resolve: end } = deferred();
    const failing = queues[0]?.run(caller(), async (_signal, slot) => {
      slot.keepUntil(ended);
      throw new RangeError("timeout");
    });
    await expect(failing).rejects.toThrow("timeout");
    await clock.advance(0);
    expect(queue.running).toBe(1);
    end();
    await clock.advance(0);
    expect(queue.running).toBe(0);
  });

  it("does not queue a preempted query again whose client has left", async () => {
    const clock = new ManualClock();
    const { queue, queues } = threeWorkers(clock);
    void queues[0]?.run(caller(undefined, "long"), () => new Promise(() => {}));
    await clock.advance(LIMITS.quickMs);
    const { promise: abandoned, resolve: end } = deferred();
    const client = new AbortController();
    let starts = 0;
    const preempted = queues[1]?.run(caller(client.signal, "preempted"), async (signal, slot) => {
      starts++;
      slot.keepUntil(abandoned);
      await clock.sleep(1_000, signal);
    });
    await clock.advance(LIMITS.quickMs);
    expect([starts, queue.running, queue.waiting]).toEqual([1, 2, 0]);
    client.abort();
    await expect(preempted).rejects.toMatchObject({ name: "ClientClosed" });
    end();
    await clock.advance(0);
    expect([starts, queue.running, queue.waiting, queues[1]?.waiting]).toEqual([1, 1, 0, 0]);
  });

  it("runs one query that stops late at a time, whichever worker it is in", async () => {
    const clock = new ManualClock();
    const { queue, queues } = threeWorkers(clock);
    const late = queues
      .slice(0, 2)
      .map((one) => one.run({ ...caller(), stopsLate: true }, () => clock.sleep(100)));
    await clock.advance(10);
    expect([queue.running, queue.tiers.quick.running, queue.waiting]).toEqual([1, 0, 1]);
    expect(await queues[2]?.run(caller(), async () => "quick")).toBe("quick");
    await clock.advance(200);
    await Promise.all(late);
  });

  it("rejects a query if the queue fails, whatever the error is", async () => {
    const { worker, primary } = localLink();
    const failing = { run: () => Promise.reject(new TypeError("a bug")) } as unknown as AdmissionQueue;
    admitQueries(worker, failing);
    const rejected = new SharedQueue(primary).run(caller(), async () => "never");
    await expect(rejected).rejects.toMatchObject({
      ...{ code: "internal", message: "the queue of the primary process failed" },
      cause: { message: "TypeError: a bug" },
    });
  });

  it("passes on why a task failed", async () => {
    const [queue] = threeWorkers(new ManualClock()).queues;
    const failing = queue?.run(caller(), () => Promise.reject(new RangeError("out of range")));
    await expect(failing).rejects.toThrow("out of range");
  });
});

describe("the figures of all workers", () => {
  it("are summed, and the counts of a worker that ended remain", async () => {
    const clock = new ManualClock();
    const sums = new SummedMetrics(new Registry(), clock);
    const links = [localLink(), localLink()];
    const registries = links.map(({ worker, primary }, i) => {
      sums.add(worker);
      const registry = new WorkerRegistry(primary);
      new Counter({ name: "requests", help: "-", registers: [registry] }).inc(10 ** i);
      new Gauge({ name: "waiting", help: "-", registers: [registry] }).set(5);
      primary.send({ kind: "listening", url: "" });
      return registry;
    });
    const figures = async () => (await registries[1]?.metrics())?.match(/^(requests|waiting) \d+$/gm);
    expect(await figures()).toEqual(["requests 11", "waiting 10"]);
    links[0]?.close();
    await clock.advance(1_000);
    expect(await figures()).toEqual(["requests 11", "waiting 5"]);
  });
});

it("the start of the service is that of its newest process", async () => {
  const metrics = [1, 2].map(async (seconds) => {
    const registry = new Registry();
    measureProcess(registry);
    const measured = await registry.getMetricsAsJSON();
    const start = measured.find(({ name }) => name === "process_start_time_seconds");
    return start === undefined ? [] : [{ ...start, values: [{ value: seconds, labels: {} }] }];
  });
  const sum = AggregatorRegistry.aggregate(await Promise.all(metrics));
  expect(await sum.metrics()).toMatch(/^process_start_time_seconds 2$/m);
});

it("a worker is measured once a second, however many requests want the figures", async () => {
  const clock = new ManualClock();
  const sums = new SummedMetrics(new Registry(), clock);
  const { worker, primary } = localLink();
  sums.add(worker);
  const registry = new WorkerRegistry(primary);
  let measured = 0;
  const collect = () => void measured++;
  new Gauge({ name: "waiting", help: "-", registers: [registry], collect });
  primary.send({ kind: "listening", url: "" });
  for (let i = 0; i < 3; i++) {
    const texts = await Promise.all(Array.from({ length: 50 }, () => registry.metrics()));
    expect([new Set(texts).size, measured]).toEqual([1, 1]);
  }
  await clock.advance(1_000);
  await registry.metrics();
  expect(measured).toBe(2);
});

describe("the reports of all processes", () => {
  const reportOf = (pid: number) => ({ pid }) as ProcessReport;

  it("are collected by any worker; one that is too busy is listed without a report", async () => {
    const clock = new ManualClock();
    const service = new ServiceReports(async () => reportOf(1), clock);
    const links = [localLink(), localLink(), localLink()];
    const workers = links.map(({ worker, primary }, i) => {
      service.add(worker, i + 1);
      const reports = new WorkerReports(primary);
      // The second one never reports.
      reports.provide(i === 1 ? () => new Promise(() => {}) : async () => reportOf(10 + i));
      primary.send({ kind: "listening", url: "" });
      return reports;
    });
    const collected = async () => {
      const reports = workers[2]?.collect();
      await clock.advance(2_000);
      return (await reports)?.map(({ process, report }) => [process, report?.pid ?? null]);
    };
    const all = [
      ["primary", 1],
      ["worker 1", 10],
      ["worker 2", null],
      ["worker 3", 12],
    ];
    expect(await collected()).toEqual(all);
    links[0]?.close();
    expect(await collected()).toEqual(all);
    await clock.advance(1_000);
    expect(await collected()).toEqual(all.filter(([process]) => process !== "worker 1"));
  });

  it("leave out those that fail, and the process goes on", async () => {
    const { worker, primary } = localLink();
    const failing = () => Promise.reject(new RangeError("no figure"));
    new ServiceReports(failing).add(worker, 1);
    const reports = new WorkerReports(primary);
    reports.provide(failing);
    primary.send({ kind: "listening", url: "" });
    expect(await reports.collect()).toEqual([
      { process: "primary", report: null },
      { process: "worker 1", report: null },
    ]);
  });

  it("are not awaited for ever", async () => {
    const clock = new ManualClock();
    const reports = new WorkerReports(localLink().primary, clock);
    const late = expect(reports.collect()).rejects.toMatchObject({ code: "unavailable", retryable: true });
    await clock.advance(3_000);
    await late;
  });
});

it("divides the limits of a service exactly", () => {
  const totals = { ...DEFAULT_LIMITS, concurrentReads: 16, waitingRequests: 5, answerMemoryBytes: 1_000 };
  const parts = [1, 2, 3].map((worker) => workerLimits(totals, worker, 3));
  const sum = (of: (limits: typeof totals) => number) => parts.reduce((all, part) => all + of(part), 0);
  expect(parts.map(({ waitingRequests }) => waitingRequests)).toEqual([2, 2, 1]);
  expect([sum((part) => part.concurrentReads), sum((part) => part.answerMemoryBytes)]).toEqual([16, 1_000]);
  expect(sum(({ wrongKeys }) => wrongKeys)).toBe(20);
  expect([1, 2, 3].map((worker) => workerPart(1_024, worker, 3))).toEqual([342, 341, 341]);
  expect(workerLimits({ ...totals, waitingRequests: 0 }, 64, 64)).toMatchObject({
    concurrentReads: 1,
    waitingRequests: 0,
    concurrentQueries: totals.concurrentQueries,
  });
});
