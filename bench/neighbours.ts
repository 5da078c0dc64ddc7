/**
 * What does a client notice if other clients take more than their share? Indexes and serves a demo. A client
 * requests the latest price, small SQL and candles, first without other clients and then during each kind of
 * load. Everything runs on the same machine, so the loads also take processor time from the service.
 *
 *   npm run bench -- neighbours [--seconds 15] [--days 14] [--share 1] [--only WORDS] [--container MIB]
 *     [--load-nice 0]
 *
 * With --load-nice 19, the process of the loads gets processor time only if no other process needs it, as if
 * its clients ran on another machine. With --container, the service runs with that memory limit, but the
 * demo's node does not.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "../src/lib/hex.ts";
import { ROOT, startProcess } from "../test/support/processes/processes.ts";
import { benchOptions } from "./support/bench-options.ts";
import { ATTACK_NAMES, type AttackName } from "./support/neighbours/attack-names.ts";
import type { Statuses } from "./support/neighbours/attackers.ts";
import { behaveWell, GOOD_NAMES, type GoodFigures } from "./support/neighbours/good-client.ts";
import { MemoryContainer } from "./support/neighbours/memory-container.ts";
import { printTable } from "./support/print-table.ts";
import { startChild } from "./support/serving/child.ts";
import { keysOfService } from "./support/serving/demo-keys.ts";
import { milliseconds } from "./support/serving/report.ts";

const options = benchOptions(
  { seconds: 15, warmUpSeconds: 2, days: 14, share: 1, only: "", container: 0, loadNice: 0 },
  { seconds: 0.3, warmUpSeconds: 0.2, days: 0.05, share: 0.02 },
);

/** Maximum ratio of the p95 during a load to the p95 without other clients. */
const MOST_RATIO = 3;
const MOST_LAG_SECONDS = 5;

/**
 * Numbers of other programs that each use a core. They show what the scheduler of the machine allows: no
 * service can protect its clients from them.
 */
const OTHER_PROGRAMS = [1, 2, 4];

const folder = mkdtempSync(join(tmpdir(), "quarry-neighbours-"));
const flags = ["--data", folder, "--days", String(options.days), "--port", "0"];
const command = [process.execPath, join(ROOT, "bin/quarry.cjs"), "demo", ...flags];
const container = options.container === 0 ? null : new MemoryContainer(options.container);
const demo =
  container === null
    ? startProcess(process.execPath, command.slice(1))
    : startProcess("/bin/sh", container.argumentsFor(command));
container?.keepOut("anvil");
const [, url = ""] = await demo.printed(/Quarry is live on (http:\S+)/, 600_000);
// The demo saves its chain for the first time half a minute after its start. While it does so, its node makes
// no blocks, so the measurement begins afterwards.
const savedChain = join(folder, "demo-chain/state.json.gz");
while (options.days > 1 && !existsSync(savedChain)) {
  await sleep(500);
  requireRunning();
}
const attackers = startChild(join(import.meta.dirname, "support/neighbours/attackers.ts"));
setPriority(attackers.pid, options.loadNice);
const { tokens, pools } = await keysOfService(url);
const token: Hex = tokens[0] ?? "0x";

await behaveWell(url, token, options.warmUpSeconds);
const quiet = await behaveWell(url, token, options.seconds);
const rows = [rowOf("no load", quiet)];
for (const count of OTHER_PROGRAMS) {
  const name = `${count} other program${count === 1 ? "" : "s"}, no load`;
  if (name.includes(options.only)) rows.push(rowOf(name, await whilePrograms(count)));
}
for (const name of ATTACK_NAMES.filter((one) => one.includes(options.only))) {
  rows.push(rowOf(name, await during(name)));
}
printTable(
  ["during", ...GOOD_NAMES.map((name) => `${name}, p50 / p95 ms`), "refused", "lag, s", "met"],
  rows,
);

await attackers.stop();
requireRunning();
await demo.stop("SIGINT");
if (container !== null) {
  console.log(`\npeak memory in the container: ${Math.round(container.peakMib)} MiB`);
  container.remove();
}
rmSync(folder, { recursive: true, force: true });
process.exit(0);

function requireRunning(): void {
  const { exitCode, signalCode } = demo.child;
  if (exitCode !== null || signalCode !== null) {
    throw new Error(`the service ended (${exitCode ?? signalCode}):\n${demo.output()}`);
  }
}

async function during(name: AttackName): Promise<GoodFigures> {
  const { warmUpSeconds, seconds, share } = options;
  await attackers.request({ name, port: Number(new URL(url).port), pools, share });
  await behaveWell(url, token, warmUpSeconds);
  const figures = await behaveWell(url, token, seconds);
  const statuses = await attackers.request<Statuses>("stop");
  process.stderr.write(`${name}: ${JSON.stringify(statuses)} ${figures.refusal ?? ""}\n`);
  // An invalid request costs little, so a mistake in a load's requests would make the load too light.
  const hasInvalid = name === "300 invalid requests" || name === "all of these at once";
  if ("400" in statuses && !hasInvalid) throw new Error(`the load "${name}" is invalid`);
  await behaveWell(url, token, warmUpSeconds);
  return figures;
}

/** Measures the client while other programs keep the cores busy, without a request to the service. */
async function whilePrograms(count: number): Promise<GoodFigures> {
  const programs = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  try {
    await behaveWell(url, token, options.warmUpSeconds);
    return await behaveWell(url, token, options.seconds);
  } finally {
    for (const program of programs) program.kill("SIGKILL");
  }
}

function rowOf(name: string, figures: GoodFigures): string[] {
  const { times, refused, lagSeconds } = figures;
  const cells = GOOD_NAMES.map((kind) => {
    const p95 = quantile(times[kind], 0.95);
    return `${milliseconds(quantile(times[kind], 0.5))} / ${milliseconds(p95)} (${(p95 / quantile(quiet.times[kind], 0.95)).toFixed(1)} x)`;
  });
  const isKept = GOOD_NAMES.every(
    (kind) => quantile(times[kind], 0.95) <= MOST_RATIO * quantile(quiet.times[kind], 0.95),
  );
  const isMet = isKept && refused === 0 && lagSeconds < MOST_LAG_SECONDS;
  return [name, ...cells, String(refused), String(lagSeconds), isMet ? "yes" : "**no**"];
}

/** Returns a quantile. Returns 1e9 if there are no responses. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * sorted.length)] ?? 1e9;
}
