import type { components } from "./api-types.ts";
import type { AsOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import type { CallOptions } from "./request.ts";
import { askAboutTokens, MAX_TOKENS_PER_REQUEST } from "./token-lists.ts";

type Schemas = components["schemas"];

export type PriceChangesQuestion = Schemas["GetBatchLatestPriceChangeBody"];
export type PriceChange = Schemas["GetBatchLatestPriceChangeAnswer"][number];

export interface PriceChanges {
  /** One for each distinct token, in the order of the question. */
  changes: PriceChange[];
  /** Of the oldest part where the list was asked for in parts. */
  asOf: AsOf | null;
}

export async function priceChanges(
  connection: Connection,
  question: PriceChangesQuestion,
  options?: CallOptions,
): Promise<PriceChanges> {
  const path = "/v1/price-api/batch-latest-price-change";
  const body = { ...question, ...endOf(question) };
  const { items, asOf } = await askAboutTokens<PriceChange>(connection, { path, body, ...options });
  return { changes: items, asOf };
}

/** All parts of a long list are about one period: where the question does not say when it ends, it ends now. */
function endOf({ token_address, timestamp }: PriceChangesQuestion): { timestamp?: number } {
  if (timestamp !== undefined) return { timestamp };
  return token_address.length > MAX_TOKENS_PER_REQUEST ? { timestamp: Math.floor(Date.now() / 1000) } : {};
}
