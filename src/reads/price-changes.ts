import type { Hex } from "../lib/hex.ts";
import { identifier, join, type Sql, sql } from "../lib/sql-text.ts";
import { answerExpression } from "../schema/engine-type.ts";
import { dexTrades } from "../schema/tables/dex-trades.ts";
import { readNewest } from "./newest-trades.ts";
import { readSummary } from "./price-summary.ts";
import type { Snapshot } from "./snapshot.ts";
import { tradesWith } from "./trade-conditions.ts";
import type { TradePrice } from "./trade-price.ts";

/** Prices of a token at both ends of a period, USD per token. */
export interface PriceChange {
  open: number;
  close: number;
}

interface ChangeQuestion {
  tokens: readonly Hex[];
  priceType: TradePrice;
  /** Ends of the period, unix seconds. */
  from: number;
  until: number;
}

/**
 * The prices in force at the ends of a period for each token that has one at its end. A token without one at
 * the start, because it was not traded yet, opens with the first price inside.
 */
export async function readPriceChanges(
  snapshot: Snapshot,
  { tokens, priceType, from, until }: ChangeQuestion,
): Promise<Map<Hex, PriceChange>> {
  const closes = await readPricesInForce(snapshot, { tokens, priceType, at: until });
  const known = [...closes.keys()];
  const opens = await readPricesInForce(snapshot, { tokens: known, priceType, at: from });
  const young = known.filter((token) => !opens.has(token));
  const inside = { tokens: young, from: Math.max(0, from), until, priced: priceType };
  const firsts = young.length === 0 ? [] : await readEnds(snapshot, inside, sql`argMin`);
  for (const { tokenAddress, price } of firsts) opens.set(tokenAddress, price);
  return new Map(
    [...closes].flatMap(([token, close]) => {
      const open = opens.get(token);
      return open === undefined ? [] : [[token, { open, close }]];
    }),
  );
}

interface InForceQuestion {
  tokens: readonly Hex[];
  priceType: TradePrice;
  /** Unix seconds. */
  at: number;
}

/** The price of each token's last priced trade at or before a time, USD; none for a token without one. */
export async function readPricesInForce(
  snapshot: Snapshot,
  { tokens, priceType, at }: InForceQuestion,
): Promise<Map<Hex, number>> {
  if (at < 0) return new Map();
  if (at >= snapshot.commit.timestamp) return readNewestPrices(snapshot, { tokens, priceType });
  const newest = await readNewest({
    tokens,
    until: Math.min(at, snapshot.commit.timestamp),
    readSince: (missing, from) =>
      readEnds(snapshot, { tokens: missing, from, until: at, priced: priceType }, sql`argMax`),
  });
  return new Map(newest.map(({ tokenAddress, price }) => [tokenAddress, price]));
}

/** The prices in force now. */
async function readNewestPrices(snapshot: Snapshot, tokens: Pick<InForceQuestion, "tokens" | "priceType">) {
  const select = join([tokenColumn(), sql`tupleElement(closed, 1) AS price`]);
  const newest = await readSummary<TokenPrice>(snapshot, { ...tokens, states: ["closed"], select });
  return new Map(newest.map(({ tokenAddress, price }) => [tokenAddress, price]));
}

function tokenColumn(): Sql {
  return sql`${answerExpression(dexTrades.columns.token_address.kind, sql`token_address`, "rest")} AS tokenAddress`;
}

interface TokenPrice {
  tokenAddress: Hex;
  price: number;
}

interface PricedTrades {
  tokens: readonly Hex[];
  from: number;
  until: number;
  priced: TradePrice;
}

/** The price of the first (argMin) or last (argMax) of each token's trades. */
function readEnds(snapshot: Snapshot, trades: PricedTrades, end: Sql): Promise<TokenPrice[]> {
  return snapshot.query(
    sql`SELECT ${tokenColumn()}, ${end}(${identifier(trades.priced)}, record_index) AS price FROM ${tradesWith(snapshot, trades)} GROUP BY token_address`,
  );
}
