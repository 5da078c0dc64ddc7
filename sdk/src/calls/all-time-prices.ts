import type { components } from "../api-types.ts";
import type { PartsAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { requestTokens } from "../connection/parts.ts";
import type { CallOptions } from "../connection/request.ts";

type Schemas = components["schemas"];

export type AllTimePricesParams = Schemas["GetBatchAllTimeOHLCBody"];
export type AllTimePrice = Schemas["GetBatchAllTimeOHLCAnswer"][number];

export interface AllTimePrices extends PartsAsOf {
  /** One item for each distinct token, in the order of the request. */
  prices: AllTimePrice[];
}

export async function allTimePrices(
  connection: Connection,
  body: AllTimePricesParams,
  options?: CallOptions,
): Promise<AllTimePrices> {
  const path = "/v1/price-api/batch-all-time-ohlc";
  const { items, ...known } = await requestTokens<AllTimePrice>(connection, { path, body, ...options });
  return { prices: items, ...known };
}
