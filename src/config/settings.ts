import { z } from "zod";
import { BUILT_IN_CHAINS } from "../chains/chains.ts";

/** Headings of the help, in order. */
export const SETTING_GROUPS = [
  "Chain and endpoints",
  "Indexing",
  "Storage",
  "Service",
  "Service to query",
  "Demo market",
  "Query limits",
  "General",
] as const;

type SettingGroup = (typeof SETTING_GROUPS)[number];

/** One setting: given by flag, by environment (`QUARRY_` and the name) or in the configuration file. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  group: SettingGroup;
  /** Flag as commander reads it, e.g. `--port <number>`. */
  flag: string;
  /** Name of the environment variable. */
  env: string;
  schema: S;
  doc: string;
  /** What a shell completes for the value if the schema does not determine it. */
  completes?: "directory" | "chain";
  /** True if a value may contain a key or a password; messages then omit it. */
  isSecret?: boolean;
}

function setting<S extends z.ZodType>(declared: Setting<S>): Setting<S> {
  return declared;
}

/**
 * A number, or its digits as text; not an empty text, null, true or a list, which Number() turns into 0 or 1.
 */
const numeric = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value), schema);
const integerFrom = (min: number, max: number) => z.number().int().min(min).max(max);
const blockNumber = integerFrom(0, Number.MAX_SAFE_INTEGER);
const commaList = z.preprocess(
  (value) => (typeof value === "string" ? value.split(",").map((part) => part.trim()) : value),
  z.array(z.string().min(1)).min(1),
);
const yesNo = z.preprocess(
  (value) => (typeof value === "string" ? { true: true, "1": true, false: false, "0": false }[value] : value),
  z.boolean(),
);

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"] as const;

/**
 * Every setting of every command, declared once; flags, environment, file keys, checks and help are derived
 * from it.
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
  clickhouse: setting({
    group: "Storage",
    isSecret: true,
    flag: "--clickhouse <url>",
    env: "QUARRY_CLICKHOUSE",
    schema: z.url({ protocol: /^https?$/ }).optional(),
    doc: "use a ClickHouse server (http[s]://user:password@host:8123/database) instead of the embedded engine",
  }),
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
      "JSON-RPC endpoints: http(s):// URLs (the fastest is used, the others take over if it fails) " +
      "and optionally ws(s):// URLs, which announce new blocks",
  }),
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
    doc: "maximum number of concurrent requests to one endpoint; starts low, and drops if the endpoint is overloaded",
  }),
  from: setting({
    group: "Indexing",
    flag: "--from <block>",
    env: "QUARRY_FROM",
    schema: numeric(blockNumber.optional()),
    doc: "first block; default: after the newest stored block, or one day back if nothing is stored",
  }),
  to: setting({
    group: "Indexing",
    flag: "--to <block>",
    env: "QUARRY_TO",
    schema: numeric(blockNumber.optional()),
    doc: "last block; default: follow the head",
  }),
  batchBlocks: setting({
    group: "Indexing",
    flag: "--batch-blocks <number>",
    env: "QUARRY_BATCH_BLOCKS",
    schema: numeric(integerFrom(1, 10_000).default(1_000)),
    doc: "maximum number of blocks per commit: fewer use less memory, more are faster",
  }),
  verify: setting({
    group: "Indexing",
    flag: "--no-verify",
    env: "QUARRY_VERIFY",
    schema: yesNo.default(true),
    doc: "do not verify blocks against their headers (for recordings with logs only)",
  }),
  fsync: setting({
    group: "Indexing",
    flag: "--fsync",
    env: "QUARRY_FSYNC",
    schema: yesNo.default(false),
    doc: "sync each commit to disk; several times slower. Without it a power cut loses the last seconds, which are then indexed again",
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
  keys: setting({
    group: "Service",
    isSecret: true,
    flag: "--keys <key[,key]>",
    env: "QUARRY_KEYS",
    schema: commaList.optional(),
    doc: "API keys; without keys the API is open",
  }),
  url: setting({
    group: "Service to query",
    flag: "--url <url>",
    env: "QUARRY_URL",
    schema: z.url({ protocol: /^https?$/ }).optional(),
    doc: "service to query; default: the one on this machine at --port, or the data directory itself if none is running",
  }),
  key: setting({
    group: "Service to query",
    isSecret: true,
    flag: "--key <key>",
    env: "QUARRY_KEY",
    schema: z.string().min(1).optional(),
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
    doc: "maximum memory of a client's query",
  }),
  concurrentQueries: setting({
    group: "Query limits",
    flag: "--concurrent-queries <number>",
    env: "QUARRY_CONCURRENT_QUERIES",
    schema: numeric(integerFrom(1, 64).default(2)),
    doc: "maximum number of concurrent SQL queries that take more than a second; further ones are queued (the embedded engine runs 6 queries of all kinds)",
  }),
  waitingQueries: setting({
    group: "Query limits",
    flag: "--waiting-queries <number>",
    env: "QUARRY_WAITING_QUERIES",
    schema: numeric(integerFrom(0, 10_000).default(200)),
    doc: "maximum number of queued requests of each kind; further ones get 429",
  }),
  queryWait: setting({
    group: "Query limits",
    flag: "--query-wait <seconds>",
    env: "QUARRY_QUERY_WAIT",
    schema: numeric(z.number().min(0.1).max(600).default(10)),
    doc: "maximum time a request waits in the queue; after that it gets 429",
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
    schema: numeric(integerFrom(1, 512).default(64)),
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
  answerMemory: setting({
    group: "Query limits",
    flag: "--answer-memory <MiB>",
    env: "QUARRY_ANSWER_MEMORY",
    schema: numeric(integerFrom(1, 1_048_576).optional()),
    doc: "maximum memory for all buffered responses, each at most half of what is free; the rest is buffered in temporary files. Default: a sixteenth of the machine's memory",
  }),
  engineMemory: setting({
    group: "Storage",
    flag: "--engine-memory <MiB>",
    env: "QUARRY_ENGINE_MEMORY",
    schema: numeric(integerFrom(512, 16_777_216).optional()),
    doc: "maximum memory for all queries and merges of the embedded engine; default: 90 % of the machine's memory",
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
    doc: "days of the demo's history",
  }),
  logLevel: setting({
    group: "General",
    flag: "--log-level <level>",
    env: "QUARRY_LOG_LEVEL",
    schema: z.enum(LOG_LEVELS).default("info"),
    doc: `minimum log level: ${LOG_LEVELS.join(", ")}`,
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** The checked values of some settings. */
export type Settings<N extends SettingName> = { [K in N]: z.output<(typeof SETTINGS)[K]["schema"]> };

/** The defaults of some settings, each of which must have one. */
export function defaultSettings<N extends SettingName>(names: readonly N[]): Settings<N> {
  const settings = names.map((name) => [name, SETTINGS[name].schema.parse(undefined)]);
  return Object.fromEntries(settings) as Settings<N>;
}
