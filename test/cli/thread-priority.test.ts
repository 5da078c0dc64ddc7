import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startQuarry, temporaryFolder } from "../support/processes/processes.ts";

/** Returns the value of `nice` of each thread of a process. */
function niceValues(pid: number): Map<number, number> {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  return new Map(threads.map((id) => [id, niceOf(readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8"))]));
}

/** The name of a thread, in parentheses, may contain spaces. */
function niceOf(stat: string): number {
  return Number(
    stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .at(16),
  );
}

it.runIf(process.platform === "linux")("statements have a lower priority than the main thread", async () => {
  const folder = temporaryFolder();
  const service = startQuarry(["serve", "--data", folder.path, "--port", "0"]);
  const [, url = ""] = await service.printed(/serving on (http:[^"]+)/);
  const response = await fetch(`${url}/v1/status`);
  expect(response.status).toBe(200);
  const pid = Number(service.child.pid);
  const values = niceValues(pid);
  expect(values.get(pid)).toBe(0);
  // Node's thread pool has 16 threads.
  expect([...values.values()].filter((value) => value === 10).length).toBeGreaterThanOrEqual(16);
  await service.stop("SIGTERM");
  folder.remove();
});
