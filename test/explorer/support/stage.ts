import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type ApiOptions, createServer } from "../../../src/api/http/server.ts";
import { type Api, apiAt, ROOT, startQuarry, temporaryFolder } from "../../support/processes/processes.ts";

/** Path of Debian's Chromium. QUARRY_CHROMIUM overrides it. */
export const CHROMIUM = process.env.QUARRY_CHROMIUM ?? "/usr/bin/chromium";

export const hasChromium = existsSync(CHROMIUM);

export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Days of market history: enough for a full day's volume and for scrolling back in candles. */
const DAYS = "1.5";

/** With each block, every open page reads again, and so does the indexer. Only a few tests wait for blocks. */
const BLOCK_SECONDS = "5";

/** A running service with the explorer, and a browser. */
export interface Stage {
  url: string;
  api: Api;
  browser: Browser;
  close(): Promise<void>;
}

/** Starts a service in this process over rows that are already stored. */
export async function openStageOf({ engine, chains }: Pick<ApiOptions, "engine" | "chains">): Promise<Stage> {
  buildExplorer();
  const app = await createServer({ engine, chains, explorer: join(ROOT, "explorer/dist") });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const browser = await openBrowser();
  const close = async () => {
    await browser.close();
    await app.close();
  };
  return { url, api: apiAt(url), browser, close };
}

/** Starts the demo. */
export async function openStage(days = DAYS): Promise<Stage> {
  buildExplorer();
  const folder = temporaryFolder();
  const market = ["--days", days, "--block-time", BLOCK_SECONDS];
  const demo = startQuarry(["demo", ...market, "--data", folder.path, "--port", "0"]);
  const [, url = ""] = await demo.printed(/API on (http:\S+)/);
  await demo.printed(/Ctrl-C stops it/, 240_000);
  const browser = await openBrowser();
  const close = async () => {
    await browser.close();
    await demo.stop();
    folder.remove();
  };
  return { url, api: apiAt(url), browser, close };
}

const buildExplorer = () => execFileSync(process.execPath, [join(ROOT, "scripts/build-explorer.mjs")]);
const openBrowser = () => chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });

const PAGE: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" };

/** Chromium logs every response with status 400; the tests check how the page handles it. */
const REFUSED = /^Failed to load resource: the server responded with a status of 400 /;

/**
 * Runs `look` on a page, and fails if the page logged a warning or an error. By default nothing moves on the
 * page: without a graphics card, each frame of an animation costs as much as a test.
 */
export async function visit(
  stage: Stage,
  path: string,
  look: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await stage.browser.newContext({ ...PAGE, ...options });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (!REFUSED.test(message.text())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await open(page, stage.url + path);
    await look(page);
    if (problems.length > 0) throw new Error(`the page logged: ${problems.join("\n")}`);
  } finally {
    await context.close();
  }
}

/**
 * Opens a page and waits until it handles keys. Keys that are pressed before its scripts have run are lost.
 */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await shown(page);
}

export async function reload(page: Page): Promise<void> {
  await page.reload();
  await shown(page);
}

function shown(page: Page): Promise<void> {
  return page.getByRole("link", { name: "Skip to content" }).waitFor({ state: "attached" });
}

/**
 * Returns the serious and critical findings of an accessibility check, each with its element. Uses the legacy
 * mode, which saves a second page for each check. It skips frames from other origins, but pages have none.
 */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ["violations"] })
    .withTags(["wcag2a", "wcag2aa", "wcag21aa"])
    .setLegacyMode()
    .analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")} ${failureSummary}`),
    );
}

/** Takes a screenshot of the whole page if QUARRY_SCREENSHOTS names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.QUARRY_SCREENSHOTS;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
