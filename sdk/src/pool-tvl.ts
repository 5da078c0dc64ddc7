import type { components } from "./api-types.ts";
import { type AsOf, asOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import { ask, type CallOptions } from "./request.ts";

type Schemas = components["schemas"];

export type PoolTvlQuestion = Schemas["GetBatchLatestPoolTvlBody"];
export type PoolTvl = Schemas["GetBatchLatestPoolTvlAnswer"]["data"][number];

export interface PoolTvls {
  /** One for each distinct pool, in the order of the question. */
  pools: PoolTvl[];
  asOf: AsOf | null;
}

export async function poolTvls(
  connection: Connection,
  body: PoolTvlQuestion,
  options?: CallOptions,
): Promise<PoolTvls> {
  const question = { path: "/v1/market-api/batch-latest-pool-tvl", body, ...options } as const;
  const reply = await ask<Schemas["GetBatchLatestPoolTvlAnswer"]>(connection, question);
  return { pools: reply.body.data, asOf: asOf(reply) };
}
