import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { accessibilityFindings, type Stage, screenshot, visit } from "./stage.ts";

interface ReadableOptions {
  stage: () => Stage;
  /** Name of the screenshots. */
  name: string;
  path: () => string | Promise<string>;
  /** Resolves once the page is loaded. */
  ready: (page: Page) => Promise<void>;
}

/** Tests that a page is accessible in light and dark mode, on a desktop and on a phone. */
export function readableTests({ stage, name, path, ready }: ReadableOptions): void {
  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)("is readable in %s at a width of %i", async (colorScheme, width) => {
    const look = async (page: Page) => {
      await ready(page);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(await accessibilityFindings(page)).toEqual([]);
      await screenshot(page, `${name}-${colorScheme}-${width}`);
    };
    await visit(stage(), await path(), look, { colorScheme, viewport: { width, height: 850 } });
  });
}
