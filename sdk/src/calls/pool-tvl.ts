import type { components } from "../api-types.ts";
import { distinctPools } from "../connection/address-list.ts";
import { type AsOf, asOf, type PartsAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { parts, requestInParts, sharedTime } from "../connection/parts.ts";
import { type CallOptions, request } from "../connection/request.ts";

type Schemas = components["schemas"];

/** Maximum number of pools that the service accepts in one request. */
export const MAX_POOLS_PER_REQUEST = 1_000;

export type PoolTvlParams = Schemas["GetBatchLatestPoolTvlBody"];
export type PoolTvl = Schemas["GetBatchLatestPoolTvlAnswer"]["data"][number];

export interface PoolTvls extends PartsAsOf {
  /** One item for each distinct pool, in the order of the request. */
  pools: PoolTvl[];
}

export async function poolTvls(
  connection: Connection,
  params: PoolTvlParams,
  options?: CallOptions,
): Promise<PoolTvls> {
  const path = "/v1/market-api/batch-latest-pool-tvl";
  const lists = parts(distinctPools("pool_address", params.pool_address), MAX_POOLS_PER_REQUEST);
  const timed = { params, field: "timestamp", parts: lists.length } as const;
  const at = await sharedTime(connection, timed, options);
  const bodies = lists.map((pool_address) => ({ ...params, ...at, pool_address }));
  const { answers, ...known } = await requestInParts<Schemas["GetBatchLatestPoolTvlAnswer"], PoolTvlParams>(
    connection,
    { path, bodies, ...options },
  );
  return { pools: answers.flatMap(({ data }) => data), ...known };
}

export type PoolTvlHistoryParams = Schemas["GetPoolTvlHistoryBody"];
export type PoolTvlPoint = Schemas["GetPoolTvlHistoryAnswer"]["data"][number];

export interface PoolTvlHistory {
  pool_address: string;
  /** Null if the pool is unknown. */
  token_0_address: string | null;
  token_1_address: string | null;
  data: PoolTvlPoint[];
  asOf: AsOf | null;
}

export async function poolTvlHistory(
  connection: Connection,
  query: PoolTvlHistoryParams,
  options?: CallOptions,
): Promise<PoolTvlHistory> {
  const call = { path: "/v1/market-api/pool-tvl-history", query, ...options } as const;
  const reply = await request<Schemas["GetPoolTvlHistoryAnswer"]>(connection, call);
  return { ...reply.body, asOf: asOf(reply) };
}
