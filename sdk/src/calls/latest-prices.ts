import type { components } from "../api-types.ts";
import type { PartsAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { requestTokens } from "../connection/parts.ts";
import type { CallOptions } from "../connection/request.ts";

type Schemas = components["schemas"];

export type LatestPricesParams = Schemas["GetBatchLatestTokenPricesBody"];
export type LatestPrice = Schemas["GetBatchLatestTokenPricesAnswer"][number];

export interface LatestPrices extends PartsAsOf {
  /** One item for each distinct token, in the order of the request. */
  prices: LatestPrice[];
}

export async function latestPrices(
  connection: Connection,
  body: LatestPricesParams,
  options?: CallOptions,
): Promise<LatestPrices> {
  const path = "/v1/price-api/batch-latest-token-prices";
  const { items, ...known } = await requestTokens<LatestPrice>(connection, { path, body, ...options });
  return { prices: items, ...known };
}
