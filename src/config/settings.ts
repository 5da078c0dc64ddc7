import { z } from "zod";
import { BUILT_IN_CHAINS } from "../chains/chains.ts";
import { hostName } from "../lib/names/host-name.ts";
import { CLIENT_SETTINGS } from "./groups/client-settings.ts";
import { FILE_SETTINGS } from "./groups/file-settings.ts";
import { OPENING_SETTINGS } from "./groups/opening-settings.ts";
import { PROOF_SETTINGS } from "./groups/proof-settings.ts";
import { RPC_SETTINGS } from "./groups/rpc-settings.ts";
import { SCOPE_SETTINGS } from "./groups/scope-settings.ts";
import { SERVER_SETTINGS } from "./groups/server-settings.ts";
import { TRACING_SETTINGS } from "./groups/tracing-settings.ts";
import { WEBHOOK_SETTINGS } from "./groups/webhook-settings.ts";
import { WORKER_SETTINGS } from "./groups/worker-settings.ts";
import { commaList, commaListOf, integerFrom, numeric, setting, yesNo } from "./setting.ts";

const blockNumber = integerFrom(0, Number.MAX_SAFE_INTEGER);
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;

const isHost = (text: string) => hostName(text) !== null;
const HOST_RULE = "must be names or addresses, without http://, port, path or *";

/**
 * Every setting of every command, declared once. Flags, environment variables, file keys, checks and help are
 * derived from it.
 */
export const SETTINGS = {
  data: setting({
    group: "Storage",
    flag: "--data <dir>",
    env: "QUARRY_DATA",
    schema: z.string().min(1).default("./data"),
    doc: "data directory; created at the first start",
    completes: "directory",
  }),
  ...SERVER_SETTINGS,
  chain: setting({
    group: "Chain and endpoints",
    flag: "--chain <name>",
    env: "QUARRY_CHAIN",
    schema: z.string().min(1).default("eth"),
    doc: `${BUILT_IN_CHAINS.map(({ name }) => name).join(", ")}, or a chain from the configuration file`,
    completes: "chain",
  }),
  rpc: setting({
    group: "Chain and endpoints",
    isSecret: true,
    flag: "--rpc <url[,url]>",
    env: "QUARRY_RPC",
    schema: commaList,
    doc:
      "JSON-RPC endpoints: http(s):// URLs (the fastest is used; if it fails, the others take over) " +
      "and optionally ws(s):// URLs, which announce new blocks",
  }),
  ...FILE_SETTINGS,
  ...RPC_SETTINGS,
  diskReserve: setting({
    group: "Storage",
    flag: "--disk-reserve <MiB>",
    env: "QUARRY_DISK_RESERVE",
    schema: numeric(integerFrom(0, 1_048_576).default(256)),
    doc: "indexing pauses while the disk of the data directory has less free space than this, and resumes once space is free",
  }),
  stallAfter: setting({
    group: "Indexing",
    flag: "--stall-after <seconds>",
    env: "QUARRY_STALL_AFTER",
    schema: numeric(integerFrom(1, 31_536_000).optional()),
    doc: "/ready returns 503 if no block has been indexed for this long; default: ten block times, but at least a minute",
  }),
  from: setting({
    group: "Indexing",
    flag: "--from <block>",
    env: "QUARRY_FROM",
    schema: numeric(blockNumber.optional()),
    doc: "first block; default: the block after the newest stored one or, if none is stored, the first block of --files or the block one day before the head; a block below the first stored one extends the index",
  }),
  to: setting({
    group: "Indexing",
    flag: "--to <block>",
    env: "QUARRY_TO",
    schema: numeric(blockNumber.optional()),
    doc: "last block; default: follow the head",
  }),
  ...SCOPE_SETTINGS,
  ...PROOF_SETTINGS,
  ...OPENING_SETTINGS,
  fsync: setting({
    group: "Indexing",
    flag: "--fsync",
    env: "QUARRY_FSYNC",
    schema: yesNo.default(false),
    doc: "sync each commit to disk; several times slower. Without it, a power loss loses the last few seconds, which are then indexed again",
  }),
  port: setting({
    group: "Service",
    flag: "--port <number>",
    env: "QUARRY_PORT",
    schema: numeric(integerFrom(0, 65_535).default(8080)),
    doc: "port of the API; 0: any free port",
  }),
  host: setting({
    group: "Service",
    flag: "--host <address>",
    env: "QUARRY_HOST",
    schema: z.string().min(1).default("127.0.0.1"),
    doc: "address to listen on; 0.0.0.0: all interfaces",
  }),
  ...WORKER_SETTINGS,
  connections: setting({
    group: "Service",
    flag: "--connections <number>",
    env: "QUARRY_CONNECTIONS",
    schema: numeric(integerFrom(1, 1_000_000).default(10_000)),
    doc: "maximum number of open connections, or fewer if the limit on open files is lower; further ones displace the longest idle one, or get 503",
  }),
  addressConnections: setting({
    group: "Service",
    flag: "--address-connections <number>",
    env: "QUARRY_ADDRESS_CONNECTIONS",
    schema: numeric(integerFrom(1, 1_000_000).default(1_000)),
    doc: "maximum number of open connections from one address (IPv6: a /64 network); further ones displace its longest idle one, or get 429. A proxy counts as one address",
  }),
  headerTime: setting({
    group: "Service",
    flag: "--header-time <seconds>",
    env: "QUARRY_HEADER_TIME",
    schema: numeric(z.number().min(0.1).max(300).default(10)),
    doc: "maximum time for the headers of a request to arrive; then 408",
  }),
  bodyTime: setting({
    group: "Service",
    flag: "--body-time <seconds>",
    env: "QUARRY_BODY_TIME",
    schema: numeric(z.number().min(0.1).max(3_600).default(60)),
    doc: "maximum time for the body of a request to arrive; then 408",
  }),
  keys: setting({
    group: "Service",
    isSecret: true,
    flag: "--keys <key[,key]>",
    env: "QUARRY_KEYS",
    schema: commaListOf(z.string().min(16)).optional(),
    doc: "API keys, each at least 16 characters long; without keys, the API is open",
  }),
  keyFile: setting({
    group: "Service",
    flag: "--key-file <path>",
    env: "QUARRY_KEY_FILE",
    schema: z.string().min(1).optional(),
    doc: "file of API keys, managed with `quarry keys`; changes apply within two seconds. Default: none",
  }),
  usageFolder: setting({
    group: "Service",
    flag: "--usage-folder <path>",
    env: "QUARRY_USAGE_FOLDER",
    schema: z.string().min(1).optional(),
    doc: "folder in which the service records the monthly usage of each API key; several services may share it. Default: usage in the data directory; with --clickhouse, none: the counts are lost when the process ends",
  }),
  allowedHosts: setting({
    group: "Service",
    flag: "--allowed-hosts <name[,name]>",
    env: "QUARRY_ALLOWED_HOSTS",
    schema: commaList.pipe(z.array(z.string().refine(isHost, HOST_RULE))).optional(),
    doc: "names or addresses to accept in the Host header, besides localhost; default: any, but none if --host is a loopback address",
  }),
  allowedOrigins: setting({
    group: "Service",
    flag: "--allowed-origins <origin[,origin]>",
    env: "QUARRY_ALLOWED_ORIGINS",
    schema: commaList.optional(),
    doc: "origins (https://app.example) whose pages may read responses; local: pages served from this machine; default: * (any), but local if --host is a loopback address",
  }),
  url: setting({
    group: "Service to query",
    flag: "--url <url>",
    env: "QUARRY_URL",
    schema: z.url({ protocol: /^https?$/ }).optional(),
    doc: "service to query; default: the one on this machine at --port; query and status read the data directory if none is running",
  }),
  key: setting({
    group: "Service to query",
    isSecret: true,
    flag: "--key <key>",
    env: "QUARRY_KEY",
    schema: z.string().trim().min(1).optional(),
    doc: "API key of that service",
  }),
  queryTime: setting({
    group: "Query limits",
    flag: "--query-time <seconds>",
    env: "QUARRY_QUERY_TIME",
    schema: numeric(z.number().min(0.1).max(3_600).default(30)),
    doc: "maximum run time of a client's query",
  }),
  queryMemory: setting({
    group: "Query limits",
    flag: "--query-memory <MiB>",
    env: "QUARRY_QUERY_MEMORY",
    schema: numeric(integerFrom(64, 1_048_576).default(2_048)),
    doc: "maximum memory of a client's query; default: half of the engine's memory if that is less",
  }),
  concurrentQueries: setting({
    group: "Query limits",
    flag: "--concurrent-queries <number>",
    env: "QUARRY_CONCURRENT_QUERIES",
    schema: numeric(integerFrom(1, 64).default(2)),
    doc: "maximum number of concurrent SQL queries that take more than a second; further ones are queued (the embedded engine runs 6 queries of all kinds at once)",
  }),
  waitingQueries: setting({
    group: "Query limits",
    flag: "--waiting-queries <number>",
    env: "QUARRY_WAITING_QUERIES",
    schema: numeric(integerFrom(0, 10_000).default(200)),
    doc: "maximum number of queued requests of each kind; further ones get 503",
  }),
  queryWait: setting({
    group: "Query limits",
    flag: "--query-wait <seconds>",
    env: "QUARRY_QUERY_WAIT",
    schema: numeric(z.number().min(0.1).max(600).default(10)),
    doc: "maximum time a request waits in the queue; after that it gets 429, or 503 if other clients hold all slots",
  }),
  concurrentReads: setting({
    group: "Query limits",
    flag: "--concurrent-reads <number>",
    env: "QUARRY_CONCURRENT_READS",
    schema: numeric(integerFrom(1, 1_000).default(16)),
    doc: "maximum number of concurrent requests other than SQL that need a query, each for up to a second",
  }),
  longReads: setting({
    group: "Query limits",
    flag: "--long-reads <number>",
    env: "QUARRY_LONG_READS",
    schema: numeric(integerFrom(1, 64).default(3)),
    doc: "maximum number of concurrent requests other than SQL that take more than a second; further ones are queued",
  }),
  sqlRows: setting({
    group: "Query limits",
    flag: "--sql-rows <number>",
    env: "QUARRY_SQL_ROWS",
    schema: numeric(integerFrom(10_000, 1_000_000_000).default(1_000_000)),
    doc: "maximum LIMIT of a SQL query in NDJSON, CSV, Parquet or Arrow (JSON: 100,000)",
  }),
  sqlText: setting({
    group: "Query limits",
    flag: "--sql-text <KiB>",
    env: "QUARRY_SQL_TEXT",
    schema: numeric(integerFrom(1, 512).default(256)),
    doc: "maximum length of a SQL query",
  }),
  sqlDepth: setting({
    group: "Query limits",
    flag: "--sql-depth <levels>",
    env: "QUARRY_SQL_DEPTH",
    schema: numeric(integerFrom(8, 128).default(64)),
    doc: "maximum nesting depth of a SQL query",
  }),
  answerSize: setting({
    group: "Query limits",
    flag: "--answer-size <MiB>",
    env: "QUARRY_ANSWER_SIZE",
    schema: numeric(integerFrom(1, 1_048_576).default(512)),
    doc: "maximum size of a response",
  }),
  servingMemory: setting({
    group: "Service",
    flag: "--serving-memory <MiB>",
    env: "QUARRY_SERVING_MEMORY",
    schema: numeric(integerFrom(0, 1_048_576).default(1024)),
    doc: "memory for the newest prices, trades, pools and wallets of each chain, which serve small requests without a query; workers share it equally; 0: query the store for every answer. Default: an eighth of the machine's or container's memory if that is less",
  }),
  sqlCacheMemory: setting({
    group: "Service",
    flag: "--sql-cache-memory <MiB>",
    env: "QUARRY_SQL_CACHE_MEMORY",
    schema: numeric(integerFrom(0, 1_048_576).default(64)),
    doc: "memory for cached SQL answers, which are reused for identical queries until the chain's next commit; 0: no caching",
  }),
  answerMemory: setting({
    group: "Query limits",
    flag: "--answer-memory <MiB>",
    env: "QUARRY_ANSWER_MEMORY",
    schema: numeric(integerFrom(1, 1_048_576).optional()),
    doc: "maximum memory for all buffered responses, each of which may take at most half of what is free; the rest is buffered in temporary files. Default: a sixteenth of the machine's or container's memory",
  }),
  bodyMemory: setting({
    group: "Query limits",
    flag: "--body-memory <MiB>",
    env: "QUARRY_BODY_MEMORY",
    schema: numeric(integerFrom(8, 1_048_576).optional()),
    doc: "maximum memory for all request bodies that have not arrived completely or wait to be parsed; one client may use half of what other clients leave free; beyond that, 503. Default: 256, or a sixteenth of the machine's or container's memory if that is less",
  }),
  clientBodyMemory: setting({
    group: "Query limits",
    flag: "--client-body-memory <MiB>",
    env: "QUARRY_CLIENT_BODY_MEMORY",
    schema: numeric(integerFrom(4, 1_048_576).default(32)),
    doc: "maximum memory for the request bodies of one client; beyond that, 429",
  }),
  answerDisk: setting({
    group: "Query limits",
    flag: "--answer-disk <MiB>",
    env: "QUARRY_ANSWER_DISK",
    schema: numeric(integerFrom(1, 16_777_216).default(2_048)),
    doc: "maximum total size of the temporary files of unread responses, at least twice --answer-size; further responses get 503. One client may use half of what other clients leave free",
  }),
  answerDiskClient: setting({
    group: "Query limits",
    flag: "--answer-disk-client <MiB>",
    env: "QUARRY_ANSWER_DISK_CLIENT",
    schema: numeric(integerFrom(1, 16_777_216).default(1_024)),
    doc: "maximum total size of the temporary files of one client, at least --answer-size; further responses get 429",
  }),
  readingRate: setting({
    group: "Query limits",
    flag: "--reading-rate <KiB/s>",
    env: "QUARRY_READING_RATE",
    schema: numeric(integerFrom(0, 1_024).default(4)),
    doc: "a client is disconnected if it reads a large response more slowly than this, on average over 30 s, or too slowly to finish within an hour; 0: never",
  }),
  engineMemory: setting({
    group: "Storage",
    flag: "--engine-memory <MiB>",
    env: "QUARRY_ENGINE_MEMORY",
    schema: numeric(integerFrom(512, 16_777_216).optional()),
    doc: "maximum memory for all queries and merges of the embedded engine; default: 90 % of the machine's or container's memory, minus 2 GiB, but at least 40 % of that memory and at least 512 MiB",
  }),
  seed: setting({
    group: "Demo market",
    flag: "--seed <number>",
    env: "QUARRY_SEED",
    schema: numeric(integerFrom(0, 0xffff_ffff).default(1)),
    doc: "seed of the demo market",
  }),
  endTime: setting({
    group: "Demo market",
    flag: "--end-time <seconds>",
    env: "QUARRY_END_TIME",
    schema: numeric(integerFrom(1_500_000_000, 4_102_444_800).optional()),
    doc: "unix time at which the demo's history ends; default: now",
  }),
  days: setting({
    group: "Demo market",
    flag: "--days <number>",
    env: "QUARRY_DAYS",
    schema: numeric(z.number().min(0.01).max(60).default(14)),
    doc: "length of the demo's history in days",
  }),
  blockTime: setting({
    group: "Demo market",
    flag: "--block-time <seconds>",
    env: "QUARRY_BLOCK_TIME",
    schema: numeric(integerFrom(1, 60).default(2)),
    doc: "seconds between the demo's live blocks; fewer blocks take less CPU time",
  }),
  logQueries: setting({
    group: "Service",
    flag: "--log-queries",
    env: "QUARRY_LOG_QUERIES",
    schema: yesNo.default(false),
    doc: "log the text of SQL queries (for debugging: clients may consider it private); by default, only a fingerprint is logged",
  }),
  slowAfter: setting({
    group: "Service",
    flag: "--slow-after <seconds>",
    env: "QUARRY_SLOW_AFTER",
    schema: numeric(z.number().min(0).max(3_600).default(1)),
    doc: "requests that take longer than this are listed in /v1/operations, with the text of their SQL if --log-queries is set; 0: all",
  }),
  ...CLIENT_SETTINGS,
  ...WEBHOOK_SETTINGS,
  ...TRACING_SETTINGS,
  logLevel: setting({
    group: "General",
    flag: "--log-level <level>",
    env: "QUARRY_LOG_LEVEL",
    schema: z.enum(LOG_LEVELS).default("info"),
    doc: `minimum log level: ${LOG_LEVELS.join(", ")}`,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** Checked values of the named settings. */
export type Settings<N extends SettingName> = { [K in N]: z.output<(typeof SETTINGS)[K]["schema"]> };

/** Returns the defaults of the named settings, each of which must have one. */
export function defaultSettings<N extends SettingName>(names: readonly N[]): Settings<N> {
  const settings = names.map((name) => [name, SETTINGS[name].schema.parse(undefined)]);
  return Object.fromEntries(settings) as Settings<N>;
}
