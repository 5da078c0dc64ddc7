import type { Tool } from "../tool.ts";
import { candles } from "./candles.ts";
import { describeTables } from "./describe-tables.ts";
import { find } from "./find.ts";
import { latestPrices } from "./latest-prices.ts";
import { poolTvl } from "./pool-tvl.ts";
import { sql } from "./sql.ts";
import { status } from "./status.ts";
import { wallet } from "./wallet.ts";

/** Every tool, in the order in which a model reads them. */
export const TOOLS: readonly Tool[] = [
  find,
  describeTables,
  sql,
  candles,
  latestPrices,
  wallet,
  poolTvl,
  status,
];
