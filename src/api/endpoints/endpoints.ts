import type { Endpoint } from "../endpoint/endpoint.ts";
import { checkUsage } from "./operations/check-usage.ts";
import { health } from "./operations/health.ts";
import { metrics } from "./operations/metrics.ts";
import { openApi } from "./operations/openapi.ts";
import { operations } from "./operations/operations.ts";
import { ready } from "./operations/ready.ts";
import { status } from "./operations/status.ts";
import { batchLatestPoolTvl } from "./pools/batch-latest-pool-tvl.ts";
import { poolTvlHistory } from "./pools/pool-tvl-history.ts";
import { batchAllTimeOhlc } from "./prices/batch-all-time-ohlc.ts";
import { batchLatestPriceChange } from "./prices/batch-latest-price-change.ts";
import { batchLatestTokenPrices } from "./prices/batch-latest-token-prices.ts";
import { ohlc } from "./prices/ohlc.ts";
import { tickPrices } from "./prices/tick.ts";
import { topRecords } from "./records/top-records.ts";
import { rpc } from "./rpc.ts";
import { screener } from "./screener/screener.ts";
import { search } from "./search/search.ts";
import { sql } from "./sql/sql.ts";
import { sqlSchemaEndpoint } from "./sql/sql-schema.ts";
import { stream } from "./stream.ts";
import { udfConfig } from "./udf/config.ts";
import { udfHistory } from "./udf/history.ts";
import { udfMarks } from "./udf/marks.ts";
import { udfSearch } from "./udf/search.ts";
import { udfSymbols } from "./udf/symbols.ts";
import { udfTime } from "./udf/time.ts";
import { batchLatestTotalPerformance } from "./wallets/batch-latest-total-performance.ts";
import { latestPerformancePerToken } from "./wallets/latest-performance-per-token.ts";
import { latestTotalPerformance } from "./wallets/latest-total-performance.ts";

/** Every endpoint: routes and documentation are derived from this list. */
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
  poolTvlHistory,
  batchLatestTotalPerformance,
  latestTotalPerformance,
  latestPerformancePerToken,
  stream,
  search,
  screener,
  udfConfig,
  udfSymbols,
  udfSearch,
  udfHistory,
  udfTime,
  udfMarks,
  rpc,
  status,
  operations,
  checkUsage,
  health,
  ready,
  metrics,
  openApi(() => ENDPOINTS),
];
