import type { components } from "../api-types.ts";
import { type AsOf, asOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { type CallOptions, request } from "../connection/request.ts";

type Schemas = components["schemas"];

export type OhlcParams = Schemas["GetPriceHistoricalOHLCBody"];
export type Candle = Schemas["GetPriceHistoricalOHLCAnswer"]["data"][number];

export interface Ohlc {
  token_address: string;
  data: Candle[];
  asOf: AsOf | null;
}

export async function ohlc(connection: Connection, query: OhlcParams, options?: CallOptions): Promise<Ohlc> {
  const call = { path: "/v1/price/historical/ohlc", query, ...options } as const;
  const reply = await request<Schemas["GetPriceHistoricalOHLCAnswer"]>(connection, call);
  return { ...reply.body, asOf: asOf(reply) };
}
