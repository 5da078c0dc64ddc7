import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { startProcess } from "../../../test/support/processes/processes.ts";
import { ThreadPool } from "./thread-pool.ts";

/** Doubles numbers; "end" makes the thread exit, "throw" throws, "wait" never responds. */
const DOUBLER = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ value, deaths }) => {
  if (value === "wait") return;
  if (value === "throw") throw new Error("no number");
  if (value === "end" && Atomics.sub(deaths, 0, 1) > 0) process.exit(7);
  parentPort.postMessage(value === "end" ? "survived" : 2 * value);
});`;

const pools: ThreadPool<unknown>[] = [];

function poolOf(threads: number): { pool: ThreadPool<unknown>; started: Worker[] } {
  const started: Worker[] = [];
  const start = () => {
    const worker = new Worker(DOUBLER, { eval: true });
    started.push(worker);
    return worker;
  };
  const pool = new ThreadPool<unknown>({ threads, purpose: "double", start });
  pools.push(pool);
  return { pool, started };
}

/** @param deaths number of threads that exit on the job "end" before one responds to it */
function job(value: unknown, deaths = 0) {
  const shared = new Int32Array(new SharedArrayBuffer(4)).fill(deaths);
  return { name: `the job ${value}`, message: () => ({ value: { value, deaths: shared } }) };
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe("a pool of threads", () => {
  it("runs all jobs without exceeding its maximum number of threads", async () => {
    const { pool, started } = poolOf(2);
    const numbers = Array.from({ length: 50 }, (_, i) => i);
    expect(await Promise.all(numbers.map((i) => pool.run(job(i))))).toEqual(numbers.map((i) => 2 * i));
    expect(started).toHaveLength(2);
  });

  it("starts a thread only when there is work for it", async () => {
    const { pool, started } = poolOf(4);
    expect(started).toHaveLength(0);
    for (let i = 0; i < 5; i++) expect(await pool.run(job(i))).toBe(2 * i);
    expect(started).toHaveLength(1);
  });

  it("reruns the jobs of a thread that exits, and loses none", async () => {
    const { pool, started } = poolOf(1);
    const results = [pool.run(job(1)), pool.run(job("end", 2)), pool.run(job(3)), pool.run(job(4))];
    expect(await Promise.all(results)).toEqual([2, "survived", 6, 8]);
    expect(started).toHaveLength(3);
  });

  it("fails a job whose message cannot be made or sent, also while threads are busy, and runs the others", async () => {
    const { pool, started } = poolOf(1);
    const broken = {
      name: "broken",
      message: () => {
        throw new Error("no message");
      },
    };
    await expect(pool.run(broken)).rejects.toThrow("no message");
    const results = [job(1), job(2), broken, job(() => {}), job(3)].map((one) => pool.run(one));
    const settled = await Promise.allSettled(results);
    expect(settled.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)))).toEqual([
      ...[2, 4, "Error: no message", expect.stringContaining("could not be cloned"), 6],
    ]);
    expect(started).toHaveLength(1);
  });

  it("reruns the jobs of a thread that is terminated from outside", async () => {
    const { pool, started } = poolOf(1);
    expect(await pool.run(job(1))).toBe(2);
    const results = Array.from({ length: 20 }, (_, i) => pool.run(job(i)));
    await started[0]?.terminate();
    expect(await Promise.all(results)).toEqual(Array.from({ length: 20 }, (_, i) => 2 * i));
  });

  it("fails a job on which three threads exited, names it, and runs the others", async () => {
    const { pool } = poolOf(1);
    const fatal = pool.run(job("end", 100));
    const other = pool.run(job(2));
    await expect(fatal).rejects.toThrow(
      "3 threads that double exited while working on the job end: exit code 7",
    );
    expect(await other).toBe(4);
    await expect(pool.run(job("throw"))).rejects.toThrow(
      /3 threads .* exited while working on the job throw: no number/,
    );
  });

  it("rejects a job when its signal aborts, in the queue and in a thread", async () => {
    const { pool } = poolOf(1);
    const stop = new AbortController();
    const results = ["wait", 1, 2, 3].map((value) => pool.run(job(value), stop.signal));
    stop.abort(new RangeError("enough"));
    for (const result of results) await expect(result).rejects.toThrow("enough");
    await expect(pool.run(job(1), stop.signal)).rejects.toThrow("enough");
  });

  it("terminates its threads when it is closed, and rejects unfinished jobs", async () => {
    const { pool, started } = poolOf(2);
    const results = Promise.allSettled(["wait", "wait", 1, 2, 3].map((value) => pool.run(job(value))));
    const ended = started.map((worker) => new Promise((resolve) => worker.on("exit", resolve)));
    await pool.close();
    await Promise.all(ended);
    expect(ended).toHaveLength(2);
    expect((await results).every(({ status }) => status === "rejected")).toBe(true);
    await expect(pool.run(job(1))).rejects.toThrow(
      "the threads that double were stopped before the job 1 was done",
    );
    expect(started).toHaveLength(2);
  });

  it("keeps the process alive until a job is done, and no longer", async () => {
    const script = `
      const { Worker } = await import("node:worker_threads");
      const { ThreadPool } = await import(${JSON.stringify(new URL("./thread-pool.ts", import.meta.url).href)});
      const start = () => new Worker(${JSON.stringify(DOUBLER)}, { eval: true, execArgv: [] });
      const pool = new ThreadPool({ threads: 1, purpose: "double", start });
      console.log(await pool.run({ name: "a job", message: () => ({ value: { value: 21 } }) }));`;
    const running = startProcess(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
    const timer = setTimeout(() => running.child.kill("SIGKILL"), 45_000);
    const { code, stdout } = await running.finished;
    clearTimeout(timer);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "42\n" });
  });
});
