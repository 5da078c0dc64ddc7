import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { commitTrades, hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { poolRow, tokenRow } from "../../reads/support/metadata-rows.ts";
import { createServer } from "../http/server.ts";
import { get } from "../support/http.ts";

const NOW = 1_704_500_000;
const BLOCK = 1;
/** Tokens with trades of unknown, partly unknown and zero value; the last token was not traded. */
const TOKENS = [1, 2, 3, 4].map((each) => hexOf(0xa0 + each)) as [Hex, Hex, Hex, Hex];
const [UNKNOWN, PARTLY, WORTHLESS, UNTRADED] = TOKENS;
const poolOf = (token: Hex) => hexOf(0x1000 + Number(token));
const VOLUMES = { [UNKNOWN]: null, [PARTLY]: 70, [WORTHLESS]: 0, [UNTRADED]: 0 };

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([]);
  const trade = (token: Hex, usd: number | null) => ({
    token,
    at: NOW,
    price: null,
    usd,
    pool: poolOf(token),
  });
  const trades = [
    ...[trade(UNKNOWN, null), trade(UNKNOWN, null)],
    ...[trade(PARTLY, null), trade(PARTLY, 70), trade(WORTHLESS, 0)],
  ];
  await commitTrades(market.store, trades, {
    firstBlock: BLOCK,
    rows: {
      token_metadata: TOKENS.map((token, i) =>
        tokenRow(token, [BLOCK, 10 + i], { token_symbol: "LEAF", token_name: null, decimals: null }),
      ),
      pool_metadata: TOKENS.map((token, i) =>
        poolRow(poolOf(token), [token, hexOf(0xff)], [BLOCK, 20 + i], {
          block_number_created: BLOCK,
          timestamp_created: NOW,
        }),
      ),
    },
  });
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

type Volumes = Record<string, number | null>;

async function screened(kind: "token" | "pool", given: Record<string, string> = {}) {
  const { status, body } = await get(app, "/v1/screener", { kind, show_spam: "true", ...given });
  expect([status, body.error]).toEqual([200, undefined]);
  const rows: { id: Hex; volume: number | null }[] = [...body.tokens, ...body.pools].map((row) => ({
    id: row.pool_address ?? row.token_address,
    volume: row.volume_usd,
  }));
  return rows.map(({ id, volume }) => [id, volume]);
}

describe("the volume of trades whose values are unknown", () => {
  const kinds = [
    ["token", (token: Hex) => token],
    ["pool", poolOf],
  ] as const;

  it.each(kinds)(
    "is null in the screener's list by %s, which has it last in both directions",
    async (kind, idOf) => {
      const rows = (...tokens: Hex[]) => tokens.map((token) => [idOf(token), VOLUMES[token]]);
      expect(await screened(kind)).toEqual(rows(PARTLY, WORTHLESS, UNKNOWN));
      expect(await screened(kind, { order: "asc" })).toEqual(rows(WORTHLESS, PARTLY, UNKNOWN));
      expect(await screened(kind, { sortby: "traders" })).toEqual(rows(PARTLY, WORTHLESS, UNKNOWN));
    },
  );

  it.each(kinds)(
    "is in no range of the screener, but the volume of a %s without trades is zero",
    async (kind, idOf) => {
      const rows = (...tokens: Hex[]) => tokens.map((token) => [idOf(token), VOLUMES[token]]);
      expect(await screened(kind, { min_volume_usd: "0" })).toEqual(rows(PARTLY, WORTHLESS));
      expect(await screened(kind, { max_volume_usd: "10" })).toEqual(rows(WORTHLESS));
      const all = Object.fromEntries(await screened(kind, { max_age: "1h" }));
      expect(all).toEqual(Object.fromEntries(rows(...TOKENS)));
      const known = await screened(kind, { max_age: "1h", max_volume_usd: "10" });
      expect(known).toEqual(rows(WORTHLESS, UNTRADED));
    },
  );

  it("is null in the search", async () => {
    const { body } = await get(app, "/v1/search", { query: "leaf", show_spam: "true" });
    const volumes = (rows: Record<string, unknown>[], id: string): Volumes =>
      Object.fromEntries(rows.map((row) => [row[id], row.volume_24h_usd]));
    expect(volumes(body.tokens, "token_address")).toEqual(VOLUMES);
    const ofPools = Object.fromEntries(TOKENS.map((token) => [poolOf(token), VOLUMES[token]]));
    expect(volumes(body.pools, "pool_address")).toEqual(ofPools);
  });
});
