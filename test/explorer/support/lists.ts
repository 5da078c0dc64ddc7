import type { Locator, Page } from "playwright-core";

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;

export function list(page: Page, label: string): { table: Locator; rows: Locator } {
  const table = page.locator(`section[aria-label^="${label}"]`);
  return { table, rows: table.locator("tbody tr") };
}

/** Returns the symbols that do not fit into their cells. */
export async function cutSymbols(page: Page, label: string): Promise<string[]> {
  const { rows } = list(page, label);
  await rows.first().waitFor();
  return rows
    .locator('a[href*="/token/"] > span:last-child')
    .evaluateAll((symbols) =>
      symbols
        .filter((symbol) => symbol.scrollWidth > symbol.clientWidth)
        .map((symbol) => symbol.textContent ?? ""),
    );
}

export function numberOf(text: string): number {
  return Number(text.replaceAll(",", ""));
}
