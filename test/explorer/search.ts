import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectAccessible } from "./support/readable.ts";
import { open, reload, type Stage, screenshot, visit } from "./support/stage.ts";

interface Token {
  token_address: string;
  symbol: string;
  name: string;
  volume: number;
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";

/** Tests the search in the header of every page. */
export function searchTests(stage: () => Stage): void {
  findingTests(stage);
  keyTests(stage);
  sayingTests(stage);
  elsewhereTests(stage);
}

/** Tests which page each search opens. */
function findingTests(stage: () => Stage): void {
  it("opens the page of anything pasted, when Enter is pressed at once", async () => {
    const { api } = stage();
    const [trade] = await api.sql(
      "SELECT trader_address, transaction_hash FROM eth_dex_trades ORDER BY record_index DESC LIMIT 1",
    );
    const [block] = await api.sql(
      "SELECT block_number, block_hash FROM eth_blocks ORDER BY block_number LIMIT 1 OFFSET 20",
    );
    const [pool] = await api.sql(
      "SELECT pool_address FROM eth_pool_metadata WHERE protocol = 'uniswap_v2' LIMIT 1",
    );
    const pages = [
      [WETH.toUpperCase().replace("0X", "0x"), `/eth/token/${WETH}`],
      [pool?.pool_address, `/eth/pool/${pool?.pool_address}`],
      [trade?.trader_address, `/eth/wallet/${trade?.trader_address}`],
      [trade?.transaction_hash, `/eth/tx/${trade?.transaction_hash}`],
      [block?.block_hash, `/eth/block/${block?.block_number}`],
      [`#${block?.block_number}`, `/eth/block/${block?.block_number}`],
      ["wrapped ETH", `/eth/token/${WETH}`],
      ["weth", `/eth/token/${WETH}`],
      [WETH.slice(2), `/eth/token/${WETH}`],
      [`https://etherscan.io/token/${WETH}?a=${trade?.trader_address}`, `/eth/token/${WETH}`],
      [`etherscan.io/tx/${trade?.transaction_hash}#eventlog`, `/eth/tx/${trade?.transaction_hash}`],
    ];
    await visit(stage(), "/sql", async (page) => {
      for (const [typed, path] of pages) {
        await page.getByRole("combobox", { name: "Search" }).fill(` ${typed} `);
        await page.keyboard.press("Enter");
        await expect.poll(() => new URL(page.url()).pathname, { timeout: 20_000 }).toBe(path);
      }
    });
  });

  it.each(["WETH/USDC", "usdc weth", "eth - usdc"])(
    "finds the pools of %s, most traded first",
    async (pair) => {
      const volumes = await volumesOfPair();
      expect(volumes.size).toBeGreaterThan(0);
      await visit(stage(), "/", async (page) => {
        await search(page, pair);
        const shown = page.getByRole("group", { name: "Pools" }).getByRole("option");
        const isShown = (pool: string, text = "") => text.includes(pool.slice(-4));
        const pools = [...volumes.keys()];
        let texts: string[] = [];
        // Results for tokens, and for the first letters typed, may appear before these.
        const isAnswered = async () => {
          texts = await shown.allTextContents();
          return pools.every((pool) => texts.some((text) => isShown(pool, text)));
        };
        await expect.poll(isAnswered).toBe(true);
        const [first = "", volume = 0] = [...volumes].find(([pool]) => isShown(pool, texts[0])) ?? [];
        // Trading continues between the two measurements.
        expect(volume).toBeGreaterThan(0.98 * Math.max(...volumes.values()));
        expect(texts[0]).toMatch(/(WETH \/ USDC|USDC \/ WETH) Uniswap V\d.*\$/);
        await screenshot(page, "search-pair");
        await page.keyboard.press("Enter");
        await page.waitForURL(`**/eth/pool/${first}`);
      });
    },
  );

  /**
   * Returns the 24-hour volume of each of the pair's pools in US dollars. A swap between the two tokens
   * counts once, for the token with the higher volume.
   */
  async function volumesOfPair(): Promise<Map<string, number>> {
    const { chains } = await stage().api.get<{ chains: [{ indexed_timestamp: number }] }>("/v1/status");
    const sides = await stage().api.sql<{ pool_address: string; volume: number }>(
      `SELECT pool_address, token_address, SUM(amount_usd) AS volume FROM eth_dex_trades
       WHERE timestamp > ${chains[0].indexed_timestamp - 86_400} AND token_address IN ('${WETH}', '${USDC}')
       AND quote_address IN ('${WETH}', '${USDC}') GROUP BY pool_address, token_address ORDER BY volume`,
    );
    return new Map(sides.map(({ pool_address, volume }) => [pool_address, volume]));
  }

  /** Returns the tokens whose symbol or name starts with a string, by their volume in the last 24 hours. */
  async function mostTraded(start: string): Promise<Token[]> {
    const { chains } = await stage().api.get<{ chains: [{ indexed_timestamp: number }] }>("/v1/status");
    const tokens = await stage().api.sql<Token>(
      `SELECT token_address, MAX(token_symbol) AS symbol, MAX(token_name) AS name, SUM(amount_usd) AS volume
       FROM eth_dex_trades WHERE timestamp > ${chains[0].indexed_timestamp - 86_400} GROUP BY token_address`,
    );
    return tokens
      .filter(({ symbol, name }) => [symbol, name].some((text) => text.toLowerCase().startsWith(start)))
      .sort((a, b) => b.volume - a.volume);
  }

  it("lists names that start with the text first, most traded first", async () => {
    await visit(stage(), "/", async (page) => {
      const before = await mostTraded("s");
      await search(page, "s");
      const shown = await page.getByRole("option").allTextContents();
      expect(before.length).toBeGreaterThan(1);
      const first = shown.slice(0, before.length);
      const isListed = (tokens: Token[]) =>
        tokens.every(
          ({ symbol, token_address }, i) =>
            first[i]?.includes(symbol) && first[i]?.includes(token_address.slice(-4)),
        );
      // The market continues, so two tokens may change places between the query and the page.
      const orders = [before, await mostTraded("s")];
      expect([first, orders, orders.some(isListed)]).toEqual([first, orders, true]);
      const inside = shown.findIndex((text) => text.includes("USDC"));
      expect(inside).toBeGreaterThanOrEqual(before.length);
      expect(shown[0]).toMatch(/\$[\d.]+[kM]/);
    });
  });
}

/** Tests keyboard use and recent results. */
function keyTests(stage: () => Stage): void {
  it("is usable by keyboard alone, from / to the page, and closes with Escape", async () => {
    await visit(stage(), "/", async (page) => {
      await search(page, "s");
      const input = page.getByRole("combobox", { name: "Search" });
      const active = () =>
        page.evaluate(
          "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent",
        );
      const options = await page
        .getByRole("listbox", { name: "Results" })
        .getByRole("option")
        .allTextContents();
      expect(await active()).toBe(options[0]);
      await page.keyboard.press("ArrowDown");
      expect(await active()).toBe(options[1]);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      expect(await active()).toBe(options.at(-1));
      await page.keyboard.press("Escape");
      expect([await input.getAttribute("aria-expanded"), await input.inputValue()]).toEqual(["false", "s"]);
      await page.keyboard.press("Escape");
      expect(await input.inputValue()).toBe("");
      await page.keyboard.type("usdc");
      await page.getByRole("option", { name: "USDC" }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/eth\/token\/0xa0b8/);
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
    });
  });

  it("remembers the opened results in this browser, newest first", async () => {
    await visit(stage(), "/", async (page) => {
      for (const symbol of ["weth", "usdc", "weth"]) {
        await search(page, symbol);
        await page.keyboard.press("Enter");
        await page.waitForURL(symbol === "weth" ? /0xc02a/ : /0xa0b8/);
      }
      await reload(page);
      await page.getByRole("combobox", { name: "Search" }).click();
      const recent = page.getByRole("listbox", { name: "Recent" }).getByRole("option");
      await expect
        .poll(() => recent.allTextContents())
        .toEqual([expect.stringContaining("WETH"), expect.stringContaining("USDC")]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/0xa0b8/);
    });
  });
}

/** Tests messages and requests. */
function sayingTests(stage: () => Stage): void {
  it("says what can be searched if there are no results", async () => {
    await visit(stage(), "/", async (page) => {
      const said = async (typed: string) => {
        await page.getByRole("combobox", { name: "Search" }).fill(typed);
        return page.getByRole("search").getByRole("status");
      };
      await (await said("it's no token%_")).getByText("No results for “it's no token%_” on eth").waitFor();
      await (await said("0x12345")).getByText("This has 5 hex digits: an address has 40").waitFor();
      await (await said(`0x${"1".repeat(40)}`))
        .getByText("No indexed token, pool, sender or holder has this address")
        .waitFor();
      await (await said(`0x${"1".repeat(64)}`)).getByText("No indexed transaction, block").waitFor();
      await (await said("")).getByText("Search for a token symbol or name").waitFor();
    });
  });

  it("marks results of the previous text as outdated, and does not open them", async () => {
    await visit(stage(), "/", async (page) => {
      await search(page, "weth");
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route(/\/v1\/search\?.*query=usdc/, async (route) => {
        await held;
        return route.continue();
      });
      await page.getByRole("combobox", { name: "Search" }).fill("usdc");
      await page.getByRole("search").getByText("Searching…").waitFor();
      const stale = page.getByRole("option", { name: "WETH" }).first();
      expect(await stale.getAttribute("aria-disabled")).toBe("true");
      await stale.click({ force: true });
      await page.waitForTimeout(300);
      await screenshot(page, "search-stale");
      expect(new URL(page.url()).pathname).toBe("/");
      answer();
      await page.getByRole("option", { name: "USDC" }).first().waitFor();
      await page.getByText("Searching…").waitFor({ state: "detached" });
      await page.getByRole("option", { name: "USDC" }).first().click();
      await page.waitForURL(`**/eth/token/${USDC}`);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });

  it("abbreviates a long text without results", async () => {
    await visit(stage(), "/", async (page) => {
      await page.getByRole("combobox", { name: "Search" }).fill("q".repeat(3000));
      const said = page.getByText(/^No results for “q+…” on eth/);
      await said.waitFor();
      expect((await said.textContent())?.length).toBeLessThan(300);
    });
  });

  it("sends one request for text typed without a pause", async () => {
    await visit(stage(), "/", async (page) => {
      const requested: string[] = [];
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.pathname === "/v1/search") requested.push(url.searchParams.get("query") ?? "");
      });
      await search(page, "weth");
      expect(new Set(requested)).toEqual(new Set(["weth"]));
    });
  });

  it("shows why a search failed", async () => {
    const page = await stage().browser.newPage();
    await open(page, stage().url);
    const refusal = { status: 408, json: { error: "the query took longer than 30 seconds" } };
    await page.route("**/v1/search?**", (route) => route.fulfill(refusal));
    await page.keyboard.press("/");
    await page.keyboard.type("weth");
    await page.getByText("Search failed: the query took longer than 30 seconds").waitFor();
    await page.close();
  });
}

/** Tests several chains, themes and screen sizes. */
function elsewhereTests(stage: () => Stage): void {
  it("searches the current chain, then the others, and names the chains", async () => {
    await visit(stage(), "/", async (page) => {
      await addSecondChain(page);
      await open(page, `${stage().url}/base`);
      expect(await page.getByRole("combobox", { name: "Chain" }).inputValue()).toBe("base");
      await search(page, "weth");
      await expect
        .poll(() =>
          page
            .getByRole("listbox", { name: "Results" })
            .getByRole("group")
            .evaluateAll((groups) => groups.map((group) => group.ariaLabel)),
        )
        .toEqual(["Tokens on base", "Tokens on eth"]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/eth/token/${WETH}`);
      await page.getByRole("combobox", { name: "Chain" }).selectOption("base");
      await page.waitForURL("**/base");
      await page.getByText("base market").waitFor({ state: "attached" });
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  });

  it.each([
    ["search", {}],
    ["search-phone", PHONE],
  ] as const)("is accessible in light and dark: %s", async (name, options) => {
    await visit(
      stage(),
      "/",
      async (page) => {
        await search(page, "a");
        await expectAccessible(page, name);
      },
      options,
    );
  });
}

async function search(page: Page, typed: string): Promise<void> {
  await page.getByRole("combobox", { name: "Search" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(typed);
  await page.getByRole("listbox", { name: "Results" }).getByRole("option").first().waitFor();
}

/** Simulates a second chain, `base`, with the demo's tables. */
async function addSecondChain(page: Page): Promise<void> {
  await page.route("**/v1/**", async (route) => {
    const request = route.request();
    const body = request.postData()?.replaceAll("base_", "eth_").replaceAll('"base"', '"eth"');
    const url = request.url().replace("chain=base", "chain=eth");
    const response = await route.fetch({ url, ...(body === undefined ? {} : { postData: body }) });
    if (url !== request.url()) {
      const text = (await response.text()).replaceAll('"chain":"eth"', '"chain":"base"');
      return route.fulfill({ response, body: text });
    }
    if (!request.url().endsWith("/v1/status")) return route.fulfill({ response });
    const { chains } = await response.json();
    return route.fulfill({ response, json: { chains: [...chains, { ...chains[0], chain: "base" }] } });
  });
}
