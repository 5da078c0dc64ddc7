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
  it.each([1280, 390])("is readable in light and dark at a width of %i", async (width) => {
    const look = async (page: Page) => {
      await ready(page);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await expectAccessible(page, `${name}-${width}`);
    };
    await visit(stage(), await path(), look, { viewport: { width, height: 850 } });
  });
}

/**
 * Expects no accessibility findings in light and dark mode. The page is loaded only once, because an open
 * page follows the system's theme.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFindings(page), colorScheme).toEqual([]);
    await screenshot(page, `${name}-${colorScheme}`);
  }
}
