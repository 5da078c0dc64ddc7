import type { components } from "../api-types.ts";
import { type AsOf, asOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { ask, type CallOptions } from "../connection/request.ts";

type Schemas = components["schemas"];

export type OhlcQuestion = Schemas["GetPriceHistoricalOHLCBody"];
export type Candle = Schemas["GetPriceHistoricalOHLCAnswer"]["data"][number];

export interface Ohlc {
  token_address: string;
  data: Candle[];
  asOf: AsOf | null;
}

export async function ohlc(
  connection: Connection,
  query: OhlcQuestion,
  options?: CallOptions,
): Promise<Ohlc> {
  const question = { path: "/v1/price/historical/ohlc", query, ...options } as const;
  const reply = await ask<Schemas["GetPriceHistoricalOHLCAnswer"]>(connection, question);
  return { ...reply.body, asOf: asOf(reply) };
}
