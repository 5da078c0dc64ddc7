import type { components } from "./api-types.ts";
import type { AsOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import type { CallOptions } from "./request.ts";
import { askAboutTokens } from "./token-lists.ts";

type Schemas = components["schemas"];

export type LatestPricesQuestion = Schemas["GetBatchLatestTokenPricesBody"];
export type LatestPrice = Schemas["GetBatchLatestTokenPricesAnswer"][number];

export interface LatestPrices {
  /** One for each distinct token, in the order of the question. */
  prices: LatestPrice[];
  /** Of the oldest part where the list was asked for in parts. */
  asOf: AsOf | null;
}

export async function latestPrices(
  connection: Connection,
  body: LatestPricesQuestion,
  options?: CallOptions,
): Promise<LatestPrices> {
  const path = "/v1/price-api/batch-latest-token-prices";
  const { items, asOf } = await askAboutTokens<LatestPrice>(connection, { path, body, ...options });
  return { prices: items, asOf };
}
