import { expect, it } from "vitest";
import { accessibilityFindings, open, reload, type Stage, screenshot, visit } from "./support/stage.ts";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

/** Tests the parts that all pages share. */
export function shellTests(stage: () => Stage): void {
  it("shows the newest indexed block, live", async () => {
    await visit(stage(), "/", async (page) => {
      const freshness = page.getByText(/^Live · eth block [\d,]+, \d+ s ago/);
      await freshness.waitFor();
      const before = await freshness.textContent();
      await expect.poll(() => freshness.textContent(), { timeout: 20_000 }).not.toBe(before);
    });
  });

  it("says that it is waiting when the service hangs", async () => {
    await visit(stage(), "/", async (page) => {
      await page.getByText(/^Live · eth block/).waitFor();
      await page.route("**/v1/status", () => {});
      await page.getByText(/^Waiting for the service · eth block [\d,]+, \d+ s ago/).waitFor();
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });

  it("follows the system's theme, or the one that was chosen, even after a reload", async () => {
    const background = "getComputedStyle(document.body).backgroundColor";
    await visit(
      stage(),
      "/",
      async (page) => {
        const dark = await page.evaluate(background);
        await page.getByRole("button", { name: "Switch to light colours" }).click();
        const light = await page.evaluate(background);
        expect(light).not.toBe(dark);
        await reload(page);
        expect(await page.evaluate(background)).toBe(light);
      },
      { colorScheme: "dark" },
    );
  });

  it("shows an unknown page as not found, and answers an unknown file with 404", async () => {
    await visit(stage(), "/eth/token/0x12", async (page) => {
      await page.getByText("Page not found").waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await screenshot(page, "not-found");
    });
    const file = await fetch(`${stage().url}/assets/none.js`, { headers: { accept: "text/html" } });
    expect(file.status).toBe(404);
  });

  it("skips to the content with the first Tab", async () => {
    await visit(stage(), "/", async (page) => {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
    });
  });

  it("links from the API reference back to the explorer", async () => {
    const context = await stage().browser.newContext();
    const page = await context.newPage();
    await page.goto(`${stage().url}/docs`);
    await page.getByRole("heading", { name: "Prices" }).first().waitFor();
    await screenshot(page, "docs");
    await page.getByRole("link", { name: "Explorer" }).click();
    await page.getByText("eth market").waitFor({ state: "attached" });
    await context.close();
  });

  it("allows only its own files to run", async () => {
    const { headers } = await fetch(stage().url, { headers: { accept: "text/html" } });
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  });

  addressTests(stage);
}

/** Tests edited and invalid URLs. */
function addressTests(stage: () => Stage): void {
  it.each([
    "pool_address=5",
    "interval=banana&price_type=x&side=foo&part=foo&fill=0&is_log=banana&min_usd=abc&trader=zzz&x=1",
  ])("ignores the invalid choices ?%s", async (search) => {
    await visit(stage(), `/eth/token/${WETH}?${search}`, async (page) => {
      await page.getByRole("heading", { name: /WETH/ }).first().waitFor();
      await page.getByRole("region", { name: "Trades" }).locator("tbody tr").first().waitFor();
      expect(new URL(page.url()).search).toBe("");
    });
  });

  it.each(["/nochain", `/nochain/token/${WETH}`, "/nochain/block/5"])(
    "says for %s that the chain is not indexed, and links to indexed ones",
    async (path) => {
      await visit(stage(), path, async (page) => {
        await page.getByText("This service does not index nochain").waitFor();
        await page.getByText("nochain is not indexed").waitFor();
        expect(await page.title()).toContain("nochain");
        expect(await page.getByRole("alert").count()).toBe(0);
        expect(await accessibilityFindings(page)).toEqual([]);
        await screenshot(page, "unknown-chain");
        await page.getByRole("main").getByRole("link", { name: "eth" }).click();
        await page.getByText("eth market").waitFor({ state: "attached" });
      });
    },
  );

  it("accepts the name of a chain in any case", async () => {
    await visit(stage(), `/ETH/token/${WETH}`, (page) =>
      page.getByRole("heading", { name: /WETH/ }).first().waitFor(),
    );
  });

  it("keeps the header when a page fails to load, and loads it on reload", async () => {
    const context = await stage().browser.newContext();
    const page = await context.newPage();
    await page.route("**/assets/block-page*.js", (route) => route.abort());
    await open(page, `${stage().url}/eth/block/5`);
    await page.getByText("This page failed to load").waitFor();
    expect(await page.getByRole("combobox", { name: "Search" }).isVisible()).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    await screenshot(page, "page-failure");
    await page.unroute("**/assets/block-page*.js");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Block 5", exact: true }).waitFor();
    await context.close();
  });
}
