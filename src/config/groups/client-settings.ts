import { z } from "zod";
import { isAddressOrRange, PROXY_RULE } from "../proxy-addresses.ts";
import { commaList, integerFrom, numeric, setting } from "../setting.ts";

/** Settings that determine how clients are identified, and how much each client may use. */
export const CLIENT_SETTINGS = {
  trustProxy: setting({
    group: "Service",
    flag: "--trust-proxy <ip[,ip]>",
    env: "QUARRY_TRUST_PROXY",
    schema: commaList.pipe(z.array(z.string().refine(isAddressOrRange, PROXY_RULE))).optional(),
    doc: "proxies in front of the service: addresses, ranges such as 10.0.0.0/8, or loopback; their header X-Forwarded-For names the client. Default: none",
  }),
  clientShare: setting({
    group: "Client limits",
    flag: "--client-share <percent>",
    env: "QUARRY_CLIENT_SHARE",
    schema: numeric(integerFrom(1, 100).default(50)),
    doc: "share of the running requests of each kind that one client (an API key, or an address) may have, rounded up",
  }),
  clientWaiting: setting({
    group: "Client limits",
    flag: "--client-waiting <number>",
    env: "QUARRY_CLIENT_WAITING",
    schema: numeric(integerFrom(0, 10_000).default(50)),
    doc: "maximum number of queued requests of one client, for each kind; further ones get 429",
  }),
  clientUnread: setting({
    group: "Client limits",
    flag: "--client-unread <MiB>",
    env: "QUARRY_CLIENT_UNREAD",
    schema: numeric(integerFrom(1, 1_048_576).default(1_024)),
    doc: "maximum size of the responses that one client has not fully read; its next requests get 429",
  }),
  clientRate: setting({
    group: "Client limits",
    flag: "--client-rate <number>",
    env: "QUARRY_CLIENT_RATE",
    schema: numeric(z.number().min(0).max(1_000_000).default(0)),
    doc: "maximum number of requests per second of one client, on average; further ones get 429; 0: any number",
  }),
  clientBurst: setting({
    group: "Client limits",
    flag: "--client-burst <number>",
    env: "QUARRY_CLIENT_BURST",
    schema: numeric(integerFrom(1, 1_000_000).default(100)),
    doc: "requests that one client may send at once before --client-rate applies",
  }),
  rejectionDelay: setting({
    group: "Client limits",
    flag: "--rejection-delay <seconds>",
    env: "QUARRY_REJECTION_DELAY",
    schema: numeric(z.number().min(0).max(60).default(1)),
    doc: "time before a rejected request gets its response (429 or 503), so that clients that repeat it at once do not slow down others; 0: none",
  }),
  delayedRejections: setting({
    group: "Client limits",
    flag: "--delayed-rejections <number>",
    env: "QUARRY_DELAYED_REJECTIONS",
    schema: numeric(integerFrom(0, 100_000).default(1_000)),
    doc: "maximum number of rejections that are delayed at the same time; further ones are sent at once and close their connection",
  }),
  streams: setting({
    group: "Client limits",
    flag: "--streams <number>",
    env: "QUARRY_STREAMS",
    schema: numeric(integerFrom(0, 1_000_000).default(5_000)),
    doc: "maximum number of open streams; further ones get 503",
  }),
  clientStreams: setting({
    group: "Client limits",
    flag: "--client-streams <number>",
    env: "QUARRY_CLIENT_STREAMS",
    schema: numeric(integerFrom(0, 1_000_000).default(100)),
    doc: "maximum number of open streams of one client; further ones get 429",
  }),
  clientStates: setting({
    group: "Client limits",
    flag: "--client-states <number>",
    env: "QUARRY_CLIENT_STATES",
    schema: numeric(integerFrom(0, 100_000_000).default(10_000)),
    doc: "maximum number of prices, candles and pools that all streams of one client follow; further streams get 429",
  }),
  clientFilters: setting({
    group: "Client limits",
    flag: "--client-filters <number>",
    env: "QUARRY_CLIENT_FILTERS",
    schema: numeric(integerFrom(0, 100_000_000).default(100_000)),
    doc: "maximum number of addresses in the filters of all streams of one client; further streams get 429",
  }),
  streamFilters: setting({
    group: "Client limits",
    flag: "--stream-filters <number>",
    env: "QUARRY_STREAM_FILTERS",
    schema: numeric(integerFrom(0, 100_000_000).default(1_000_000)),
    doc: "the same for the streams of all clients together; further streams get 503",
  }),
  streamBuffer: setting({
    group: "Client limits",
    flag: "--stream-buffer <KiB>",
    env: "QUARRY_STREAM_BUFFER",
    schema: numeric(integerFrom(16, 1_048_576).default(1_024)),
    doc: "maximum size of the frames that a stream client may leave unread; beyond it, the stream ends with lagged",
  }),
  streamMemory: setting({
    group: "Client limits",
    flag: "--stream-memory <MiB>",
    env: "QUARRY_STREAM_MEMORY",
    schema: numeric(integerFrom(1, 1_048_576).default(256)),
    doc: "the same for all streams together: beyond it, the streams of the slowest clients end",
  }),
  pipelinedRequests: setting({
    group: "Client limits",
    flag: "--pipelined-requests <number>",
    env: "QUARRY_PIPELINED_REQUESTS",
    schema: numeric(integerFrom(1, 10_000).default(64)),
    doc: "maximum number of requests that an address may send without waiting for the response to the one before on the same connection; further ones are read after that response",
  }),
} as const;
