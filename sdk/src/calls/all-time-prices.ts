import type { components } from "../api-types.ts";
import type { PartsAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { askAboutTokens } from "../connection/parts.ts";
import type { CallOptions } from "../connection/request.ts";

type Schemas = components["schemas"];

export type AllTimePricesQuestion = Schemas["GetBatchAllTimeOHLCBody"];
export type AllTimePrice = Schemas["GetBatchAllTimeOHLCAnswer"][number];

export interface AllTimePrices extends PartsAsOf {
  /** One for each distinct token, in the order of the question. */
  prices: AllTimePrice[];
}

export async function allTimePrices(
  connection: Connection,
  body: AllTimePricesQuestion,
  options?: CallOptions,
): Promise<AllTimePrices> {
  const path = "/v1/price-api/batch-all-time-ohlc";
  const { items, ...known } = await askAboutTokens<AllTimePrice>(connection, { path, body, ...options });
  return { prices: items, ...known };
}
