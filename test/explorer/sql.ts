import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { exampleQueries } from "../../explorer/src/pages/sql/sidebar/example-queries.ts";
import { READ } from "./support/read-files.ts";
import { readableTests } from "./support/readable.ts";
import { accessibilityFindings, open, reload, type Stage, screenshot, visit } from "./support/stage.ts";

type Row = Record<string, string | number | null>;

/** Token of the example queries: the demo's most traded one. */
const SUBJECT = {
  chain: "eth",
  token: { address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", name: "WETH" },
};
const BLOCKS =
  "SELECT block_number, gas_used, block_hash FROM eth_blocks WHERE block_number < 30 ORDER BY block_number";

/**
 * A slow query: takes about a millisecond for each of about 20,000 rows. It contains too many numbers to fit
 * into a link.
 */
const HEAVY = `SELECT COUNT(*) AS n FROM eth_logs
  WHERE ${Array.from({ length: 8 }, (_, i) => `transaction_hash RLIKE '.*[0-7].{${50 + i}}[g-w].*'`).join(" OR ")}
  OR log_index IN (${Array.from({ length: 6000 }, (_, i) => 1_000_000 + i).join(", ")})`;

/** Tests the SQL console. */
export function sqlTests(stage: () => Stage): void {
  const rowsOf = async (query: string): Promise<Row[]> => {
    const response = await ask(stage(), query);
    expect(response.status, query).toBe(200);
    return (await response.json()) as Row[];
  };

  answerTests(stage, rowsOf);
  editorTests(stage);
  keepingTests(stage);

  it("charts an answer with times: selected columns, as lines or bars", async () => {
    const query = exampleQueries(SUBJECT).find(({ title }) => title.startsWith("Buy and sell"))?.query ?? "";
    await visit(stage(), linkTo(query), async (page) => {
      await page.getByRole("grid").waitFor();
      await page.getByRole("radio", { name: "Chart" }).check({ force: true });
      await page.getByRole("figure", { name: "volume_usd by hour" }).locator("canvas").first().waitFor();
      expect(await page.getByRole("list", { name: "Lines" }).getByRole("listitem").allTextContents()).toEqual(
        ["buy", "sell"],
      );
      await screenshot(page, "sql-chart");
      await page.getByRole("radio", { name: "Bars" }).check({ force: true });
      await page.getByLabel("One line per").selectOption("column");
      await page.getByText(/^Not shown: [\d,]+ values with the same time/).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
    });
    await visit(stage(), linkTo(BLOCKS), async (page) => {
      await page.getByRole("grid").waitFor();
      expect(await page.getByRole("radio", { name: "Chart" }).count()).toBe(0);
    });
  });

  it.each(["csv", "json", "ndjson", "parquet", "arrow"] as const)(
    "downloads the answer as %s",
    async (form) => {
      const rows = await rowsOf(BLOCKS);
      await visit(stage(), linkTo(BLOCKS), async (page) => {
        const downloaded = page.waitForEvent("download");
        await page.getByRole("button", { name: NAMES[form], exact: true }).click();
        const download = await downloaded;
        expect(download.suggestedFilename()).toMatch(new RegExp(`^quarry-\\d{8}-\\d{6}\\.${form}$`));
        expect(await READ[form](await readFile(await download.path()))).toEqual(rows);
        await page.getByText(new RegExp(`^${form}: (\\d+|[\\d.]+k) bytes$`)).waitFor();
      });
    },
  );

  it("has examples that all have rows", async () => {
    for (const { title, query } of exampleQueries(SUBJECT)) {
      // By chance, the demo's market may contain no outliers or no failed transactions.
      const least = /outliers|Failed/.test(title) ? 0 : 1;
      expect((await rowsOf(query)).length, title).toBeGreaterThanOrEqual(least);
    }
  });
}

function answerTests(stage: () => Stage, rowsOf: (query: string) => Promise<Row[]>): void {
  it("runs the query of a link and shows the rows of the API", async () => {
    const rows = await rowsOf(BLOCKS);
    await visit(stage(), linkTo(BLOCKS), async (page) => {
      await page.getByText(`${rows.length} rows`).waitFor();
      for (const [index, row] of rows.slice(0, 5).entries()) {
        expect(await exactCells(page, index)).toEqual(Object.values(row).map(String));
      }
      await page.getByText("limit 10,000").waitFor();
      await page.getByText(/^[\d,]+ ms$/).waitFor();
      await page.getByText(/^as of block [\d,]+$/).waitFor();
      await page.getByRole("gridcell").getByRole("link", { name: "7", exact: true }).click();
      await page.getByRole("heading", { name: "Block 7", exact: true }).waitFor();
    });
  });

  it.each(["123", "null", "[1]", '{"a":1}'])("keeps the query %s of a link as text", async (query) => {
    await visit(stage(), linkTo(query), async (page) => {
      await page
        .getByRole("alert")
        .getByText(/line 1:1/)
        .waitFor();
      await expect
        .poll(() => page.getByRole("textbox", { name: "SQL query" }).textContent(), PATIENT)
        .toBe(query);
      expect(new URL(page.url()).searchParams.get("query")).toBe(query);
    });
  });

  it("shows large numbers to the last digit, and null as null", async () => {
    const query =
      "SELECT balance_base, NULLIF(token_symbol, token_symbol) AS nothing FROM eth_token_balances WHERE balance_base > '9007199254740993' ORDER BY record_index LIMIT 1";
    const [row] = await rowsOf(query);
    await visit(stage(), linkTo(query), async (page) => {
      await page.getByRole("gridcell").first().waitFor();
      const [number, nothing] = await page.getByRole("gridcell").all();
      expect((await number?.textContent())?.replaceAll(",", "")).toBe(row?.balance_base);
      expect(await nothing?.textContent()).toBe("null");
    });
  });

  it("virtualizes ten thousand rows, sorts them, and says that there are more", async () => {
    const query = "SELECT record_index, address, data FROM eth_logs ORDER BY record_index";
    const response = await ask(stage(), query);
    const rows = (await response.json()) as { record_index: number }[];
    expect(rows.length).toBe(10_000);
    expect(response.headers.get("x-truncated")).toBe("true");
    const newest = Math.max(...rows.map(({ record_index }) => record_index));
    await visit(stage(), linkTo(query), async (page) => {
      await page.getByText("Incomplete: there are more than 10,000 rows.").waitFor();
      expect(await page.getByRole("row").count()).toBeLessThan(100);
      await page.getByRole("columnheader", { name: "record_index" }).getByRole("button").click();
      await expect.poll(async () => (await exactCells(page, 0))[0], PATIENT).toBe(String(newest));
      await page.getByRole("grid").focus();
      await page.keyboard.press("End");
      await page.locator("#cell-9999-0").waitFor();
      expect(await page.getByRole("row").count()).toBeLessThan(100);
    });
  });

  it("cancels a query, which stops it in the service; a query too long for a link has no link", async () => {
    await visit(stage(), "/sql", async (page) => {
      const before = await disconnected(stage());
      await page.getByRole("textbox", { name: "SQL query" }).fill(HEAVY);
      await page.keyboard.press("ControlOrMeta+Enter");
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("The query was cancelled.").waitFor();
      await expect.poll(() => disconnected(stage()), PATIENT).toBeGreaterThan(before);
      expect(new URL(page.url()).search).toBe("");
      expect(await page.getByRole("button", { name: "Copy link" }).isDisabled()).toBe(true);
    });
  });

  it("says that LIMIT 0 returns no rows", async () => {
    await visit(stage(), linkTo("SELECT miner FROM eth_blocks LIMIT 0"), (page) =>
      page.getByText("0 rows: the query has LIMIT 0.").waitFor(),
    );
  });

  it("says that no rows match", async () => {
    await visit(stage(), linkTo("SELECT miner FROM eth_blocks WHERE gas_used < 0"), async (page) => {
      await page.getByRole("status").getByText("0 rows", { exact: true }).waitFor();
      await page.getByText("0 rows: no rows match this query.").waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
    });
  });

  it.each(["SHOW TABLES", "DESCRIBE eth_blocks"])("answers %s", async (query) => {
    const rows = await rowsOf(query);
    await visit(stage(), linkTo(query), async (page) => {
      await page.getByText(`${rows.length} rows`).waitFor();
      expect(await exactCells(page, 1)).toEqual(Object.values(rows[1] ?? {}).map(String));
    });
  });
}

function editorTests(stage: () => Stage): void {
  it("marks the service's error, selects it, and applies the suggestion", async () => {
    const query = "SELECT amount_usd,\n  side FROM eth_dex_trade LIMIT 5";
    await visit(stage(), linkTo(query), async (page) => {
      const alert = page.getByRole("alert");
      await alert.getByText('line 2:13: there is no table "eth_dex_trade"').waitFor();
      const mark = page.locator(".cm-lintRange-error");
      await expect.poll(() => mark.allTextContents(), PATIENT).toEqual(["eth_dex_trade"]);
      await screenshot(page, "sql-mistake");
      await page.getByRole("button", { name: "Go to error" }).click();
      await expect.poll(() => page.evaluate("getSelection().toString()"), PATIENT).toBe("eth_dex_trade");
      await mark.hover();
      await page.getByRole("button", { name: "Replace with eth_dex_trades" }).click();
      await expect.poll(() => mark.count(), PATIENT).toBe(0);
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByText("5 rows").waitFor();
    });
  });

  it("is usable by keyboard alone: completes names in any case, runs, moves through rows and copies a cell", async () => {
    const look = async (page: Page) => {
      await page.getByRole("textbox", { name: "SQL query" }).focus();
      await page.keyboard.type("SELECT MINER, block_number FROM ETH_BLO");
      await page.getByRole("option", { name: "eth_blocks" }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.type(" WHERE Block_Num");
      await page.getByRole("option", { name: /^block_number/ }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.type(" = 3");
      await page.keyboard.press("ControlOrMeta+Enter");
      await page.getByText("1 row", { exact: true }).waitFor();
      const query = new URL(page.url()).searchParams.get("query");
      expect(query).toBe("SELECT MINER, block_number FROM eth_blocks WHERE block_number = 3");
      const grid = page.getByRole("grid");
      for (let i = 0; i < 40 && !(await isFocused(grid)); i++) await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ControlOrMeta+c");
      await expect.poll(() => copied(page), PATIENT).toBe("3");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Block 3", exact: true }).waitFor();
    };
    await visit(stage(), "/sql", look, { permissions: ["clipboard-read", "clipboard-write"] });
  });

  it("completes on Tab as soon as the list opens, and opens a list while typing", async () => {
    await visit(stage(), "/sql", async (page) => {
      await page.getByRole("textbox", { name: "SQL query" }).focus();
      const taken = page.evaluate(TAB_AT_ONCE);
      await page.keyboard.type("SELECT miner FROM ");
      // Inserts the text at once. If it were typed, the list might open between two keys, and the script
      // would press Tab too early.
      await page.keyboard.insertText("ETH_BLO");
      expect(await taken).toBe(true);
      await page.keyboard.type(" WHERE Block_Num");
      await page
        .getByRole("option", { name: /^block_number/ })
        .first()
        .waitFor();
      const text = await page.getByRole("textbox", { name: "SQL query" }).textContent();
      expect(text).toBe("SELECT miner FROM eth_blocks WHERE Block_Num");
    });
  });

  it("describes the column under the pointer", async () => {
    await visit(stage(), linkTo("SELECT base_fee_per_gas FROM eth_blocks LIMIT 1"), async (page) => {
      await page.getByRole("grid").waitFor();
      await page
        .locator(".cm-line")
        .getByText("base_fee_per_gas")
        .hover({ position: { x: 60, y: 8 } });
      await page
        .getByText("base_fee_per_gas – integer, wei per gas, or null: base fee; null before London")
        .waitFor();
    });
  });

  it("lists tables and columns, and inserts a clicked one into the query", async () => {
    await visit(stage(), "/sql", async (page) => {
      await page.getByRole("textbox", { name: "SQL query" }).waitFor();
      await page.getByRole("radio", { name: "Tables" }).check({ force: true });
      await page.getByRole("searchbox", { name: "Find a table or column" }).fill("base_fee");
      await page.getByRole("button", { name: /^base_fee_per_gas/ }).click();
      expect(await page.getByRole("textbox", { name: "SQL query" }).textContent()).toBe("base_fee_per_gas");
      expect(await accessibilityFindings(page)).toEqual([]);
    });
  });
}

function keepingTests(stage: () => Stage): void {
  it("saves queries by name, remembers runs, and links to a query", async () => {
    const look = async (page: Page) => {
      await page.getByText("30 rows").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByLabel("Name").fill("First blocks");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Copy link" }).click();
      await expect.poll(() => copied(page), PATIENT).toBe(stage().url + linkTo(BLOCKS));
      await open(page, `${stage().url}/sql`);
      await page.getByRole("radio", { name: "History" }).check({ force: true });
      await page.getByRole("button", { name: /30 rows, \d+ \w+ ago$/ }).waitFor();
      await page.getByRole("radio", { name: "Saved" }).check({ force: true });
      await page.getByRole("button", { name: "First blocks", exact: true }).click();
      await page.getByText("30 rows").first().waitFor();
      await page.getByRole("button", { name: "Delete First blocks" }).click();
      await page.getByText("Saved queries are stored in this browser.").waitFor();
    };
    await visit(stage(), linkTo(BLOCKS), look, { permissions: ["clipboard-read", "clipboard-write"] });
  });

  it("keeps a draft across a reload and navigation; a new link shows its own query", async () => {
    await visit(stage(), "/sql", async (page) => {
      const editor = page.getByRole("textbox", { name: "SQL query" });
      const shows = (text: string) => expect.poll(() => editor.textContent(), PATIENT).toBe(text);
      await editor.fill("SELECT 1 AS one");
      await expect.poll(() => draftOf(page), PATIENT).toContain("SELECT 1 AS one");
      await reload(page);
      await shows("SELECT 1 AS one");
      await page.getByRole("link", { name: "Quarry, home" }).click();
      await page.getByText("eth market").waitFor({ state: "attached" });
      await page.getByRole("link", { name: "SQL", exact: true }).click();
      await shows("SELECT 1 AS one");
      await open(page, stage().url + linkTo(BLOCKS));
      await page.getByText("30 rows").waitFor();
      await shows(BLOCKS);
      await editor.fill("SELECT 2 AS two");
      await expect.poll(() => draftOf(page), PATIENT).toContain("SELECT 2 AS two");
      await reload(page);
      await page.getByText("30 rows").waitFor();
      await shows("SELECT 2 AS two");
      await open(page, `${stage().url}/eth`);
      await open(page, stage().url + linkTo(BLOCKS));
      await shows(BLOCKS);
    });
  });

  it("keeps the query that it runs in the editor, also after other queries and when going back", async () => {
    await visit(stage(), linkTo(BLOCKS), async (page) => {
      const editor = page.getByRole("textbox", { name: "SQL query" });
      const shows = (text: string) => expect.poll(() => editor.textContent(), PATIENT).toBe(text);
      for (const count of [1, 2]) {
        const query = `SELECT block_number FROM eth_blocks ORDER BY block_number LIMIT ${count}`;
        await editor.fill(query);
        await page.keyboard.press("ControlOrMeta+Enter");
        await page.getByText(count === 1 ? "1 row" : "2 rows", { exact: true }).waitFor(PATIENT);
        await shows(query);
      }
      await page.goBack();
      await shows("SELECT block_number FROM eth_blocks ORDER BY block_number LIMIT 1");
    });
  });

  const largest =
    exampleQueries(SUBJECT).find(({ title }) => title.startsWith("Largest trades"))?.query ?? "";
  readableTests({
    stage,
    name: "sql",
    path: () => linkTo(largest),
    ready: (page) => page.getByRole("grid").waitFor(),
  });
}

/** Timeout for a busy machine. */
const PATIENT = { timeout: 20_000 };

const NAMES = { csv: "CSV", json: "JSON", ndjson: "NDJSON", parquet: "Parquet", arrow: "Arrow" };

/**
 * Script that presses Tab as soon as the list of tables opens. Resolves to whether the editor handled the
 * key.
 */
const TAB_AT_ONCE = `new Promise((resolve) => {
  const editor = document.querySelector(".cm-content");
  new MutationObserver((_, observer) => {
    const option = document.querySelector('[role="option"]');
    if (option?.textContent !== "eth_blocks") return;
    observer.disconnect();
    const tab = new KeyboardEvent("keydown", { key: "Tab", keyCode: 9, bubbles: true, cancelable: true });
    editor.dispatchEvent(tab);
    resolve(tab.defaultPrevented);
  }).observe(document.body, { subtree: true, childList: true });
})`;

/** Returns the stored draft of the editor. */
function draftOf(page: Page): Promise<string | null> {
  return page.evaluate("sessionStorage.getItem('quarry.sql.draft')");
}

function copied(page: Page): Promise<string> {
  return page.evaluate("navigator.clipboard.readText()");
}

function isFocused(place: Locator): Promise<boolean> {
  return place.evaluate((element) => element === element.ownerDocument.activeElement);
}

function linkTo(query: string): string {
  return `/sql?${new URLSearchParams({ query })}`;
}

function ask({ url }: Stage, query: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/v1/sql`, { method: "POST", headers, body: JSON.stringify({ query }) });
}

/** Returns the exact values of a row. The displayed values may be abbreviated. */
function exactCells(page: Page, row: number): Promise<(string | null)[]> {
  return page
    .locator(`[id^="cell-${row}-"]`)
    .evaluateAll((cells: { getAttribute(name: string): string | null }[]) =>
      cells.map((cell) => cell.getAttribute("title")),
    );
}

/** Returns the number of SQL requests whose clients disconnected before the response. */
async function disconnected({ url }: Stage): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith("quarry_http_requests_total{"));
  const own = lines.filter((line) => line.includes('route="/v1/sql"') && line.includes('status="499"'));
  return own.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
