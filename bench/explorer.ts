/** What the explorer's first page costs: `npx tsx bench/explorer.ts http://127.0.0.1:8080`, a running service. */
import { type Browser, chromium } from "playwright-core";

const ROUNDS = 9;
const CHROMIUM = process.env.QUARRY_CHROMIUM ?? "/usr/bin/chromium";
const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
const SCRIPTS =
  "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))";
const FIRST_ROW = "section[aria-label^='Tokens of most volume'] tbody tr";

interface Load {
  paintMs: number;
  rowMs: number;
  scripts: string[];
}

const url = process.argv[2] ?? "http://127.0.0.1:8080";
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const loads: Load[] = [];
for (let round = 0; round < ROUNDS; round++) loads.push(await load(browser));
await browser.close();

const scripts = loads[0]?.scripts ?? [];
console.table({
  "script, gzip (bytes)": await sizeOf(scripts, "gzip"),
  "script, brotli (bytes)": await sizeOf(scripts, "br"),
  "first contentful paint (ms, median)": median(loads.map(({ paintMs }) => paintMs)),
  "first row of the top list (ms, median)": median(loads.map(({ rowMs }) => rowMs)),
});

/** One load with an empty cache. */
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
