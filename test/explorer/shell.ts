import { expect, it } from "vitest";
import { accessibilityFindings, reload, type Stage, screenshot, visit } from "./stage.ts";

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

  it("runs nothing but its own files", async () => {
    const { headers } = await fetch(stage().url, { headers: { accept: "text/html" } });
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  });
}
