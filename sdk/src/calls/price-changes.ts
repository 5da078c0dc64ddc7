import type { components } from "../api-types.ts";
import { distinctAddresses } from "../connection/address-list.ts";
import type { PartsAsOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { askAboutTokens, MAX_TOKENS_PER_REQUEST, sharedTime } from "../connection/parts.ts";
import type { CallOptions } from "../connection/request.ts";

type Schemas = components["schemas"];

export type PriceChangesQuestion = Schemas["GetBatchLatestPriceChangeBody"];
export type PriceChange = Schemas["GetBatchLatestPriceChangeAnswer"][number];

export interface PriceChanges extends PartsAsOf {
  /** One for each distinct token, in the order of the question. */
  changes: PriceChange[];
}

export async function priceChanges(
  connection: Connection,
  question: PriceChangesQuestion,
  options?: CallOptions,
): Promise<PriceChanges> {
  const path = "/v1/price-api/batch-latest-price-change";
  const token_address = distinctAddresses("token_address", question.token_address);
  const parts = Math.ceil(token_address.length / MAX_TOKENS_PER_REQUEST);
  const end = await sharedTime(connection, { question, field: "timestamp", parts }, options);
  const body = { ...question, ...end, token_address };
  const { items, ...known } = await askAboutTokens<PriceChange>(connection, { path, body, ...options });
  return { changes: items, ...known };
}
