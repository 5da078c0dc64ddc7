import { expect, it } from "vitest";
import { accessibilityFindings, open, reload, type Stage, screenshot, visit } from "./stage.ts";

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

/** What all pages have in common. */
export function shellTests(stage: () => Stage): void {
  it("says up to which block the chain is indexed, and follows it", async () => {
    await visit(stage(), "/", async (page) => {
      const freshness = page.getByText(/^Live · eth block [\d,]+, \d+ s ago/);
      await freshness.waitFor();
      const before = await freshness.textContent();
      await expect.poll(() => freshness.textContent(), { timeout: 20_000 }).not.toBe(before);
    });
  });

  it("says that it waits where the service hangs", async () => {
    await visit(stage(), "/", async (page) => {
      await page.getByText(/^Live · eth block/).waitFor();
      await page.route("**/v1/status", () => {});
      await page.getByText(/^Waiting for the service · eth block [\d,]+, \d+ s ago/).waitFor();
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });

  it("is light or dark as the system is, and as one chooses, which lasts", async () => {
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

  it("says so where there is no such page, and no file", async () => {
    await visit(stage(), "/eth/token/0x12", async (page) => {
      await page.getByText("There is no such page").waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await screenshot(page, "not-found");
    });
    const file = await fetch(`${stage().url}/assets/none.js`, { headers: { accept: "text/html" } });
    expect(file.status).toBe(404);
  });

  it("lets the first key reach the content", async () => {
    await visit(stage(), "/", async (page) => {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
    });
  });

  it("leads from the reference of the API back to the explorer", async () => {
    const context = await stage().browser.newContext();
    const page = await context.newPage();
    await page.goto(`${stage().url}/docs`);
    await page.getByRole("heading", { name: "Prices" }).first().waitFor();
    await screenshot(page, "docs");
    await page.getByRole("link", { name: "Explorer" }).click();
    await page.getByText("The market of eth").waitFor({ state: "attached" });
    await context.close();
  });

  it("runs nothing but its own files", async () => {
    const { headers } = await fetch(stage().url, { headers: { accept: "text/html" } });
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  });

  addressTests(stage);
}

/** What addresses say that no page wrote. */
function addressTests(stage: () => Stage): void {
  it.each([
    "pool_address=5",
    "interval=banana&price_type=x&side=foo&part=foo&fill=0&is_log=banana&min_usd=abc&trader=zzz&x=1",
  ])("takes ?%s as nothing chosen", async (search) => {
    await visit(stage(), `/eth/token/${WETH}?${search}`, async (page) => {
      await page.getByRole("heading", { name: /WETH/ }).first().waitFor();
      await page.getByRole("region", { name: "Trades" }).locator("tbody tr").first().waitFor();
      expect(new URL(page.url()).search).toBe("");
    });
  });

  it.each(["/nochain", `/nochain/token/${WETH}`, "/nochain/block/5"])(
    "says of %s that the chain is not indexed, and leads to those that are",
    async (path) => {
      await visit(stage(), path, async (page) => {
        await page.getByText("This service does not index a chain named nochain").waitFor();
        await page.getByText("nochain is not indexed here").waitFor();
        expect(await page.title()).toContain("nochain");
        expect(await page.getByRole("alert").count()).toBe(0);
        expect(await accessibilityFindings(page)).toEqual([]);
        await screenshot(page, "unknown-chain");
        await page.getByRole("main").getByRole("link", { name: "eth" }).click();
        await page.getByText("The market of eth").waitFor({ state: "attached" });
      });
    },
  );

  it("takes the name of a chain in any case", async () => {
    await visit(stage(), `/ETH/token/${WETH}`, (page) =>
      page.getByRole("heading", { name: /WETH/ }).first().waitFor(),
    );
  });

  it("keeps the header where a page cannot be shown, and shows it when it can be", async () => {
    const context = await stage().browser.newContext();
    const page = await context.newPage();
    await page.route("**/assets/block-page*.js", (route) => route.abort());
    await open(page, `${stage().url}/eth/block/5`);
    await page.getByText("This page cannot be shown").waitFor();
    expect(await page.getByRole("combobox", { name: "Search" }).isVisible()).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    await screenshot(page, "page-failure");
    await page.unroute("**/assets/block-page*.js");
    await page.getByRole("button", { name: "Load again" }).click();
    await page.getByRole("heading", { name: "Block 5", exact: true }).waitFor();
    await context.close();
  });
}
