import type { components } from "./api-types.ts";
import type { AsOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import type { CallOptions } from "./request.ts";
import { askAboutTokens } from "./token-lists.ts";

type Schemas = components["schemas"];

export type AllTimePricesQuestion = Schemas["GetBatchAllTimeOHLCBody"];
export type AllTimePrice = Schemas["GetBatchAllTimeOHLCAnswer"][number];

export interface AllTimePrices {
  /** One for each distinct token, in the order of the question. */
  prices: AllTimePrice[];
  /** Of the oldest part where the list was asked for in parts. */
  asOf: AsOf | null;
}

export async function allTimePrices(
  connection: Connection,
  body: AllTimePricesQuestion,
  options?: CallOptions,
): Promise<AllTimePrices> {
  const path = "/v1/price-api/batch-all-time-ohlc";
  const { items, asOf } = await askAboutTokens<AllTimePrice>(connection, { path, body, ...options });
  return { prices: items, asOf };
}
