import { resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startProcess } from "../../test/support/processes/processes.ts";

/**
 * A program that starts work in another thread, and then prints `busy`. The work takes a minute and cannot be
 * interrupted.
 */
const BUSY = `
  import { pbkdf2 } from "node:crypto";
  import { shutdownSignal } from ${JSON.stringify(resolve(import.meta.dirname, "shutdown.ts"))};
  const signal = shutdownSignal(STOP_MS);
  signal.addEventListener("abort", () => console.log("stopping"));
  pbkdf2("x", "y", 100_000_000, 64, "sha512", () => process.exit(0));
  setInterval(() => {}, 1_000);
  console.log("busy");
`;

function startBusy(stopMs: number) {
  const script = BUSY.replace("STOP_MS", String(stopMs));
  const running = startProcess(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
  onTestFinished(async () => void (await running.stop("SIGKILL")));
  return running;
}

it("a process that cannot stop in time is ended, and says so", async () => {
  const running = startBusy(100);
  await running.printed(/busy/);
  const { stderr } = await running.stop("SIGTERM");
  expect(running.child.signalCode).toBe("SIGTERM");
  expect(stderr).toBe("quarry: still busy 0.1 s after SIGTERM; ending now\n");
});

it("a second signal ends a process at once", async () => {
  const running = startBusy(600_000);
  await running.printed(/busy/);
  running.child.kill("SIGTERM");
  await running.printed(/stopping/);
  const { stderr } = await running.stop("SIGINT");
  expect([running.child.signalCode, stderr]).toEqual(["SIGINT", ""]);
});
