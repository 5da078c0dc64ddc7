import type { components } from "./api-types.ts";
import { type AsOf, asOf, oldest } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import { ask, type CallOptions, type Reply } from "./request.ts";

type Schemas = components["schemas"];

export type LatestPricesQuestion = Schemas["GetBatchLatestTokenPricesBody"];
export type LatestPrice = Schemas["GetBatchLatestTokenPricesAnswer"][number];

export interface LatestPrices {
  /** One for each distinct token, in the order of the question. */
  prices: LatestPrice[];
  /** Of the oldest part where the list was asked for in parts. */
  asOf: AsOf | null;
}

/** The service takes so many tokens in one request. */
export const MAX_TOKENS_PER_REQUEST = 10_000;

export async function latestPrices(
  connection: Connection,
  { token_address: tokens, ...rest }: LatestPricesQuestion,
  options?: CallOptions,
): Promise<LatestPrices> {
  const path = "/v1/price-api/batch-latest-token-prices";
  const replies: Reply<LatestPrice[]>[] = [];
  for (const part of parts(tokens)) {
    const body: LatestPricesQuestion = { ...rest, token_address: part };
    replies.push(await ask(connection, { path, body, ...options }));
  }
  return { prices: replies.flatMap(({ body }) => body), asOf: oldest(replies.map(asOf)) };
}

/** A token counts once, in whatever case it is listed again: in one part the service sees to it, here in all. */
function parts(tokens: readonly string[]): string[][] {
  const distinct = [...new Set(tokens.map((token) => token.trim().toLowerCase()))];
  // An empty list is one part: it is the service's to refuse.
  const count = Math.max(1, Math.ceil(distinct.length / MAX_TOKENS_PER_REQUEST));
  return Array.from({ length: count }, (_, i) =>
    distinct.slice(i * MAX_TOKENS_PER_REQUEST, (i + 1) * MAX_TOKENS_PER_REQUEST),
  );
}
