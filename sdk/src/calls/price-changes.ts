import type { components } from "../api-types.ts";
import { distinctAddresses } from "../connection/address-list.ts";
import type { PartsAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { MAX_TOKENS_PER_REQUEST, requestTokens, sharedTime } from "../connection/parts.ts";
import type { CallOptions } from "../connection/request.ts";

type Schemas = components["schemas"];

export type PriceChangesParams = Schemas["GetBatchLatestPriceChangeBody"];
export type PriceChange = Schemas["GetBatchLatestPriceChangeAnswer"][number];

export interface PriceChanges extends PartsAsOf {
  /** One item for each distinct token, in the order of the request. */
  changes: PriceChange[];
}

export async function priceChanges(
  connection: Connection,
  params: PriceChangesParams,
  options?: CallOptions,
): Promise<PriceChanges> {
  const path = "/v1/price-api/batch-latest-price-change";
  const token_address = distinctAddresses("token_address", params.token_address);
  const parts = Math.ceil(token_address.length / MAX_TOKENS_PER_REQUEST);
  const end = await sharedTime(connection, { params, field: "timestamp", parts }, options);
  const body = { ...params, ...end, token_address };
  const { items, ...known } = await requestTokens<PriceChange>(connection, { path, body, ...options });
  return { changes: items, ...known };
}
