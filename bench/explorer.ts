/**
 * What does the explorer's first page cost? Loads it from a running service, or from a demo that the
 * benchmark starts.
 *
 *   npm run bench -- explorer [--url http://127.0.0.1:8080] [--rounds 9] [--days 1.5]
 */
import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";
import { ROOT } from "../test/support/processes/processes.ts";
import { benchOptions } from "./support/bench-options.ts";
import { type RunningDemo, startDemo } from "./support/demo.ts";
import { printTable } from "./support/print-table.ts";

const CHROMIUM = process.env.QUARRY_CHROMIUM ?? "/usr/bin/chromium";
const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
const SCRIPTS =
  "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))";
const FIRST_ROW = "section[aria-label^='Top tokens'] tbody tr";

interface Load {
  paintMs: number;
  rowMs: number;
  scripts: string[];
}

const options = benchOptions({ url: "", rounds: 9, days: 1.5 }, { rounds: 1, days: 0.1 });
const demo = options.url === "" ? await startBuilt() : null;
const url = demo?.url ?? options.url;
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const loads: Load[] = [];
for (let round = 0; round < options.rounds; round++) loads.push(await load(browser));
await browser.close();

const scripts = loads[0]?.scripts ?? [];
printTable(
  ["figure", "value"],
  [
    ["script, gzip (bytes)", await sizeOf(scripts, "gzip")],
    ["script, brotli (bytes)", await sizeOf(scripts, "br")],
    ["first contentful paint (ms, median)", median(loads.map(({ paintMs }) => paintMs))],
    ["first row of the top list (ms, median)", median(loads.map(({ rowMs }) => rowMs))],
  ],
);
await demo?.stop();

function startBuilt(): Promise<RunningDemo> {
  execFileSync(process.execPath, [`${ROOT}/scripts/build-explorer.mjs`], { stdio: "ignore" });
  return startDemo(options.days);
}

/** Loads the page with an empty cache. */
async function load(from: Browser): Promise<Load> {
  const page = await from.newPage();
  await page.goto(url);
  await page.locator(FIRST_ROW).first().waitFor();
  const rowMs: number = await page.evaluate("performance.now()");
  const paintMs: number = await page.evaluate(FIRST_PAINT);
  const loaded: string[] = await page.evaluate(SCRIPTS);
  await page.close();
  return { paintMs, rowMs, scripts: loaded };
}

async function sizeOf(files: readonly string[], encoding: "gzip" | "br"): Promise<number> {
  const sizes = files.map(async (file) => {
    const response = await fetch(file, { method: "HEAD", headers: { "accept-encoding": encoding } });
    return Number(response.headers.get("content-length"));
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN);
}
