import type { components } from "./api-types.ts";
import { type AsOf, asOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import { ask, type CallOptions } from "./request.ts";

type Schemas = components["schemas"];

export type TicksQuestion = Schemas["GetPriceHistoricalTickBody"];
export type TokenTicks = Exclude<Schemas["GetPriceHistoricalTickAnswer"], unknown[]>;

export interface Ticks {
  /** One for each distinct token, in the order of the question; their ticks newest first. */
  tokens: TokenTicks[];
  asOf: AsOf | null;
}

export async function ticks(
  connection: Connection,
  body: TicksQuestion,
  options?: CallOptions,
): Promise<Ticks> {
  const question = { path: "/v1/price/historical/tick", body, ...options } as const;
  const reply = await ask<Schemas["GetPriceHistoricalTickAnswer"]>(connection, question);
  return { tokens: [reply.body].flat(), asOf: asOf(reply) };
}
