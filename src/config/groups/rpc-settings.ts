import { z } from "zod";
import { integerFrom, numeric, setting } from "../setting.ts";

/** Settings that limit the requests to endpoints. */
export const RPC_SETTINGS = {
  rpcTimeout: setting({
    group: "Chain and endpoints",
    flag: "--rpc-timeout <seconds>",
    env: "QUARRY_RPC_TIMEOUT",
    schema: numeric(z.number().min(1).max(600).default(30)),
    doc: "timeout for one request to an endpoint",
  }),
  rpcConcurrency: setting({
    group: "Chain and endpoints",
    flag: "--rpc-concurrency <number>",
    env: "QUARRY_RPC_CONCURRENCY",
    schema: numeric(integerFrom(1, 1_000).default(32)),
    doc: "maximum number of concurrent requests to one endpoint; the number starts low, and drops if the endpoint is overloaded",
  }),
  rpcRate: setting({
    group: "Chain and endpoints",
    flag: "--rpc-rate <number>",
    env: "QUARRY_RPC_RATE",
    schema: numeric(integerFrom(4, 1_000_000).optional()),
    doc: "maximum number of JSON-RPC calls to one endpoint per second, on average, sent in batches of at most a quarter of this number; default: no limit",
  }),
  headRequests: setting({
    group: "Chain and endpoints",
    flag: "--head-requests <number>",
    env: "QUARRY_HEAD_REQUESTS",
    schema: numeric(integerFrom(4, 100).default(8)),
    doc: "maximum number of requests for the newest block to one endpoint per block time, on average; with fewer, new blocks are seen later",
  }),
} as const;
