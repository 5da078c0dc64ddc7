import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { NICER, yieldToEventLoop } from "./thread-priority.ts";

const THREADS = "/proc/self/task";

it.runIf(existsSync(THREADS))("lowers the priority of threads that are not Node's own", async () => {
  const own = readdirSync(THREADS);
  const worker = new Worker("setInterval(() => {}, 1_000)", { eval: true });
  await once(worker, "online");
  const before = getPriority();
  const priorities = () => own.map((thread) => getPriority(Number(thread)));
  const ownBefore = priorities();
  expect(yieldToEventLoop(own)).toBeGreaterThan(0);
  const others = readdirSync(THREADS).filter((thread) => !own.includes(thread));
  expect(others.map((thread) => getPriority(Number(thread)))).toContain(Math.min(19, before + NICER));
  expect(priorities()).toEqual(ownBefore);
  expect(getPriority()).toBe(before);
  await worker.terminate();
});

it("changes nothing if Node's own threads are not known", () => {
  expect([yieldToEventLoop(undefined), yieldToEventLoop([])]).toEqual([0, 0]);
});
