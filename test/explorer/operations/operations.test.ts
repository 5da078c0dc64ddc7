import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IndexingState } from "../../../src/api/endpoint/endpoint.ts";
import { type ClientKey, hashOfKey, type KeyScope } from "../../../src/api/keys/client-keys.ts";
import { NO_KEY_LIMITS } from "../../../src/api/keys/key-limits.ts";
import { hexOf, type Market, openMarket } from "../../../src/reads/support/market.ts";
import { readableTests } from "../support/readable.ts";
import {
  accessibilityFindings,
  hasChromium,
  openStageOf,
  type Stage,
  screenshot,
  visit,
} from "../support/stage.ts";

const NOW = Math.floor(Date.now() / 1000);
const HOSTILE = "<img src=x onerror=document.title=1>";
const STATEMENT = `SELECT block_number FROM eth_dex_trades WHERE token_symbol = '${HOSTILE}'`;

const ENDPOINT = { requests: 200, lies: 0, latencyMs: 42 };

/** State of an indexer with two endpoints, one of which fails. */
const INDEXING: IndexingState = {
  head: 1005,
  finalized: 1000,
  ready: true,
  message: null,
  outage: null,
  stalled: null,
  endpoints: [
    { ...ENDPOINT, url: "https://one.example/***", failures: 0, avoidedUntil: null },
    { ...ENDPOINT, url: "https://two.example/***", failures: 50, avoidedUntil: NOW + 60 },
  ],
  ages: {
    seen: {
      ...{ p50: 0.9, p95: 2.1, count: 256 },
      histogram: [
        { above: 0.75, atMost: 1, count: 200 },
        { above: 1.5, atMost: 2, count: 56 },
      ],
    },
    committed: null,
  },
  rollbacks: { count: 3, deepest: 2, lastAt: NOW },
  extension: null,
};

const KEYS: Record<string, readonly KeyScope[]> = {
  "usual-key": ["data", "sql"],
  "operator-key": ["data", "sql", "operations"],
};

const known = new Map(
  Object.entries(KEYS).map(([secret, scopes]): [string, ClientKey] => [
    hashOfKey(secret),
    { id: secret.replace("-key", ""), scopes, expiresAt: null, limits: NO_KEY_LIMITS },
  ]),
);

const panel = (page: Page, name: string | RegExp) => page.getByRole("region", { name, exact: true });
/** Returns the rows of a panel's table. The table is a region with the same name as the panel around it. */
const rowsOf = (page: Page, name: string) => panel(page, name).last().locator("tbody tr");

const send = (url: string, query: string, key?: string) =>
  fetch(`${url}/v1/sql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { "x-api-key": key }) },
    body: JSON.stringify({ query }),
  }).then((response) => response.text());

describe.skipIf(!hasChromium)("the Operations page, in a browser", () => {
  let market: Market;
  let open: Stage;
  let keyed: Stage;

  beforeAll(async () => {
    market = await openMarket([1, 2, 3].map((price) => ({ token: hexOf(9), at: NOW - 9 + price, price })));
    const { engine, chains } = market;
    const limits = { slowAfterMs: 0, rejectionDelayMs: 0 };
    open = await openStageOf({ engine, chains, limits, logQueries: true, indexing: () => INDEXING });
    const clientKeys = { isRequired: true, find: (hash: string) => known.get(hash) };
    keyed = await openStageOf({ engine, chains, limits: { ...limits, slowAfterMs: 60_000 }, clientKeys });
  }, 180_000);
  afterAll(async () => {
    await open?.close();
    await keyed?.close();
    await market?.close();
  });

  /** Opens the page in a new context. Unlike in `visit`, requests may fail, which Chromium logs. */
  async function openPage(stage: Stage, options: BrowserContextOptions = {}, key?: string): Promise<Page> {
    const context = await stage.browser.newContext({ reducedMotion: "reduce", ...options });
    if (key !== undefined) await context.addInitScript(`localStorage["quarry.key"] ??= "${key}"`);
    const page = await context.newPage();
    await page.goto(`${stage.url}/operations`);
    return page;
  }

  it("shows the lag of the chains and the health of the endpoints", async () => {
    await visit(open, "/eth", async (page) => {
      await page.getByRole("link", { name: "Operations" }).click();
      await page.getByRole("heading", { name: "Operations", exact: true }).waitFor();
      expect(await page.title()).toBe("Operations · Quarry");
      const chain = await rowsOf(page, "Chains").first().textContent();
      expect(chain).toMatch(/^ethReady3\d+ (s|min)1,0023 \(≤ 2\)$/);
      const ages = await rowsOf(page, "Age of new blocks").allTextContents();
      expect(ages).toEqual(["ethSeen100 ms1 s10 s1 min900 ms2.10 s256", "ethStored––––", "ethSent––––"]);
      await page
        .getByRole("img", { name: "200 blocks from 750 ms to 1 s, 56 blocks from 1.5 s to 2 s" })
        .waitFor();
      const endpoints = await rowsOf(page, "RPC endpoints").allTextContents();
      expect(endpoints).toEqual([
        "ethHealthyhttps://one.example/***42 ms02000",
        "ethAvoidedhttps://two.example/***42 ms50 (25.0 %)2000",
      ]);
      await page.getByText("eth: 1 of 2 RPC endpoints is avoided.").waitFor();
    });
  });

  it("shows queues, memory and load with their limits", async () => {
    await visit(open, "/operations", async (page) => {
      await rowsOf(page, "Queues").first().waitFor();
      const queues = await rowsOf(page, "Queues").allTextContents();
      expect(queues[1]).toMatch(/^SQL, long0 of 20 of 200/);
      // The first figures do not contain the CPU load yet.
      await expect
        .poll(() => rowsOf(page, "Processes").allTextContents(), { timeout: 10_000 })
        .toEqual([expect.stringMatching(/^service [\d.]+ [MG]iB[\d.]+ %[\d.]+ %.*MiB of [\d.]+ GiB/)]);
      expect(await panel(page, "Engine").locator("tbody tr").allTextContents()).toEqual([
        expect.stringMatching(/^eth .*[MG]iB/),
      ]);
      const load = await rowsOf(page, "Clients’ load").allTextContents();
      expect(load).toContainEqual(expect.stringMatching(/^Connections\d+ of [\d,]+$/));
      await page.getByText("No limit has rejected a request or a connection.").waitFor();
    });
  });

  it("lists slow requests as they arrive, and their SQL only as text", async () => {
    await visit(open, "/operations", async (page) => {
      await rowsOf(page, "Queues").first().waitFor();
      expect(await page.getByText(HOSTILE).count()).toBe(0);
      await send(open.url, STATEMENT);
      const row = page.getByRole("row").filter({ hasText: HOSTILE });
      await row.waitFor();
      expect(await row.textContent()).toMatch(/^\d+ s ago\d+ ms\d+ ms200POST \/v1\/sqleth127\.0\.0\.1SELECT/);
      expect(await page.locator("main img").count()).toBe(0);
      expect(await page.title()).toBe("Operations · Quarry");
      await page.getByText("Slowest in 24 h").click();
      await row.waitFor();
      await row.getByRole("link", { name: "Open" }).click();
      await page.waitForURL(/\/sql\?query=/);
      await page.getByText("token_symbol").first().waitFor();
    });
  });

  it("offers only whole SQL to open", async () => {
    await visit(open, "/operations", async (page) => {
      await send(open.url, `SELECT block_number FROM eth_dex_trades -- long ${"x".repeat(3_000)}`);
      const row = page.getByRole("row").filter({ hasText: "-- long" });
      await row.getByText("Beginning", { exact: true }).waitFor();
      expect(await row.getByRole("link", { name: "Open" }).count()).toBe(0);
    });
  });

  it("says as of when the figures are if they no longer update", async () => {
    const context = await open.browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(`${open.url}/operations`);
    await rowsOf(page, "Queues").first().waitFor();
    expect(await page.getByRole("status").filter({ hasText: "attention" }).allTextContents()).toEqual([
      expect.stringMatching(/^(One thing needs|\d things need) attention:$/),
    ]);
    await page.route("**/v1/operations", (route) =>
      route.fulfill({ status: 503, json: { error: "Out of order." } }),
    );
    await page
      .getByRole("alert")
      .getByText(/^The service's figures were last updated at .* UTC; updates are failing: Out of order\.$/)
      .waitFor();
    expect(await rowsOf(page, "Queues").count()).toBeGreaterThan(0);
    await page.unroute("**/v1/operations");
    await page.getByRole("alert").waitFor({ state: "detached" });
    await context.close();
  });

  readableTests({
    stage: () => open,
    name: "operations",
    path: () => "/operations",
    ready: (page) => rowsOf(page, "Queues").first().waitFor(),
  });

  it("reserves room while it loads, and shows an error with a retry", async () => {
    const context = await open.browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    let isBroken = true;
    await page.route("**/v1/operations", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      if (isBroken) await route.fulfill({ status: 500, json: { error: "Out of order." } });
      else await route.continue();
    });
    await page.goto(`${open.url}/operations`);
    await page.locator("main [aria-busy=true]").first().waitFor();
    const alert = page.getByRole("alert");
    await alert.getByText("Out of order.").waitFor();
    await expect.poll(() => rowsOf(page, "Chains").count(), { timeout: 10_000 }).toBe(1);
    await screenshot(page, "operations-error");
    isBroken = false;
    await alert.getByRole("button", { name: "Try again" }).click();
    await rowsOf(page, "Queues").first().waitFor();
    await context.close();
  });

  it("without keys, explains to clients elsewhere that they may not read it", async () => {
    const page = await openPage(open, { extraHTTPHeaders: { "x-forwarded-for": "203.0.113.9" } });
    await page
      .getByRole("alert")
      .getByText(/it can be read only on the machine that runs the service/)
      .waitFor();
    await expect.poll(() => rowsOf(page, "Chains").count(), { timeout: 10_000 }).toBe(1);
    expect(await page.getByLabel("API key").count()).toBe(0);
    expect(await panel(page, "Queues").count()).toBe(0);
    await page.context().close();
  });

  it("with keys, needs one with the scope operations, and does not repeat a request with another", async () => {
    const page = await openPage(keyed, {}, "usual-key");
    let requests = 0;
    const alert = panel(page, "Not permitted").getByRole("alert");
    await alert.getByText(/needs a key with the scope operations; usual has data, sql/).waitFor();
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/operations")) requests++;
    });
    expect(await accessibilityFindings(page)).toEqual([]);
    await screenshot(page, "operations-denied");
    await page.waitForTimeout(5_000);
    expect(requests).toBeLessThan(2);
    await alert.getByLabel("API key").fill("operator-key");
    await alert.getByRole("button", { name: "Save" }).click();
    await rowsOf(page, "Queues").first().waitFor();
    await page.getByText("No request has taken longer than 60 s.").waitFor();
    await page.context().close();
  });
});
