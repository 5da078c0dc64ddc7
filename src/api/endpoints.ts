import type { Endpoint } from "./endpoint.ts";
import { batchAllTimeOhlc } from "./endpoints/batch-all-time-ohlc.ts";
import { batchLatestPoolTvl } from "./endpoints/batch-latest-pool-tvl.ts";
import { batchLatestPriceChange } from "./endpoints/batch-latest-price-change.ts";
import { batchLatestTokenPrices } from "./endpoints/batch-latest-token-prices.ts";
import { batchLatestTotalPerformance } from "./endpoints/batch-latest-total-performance.ts";
import { health } from "./endpoints/health.ts";
import { latestPerformancePerToken } from "./endpoints/latest-performance-per-token.ts";
import { latestTotalPerformance } from "./endpoints/latest-total-performance.ts";
import { metrics } from "./endpoints/metrics.ts";
import { ohlc } from "./endpoints/ohlc.ts";
import { openApi } from "./endpoints/openapi.ts";
import { ready } from "./endpoints/ready.ts";
import { rpc } from "./endpoints/rpc.ts";
import { sql } from "./endpoints/sql.ts";
import { sqlSchemaEndpoint } from "./endpoints/sql-schema.ts";
import { status } from "./endpoints/status.ts";
import { tickPrices } from "./endpoints/tick.ts";
import { topRecords } from "./endpoints/top-records.ts";

/** Every endpoint: routes and documents are made from this list. */
export const ENDPOINTS: readonly Endpoint[] = [
  sql,
  sqlSchemaEndpoint,
  ...topRecords,
  ohlc,
  tickPrices,
  batchAllTimeOhlc,
  batchLatestTokenPrices,
  batchLatestPriceChange,
  batchLatestPoolTvl,
  batchLatestTotalPerformance,
  latestTotalPerformance,
  latestPerformancePerToken,
  rpc,
  status,
  health,
  ready,
  metrics,
  openApi(() => ENDPOINTS),
];
