import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { accessibilityFindings, type Stage, screenshot, visit } from "./stage.ts";

interface ReadableOptions {
  stage: () => Stage;
  /** Prefix of the screenshots' file names. */
  name: string;
  path: () => string | Promise<string>;
  /** Resolves once the page is loaded. */
  ready: (page: Page) => Promise<void>;
}

/** Tests that a page is accessible in light and dark mode, on a desktop and on a phone. */
export function readableTests({ stage, name, path, ready }: ReadableOptions): void {
  it("is readable in light and dark, at widths of 1280 and 390", async () => {
    await visit(stage(), await path(), async (page) => {
      await ready(page);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 850 });
        await expectNoOverflow(page);
        await expectAccessible(page, `${name}-${width}`);
      }
    });
  });
}

/** Expects the page not to be wider than the window. Retries, because charts resize after the page does. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  await expect.poll(() => page.evaluate(overflow)).toBeLessThanOrEqual(0);
}

/**
 * Expects no accessibility findings in light and dark mode. The page is loaded only once, because an open
 * page follows the system's theme. Only colours depend on the theme.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [colorScheme, rules] of [
    ["light", "all"],
    ["dark", "colours"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFindings(page, rules), colorScheme).toEqual([]);
    await screenshot(page, `${name}-${colorScheme}`);
  }
}
