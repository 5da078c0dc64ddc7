import { expect, it } from "vitest";
import type { Ask } from "../ask.ts";
import { find } from "./find.ts";

const addressOf = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;

const TRADING = { volume_24h_usd: 1, trades_24h: 1, accepted_trades_24h: 1, spam_reasons: null };

/** Returns as many tokens as a chain has, up to the size that the request asks for. */
function chainWith(tokens: number, commit = 7): Ask {
  const headers: Record<string, string> = { "x-indexed-block-hash": "0xab", "x-commit": String(commit) };
  return async (_endpoint, { size }: Record<string, unknown>) => ({
    body: {
      tokens: Array.from({ length: Math.min(tokens, Number(size)) }, (_, n) => ({
        ...{ chain: "eth", token_address: addressOf(n), token_symbol: "X", token_name: "X" },
        ...TRADING,
      })),
      pools: [],
      hidden_spam: 0,
    },
    header: (name) => headers[name] ?? null,
  });
}

interface Page {
  rows: unknown[][];
  note?: string;
  truncated?: string;
  cursor?: string;
}

async function pageOf(ask: Ask, cursor?: string, query = "x"): Promise<Page> {
  return JSON.parse(await find.run({ query, chain: "eth", cursor }, ask));
}

it("has pages that together contain every match once", async () => {
  const ask = chainWith(45);
  const pages = [await pageOf(ask)];
  for (let page = pages[0]; page?.cursor !== undefined; page = pages.at(-1))
    pages.push(await pageOf(ask, page.cursor));
  expect(pages.map(({ rows, truncated }) => [rows.length, truncated !== undefined])).toEqual([
    [20, true],
    [20, true],
    [5, false],
  ]);
  const ids = pages.flatMap(({ rows }) => rows.map(([, id]) => id));
  expect(ids).toEqual(Array.from({ length: 45 }, (_, n) => addressOf(n)));
});

it("says on the last page that there may be more matches than the search returns", async () => {
  const ask = chainWith(60);
  const second = await pageOf(ask, (await pageOf(ask)).cursor);
  const last = await pageOf(ask, second.cursor);
  expect(last).toMatchObject({ truncated: expect.stringContaining("Give a longer name") });
  expect([last.rows.length, last.cursor]).toEqual([10, undefined]);
});

it("does not say so for an address, although the search also finds other tokens", async () => {
  const tokens = chainWith(60);
  const ask: Ask = async (endpoint, given) =>
    endpoint.path === "/v1/search"
      ? tokens(endpoint, given)
      : { body: endpoint.path === "/v1/sql" ? [] : { chains: [] }, header: () => null };
  const page = await pageOf(ask, undefined, addressOf(3));
  expect(page.rows.map(([, id]) => id)).toEqual([addressOf(3)]);
  expect(page.truncated).toBeUndefined();
});

it("says that the order may have changed since the first page", async () => {
  const first = await pageOf(chainWith(45, 7));
  expect(first.note).toBeUndefined();
  expect((await pageOf(chainWith(45, 7), first.cursor)).note).toBeUndefined();
  expect((await pageOf(chainWith(45, 8), first.cursor)).note).toContain("as of commit 7");
});

it("rejects a cursor of another tool", async () => {
  const other = Buffer.from(JSON.stringify(["wallet", { offset: 20, commit: 7 }])).toString("base64url");
  await expect(pageOf(chainWith(45), other)).rejects.toThrow("cursor");
});
