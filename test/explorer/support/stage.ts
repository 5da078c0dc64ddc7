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

/**
 * Blocks are rare, because each one causes every open page to send its requests again, and the indexer to
 * work. Only a few tests wait for blocks.
 */
const BLOCK_SECONDS = "5";

/** A running service with the explorer, and a browser. */
export interface Stage {
  url: string;
  api: Api;
  browser: Browser;
  /** Empty pages that later visits reuse, by their options. */
  tabs: Map<string, Page>;
  close(): Promise<void>;
}

/** Starts a service in this process over rows that are already stored. */
export async function openStageOf(options: ApiOptions): Promise<Stage> {
  buildExplorer();
  const app = await createServer({ ...options, explorer: join(ROOT, "explorer/dist") });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const browser = await openBrowser();
  const close = async () => {
    await browser.close();
    await app.close();
  };
  return { url, api: apiAt(url), browser, tabs: new Map(), close };
}

/** Starts the demo and a browser. */
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
  return { url, api: apiAt(url), browser, tabs: new Map(), close };
}

const buildExplorer = () => execFileSync(process.execPath, [join(ROOT, "scripts/build-explorer.mjs")]);
const openBrowser = () => chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });

const DESKTOP = { width: 1280, height: 900 };

const PAGE: BrowserContextOptions = { viewport: DESKTOP, reducedMotion: "reduce" };

/** Chromium logs every response with status 400; the tests check how the page handles it. */
const REFUSED = /^Failed to load resource: the server responded with a status of 400 /;

interface VisitOptions extends BrowserContextOptions {
  /** Opens a new page with an empty cache, for tests of how a page loads. */
  isFirstVisit?: boolean;
}

/**
 * Runs `look` on a page, and fails if the page logged a warning or an error. By default nothing moves on the
 * page: without a graphics card, each frame of an animation costs as much as a test.
 */
export async function visit(
  stage: Stage,
  path: string,
  look: (page: Page) => Promise<void>,
  { isFirstVisit = false, ...options }: VisitOptions = {},
): Promise<void> {
  const page = (isFirstVisit ? undefined : takeTab(stage, options)) ?? (await newTab(stage, options));
  try {
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (!REFUSED.test(message.text())) problems.push(`${message.text()} at ${message.location().url}`);
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await open(page, stage.url + path);
    await look(page);
    if (problems.length > 0) throw new Error(`the page logged: ${problems.join("\n")}`);
    if (!isFirstVisit) await keepTab(stage, options, page);
  } finally {
    if (stage.tabs.get(JSON.stringify(options)) !== page) await page.context().close();
  }
}

/**
 * Returns the page of an earlier visit with the same options. Opening a new one takes as long as a short
 * test.
 */
function takeTab({ tabs }: Stage, options: BrowserContextOptions): Page | undefined {
  const page = tabs.get(JSON.stringify(options));
  tabs.delete(JSON.stringify(options));
  return page;
}

async function newTab({ browser }: Stage, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...PAGE, ...options });
  return context.newPage();
}

/** Removes everything that a test left on a page, except for cached files. */
async function keepTab(stage: Stage, options: BrowserContextOptions, page: Page): Promise<void> {
  for (const event of ["console", "pageerror", "request", "response"] as const)
    page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // This document has the same origin and no scripts, so nothing is stored again after storage is cleared.
  await page.goto(`${stage.url}/health`);
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await page.mouse.move(0, 0);
  await page.setViewportSize(options.viewport ?? DESKTOP);
  await page.emulateMedia({ colorScheme: options.colorScheme ?? "light" });
  stage.tabs.set(JSON.stringify(options), page);
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

const RULES = {
  all: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21aa"] },
  /** The rules that depend on colours. */
  colours: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
} as const;

/**
 * Rows after the first 20. The same components render them, and they would take up most of a check's time.
 */
const MORE_ROWS = "tbody tr:nth-child(n + 21)";

/**
 * Returns the serious and critical findings of an accessibility check, each with its element. Uses the legacy
 * mode, which does not open a second browser page for each check. That mode skips frames from other origins,
 * but the explorer has none.
 */
export async function accessibilityFindings(
  page: Page,
  rules: keyof typeof RULES = "all",
): Promise<string[]> {
  const { type, values } = RULES[rules];
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ["violations"], runOnly: { type, values: [...values] } })
    .exclude(MORE_ROWS)
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
