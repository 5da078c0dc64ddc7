import { afterAll, beforeAll } from "vitest";
import { pageTests } from "./support/page.ts";
import { startService, stopService } from "./support/service.ts";
import "./sql.ts";
import "./tables.ts";
import "./token-balances.ts";
import "./top-records.ts";
import "./ohlc.ts";
import "./tick.ts";
import "./batch-prices.ts";
import "./pool-tvl.ts";
import "./wallets.ts";
import "./json-rpc.ts";
import "./limits.ts";
import "./clients.ts";

beforeAll(startService, 180_000);
afterAll(stopService);
pageTests();
