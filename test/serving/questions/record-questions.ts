import type { Random } from "../random.ts";
import { POOLS, TOKENS, TRADERS, UNKNOWN_TOKEN } from "../random-chain.ts";
import { ACCOUNT_COLUMNS, ACCOUNTS } from "../random-records.ts";
import type { AskAtRandom } from "./question.ts";

/** Columns that records can be grouped by, with values of each column. */
const GROUPS = [
  { path: "dex-trades", groupby: "token_address", values: TOKENS },
  { path: "dex-trades", groupby: "pool_address", values: POOLS },
  { path: "dex-trades", groupby: "trader_address", values: TRADERS },
  ...Object.entries(ACCOUNT_COLUMNS).flatMap(([path, columns]) =>
    columns.map((groupby) => ({ path, groupby, values: ACCOUNTS })),
  ),
];

const CHAIN_ORDER = [undefined, "timestamp", "block_number", "record_index"];
/** Maximum number of records per value that are kept in memory. */
const MAX_KEPT_RECORDS = 100;

const SIZES = [undefined, 1, 2, 5, 10, 11, MAX_KEPT_RECORDS];

/**
 * Mostly requests the newest records of a few values. Occasionally requests more records, the oldest, or
 * another order.
 */
export const newestRecords: AskAtRandom = (random) => {
  const { path, groupby, values } = random.pick(GROUPS);
  const isRare = random.below(12) === 0;
  return {
    path: `/v1/topk-api/${path}`,
    body: {
      groupby,
      eq: random.some([...values, UNKNOWN_TOKEN]).map((value) => inAnyCase(random, value)),
      sortby: isRare ? "transaction_index" : random.pick(CHAIN_ORDER),
      size: isRare ? MAX_KEPT_RECORDS + 1 : random.pick(SIZES),
      order: isRare ? random.pick(["asc", "desc"]) : "desc",
    },
  };
};

function inAnyCase(random: Random, value: string): string {
  return random.below(3) === 0 ? `0x${value.slice(2).toUpperCase()}` : value;
}
