import { afterAll, beforeAll } from "vitest";
import { startService, stopService } from "./service.ts";
import "./sql.ts";
import "./tables.ts";
import "./top-records.ts";
import "./ohlc.ts";
import "./tick.ts";
import "./batch-prices.ts";
import "./wallets.ts";
import "./json-rpc.ts";

beforeAll(startService, 180_000);
afterAll(stopService);
