import type { Page } from "playwright-core";
import type { Stage } from "./stage.ts";

/** A row of an SQL answer. */
export type ApiRow = Record<string, string | number | null>;

/** Returns rows from the API, to compare them with the page. */
export async function rowsOf({ url }: Stage, query: string): Promise<ApiRow[]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/sql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as ApiRow[];
}

/** Returns the text of a value in a page's details. */
export async function detailOf(page: Page, name: string): Promise<string> {
  const detail = page
    .locator("dl > div")
    .filter({ has: page.locator("dt").getByText(name, { exact: true }) });
  return (await detail.locator("dd").innerText()).trim();
}

/** Returns the number of rows in a panel, over all of the panel's pages. */
export async function countsOf(page: Page, title: string): Promise<number> {
  const panel = page.getByRole("region", { name: new RegExp(`^${title}( \\(\\d+\\))?$`) }).first();
  await panel
    .getByText(/^No |has no /)
    .or(panel.locator("tbody tr, li"))
    .first()
    .waitFor();
  for (let count = 0; ; ) {
    count += await panel.locator("tbody tr, ul > li").count();
    const next = panel.getByRole("button", { name: "Next" });
    if ((await next.count()) === 0 || (await next.isDisabled())) return count;
    const range = panel.getByText(/^\d+ to \d+$/);
    const before = await range.textContent();
    await next.click();
    for (let tries = 0; (await range.textContent()) === before && tries < 200; tries++)
      await page.waitForTimeout(50);
    await page.waitForTimeout(300);
  }
}
