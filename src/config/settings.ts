import { z } from "zod";
import { BUILT_IN_CHAINS } from "../chains/chains.ts";

/** Headings of the help, in order. */
export const SETTING_GROUPS = [
  "Chain and endpoints",
  "Indexing",
  "Storage",
  "Service",
  "Service to ask",
  "Demo market",
  "Limits of questions",
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
  /** What a shell completes for the value, where the schema does not determine it. */
  completes?: "directory" | "chain";
  /** True where a value may contain a key or a password: no message repeats it. */
  isSecret?: boolean;
}

function setting<S extends z.ZodType>(declared: Setting<S>): Setting<S> {
  return declared;
}

/** A number, or its digits as text; not an empty text, null, true or a list, which Number() turns into 0 or 1. */
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

/** Every setting of every command, declared once; flags, environment, file keys, checks and help are derived from it. */
export const SETTINGS = {
  data: setting({
    group: "Storage",
    flag: "--data <dir>",
    env: "QUARRY_DATA",
    schema: z.string().min(1).default("./data"),
    doc: "data directory; made at the first start",
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
    doc: `${BUILT_IN_CHAINS.map(({ name }) => name).join(", ")}, or a chain of the configuration file`,
    completes: "chain",
  }),
  rpc: setting({
    group: "Chain and endpoints",
    isSecret: true,
    flag: "--rpc <url[,url]>",
    env: "QUARRY_RPC",
    schema: commaList,
    doc:
      "JSON-RPC endpoints: http(s)://, of several the fastest is asked, and the others stand in when it fails; " +
      "beside them ws(s)://, which announce new blocks",
  }),
  rpcTimeout: setting({
    group: "Chain and endpoints",
    flag: "--rpc-timeout <seconds>",
    env: "QUARRY_RPC_TIMEOUT",
    schema: numeric(z.number().min(1).max(600).default(30)),
    doc: "how long an endpoint may take for one request",
  }),
  rpcConcurrency: setting({
    group: "Chain and endpoints",
    flag: "--rpc-concurrency <number>",
    env: "QUARRY_RPC_CONCURRENCY",
    schema: numeric(integerFrom(1, 1_000).default(32)),
    doc: "most requests at once to one endpoint; it begins with few, and falls back when the endpoint is busy",
  }),
  from: setting({
    group: "Indexing",
    flag: "--from <block>",
    env: "QUARRY_FROM",
    schema: numeric(blockNumber.optional()),
    doc: "first block; default: where the data directory ends, or the newest day of an empty one",
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
    doc: "most blocks in one commit: fewer take less memory, more write faster",
  }),
  verify: setting({
    group: "Indexing",
    flag: "--no-verify",
    env: "QUARRY_VERIFY",
    schema: yesNo.default(true),
    doc: "do not prove blocks against their headers (for recordings that hold logs only)",
  }),
  fsync: setting({
    group: "Indexing",
    flag: "--fsync",
    env: "QUARRY_FSYNC",
    schema: yesNo.default(false),
    doc: "sync each commit to disk: several times slower; without it a power cut costs the last seconds, which are indexed again",
  }),
  port: setting({
    group: "Service",
    flag: "--port <number>",
    env: "QUARRY_PORT",
    schema: numeric(integerFrom(0, 65_535).default(8080)),
    doc: "port of the API; 0: a free one",
  }),
  host: setting({
    group: "Service",
    flag: "--host <address>",
    env: "QUARRY_HOST",
    schema: z.string().min(1).default("127.0.0.1"),
    doc: "address to listen on; 0.0.0.0 for all",
  }),
  keys: setting({
    group: "Service",
    isSecret: true,
    flag: "--keys <key[,key]>",
    env: "QUARRY_KEYS",
    schema: commaList.optional(),
    doc: "API keys; without any the API is open",
  }),
  url: setting({
    group: "Service to ask",
    flag: "--url <url>",
    env: "QUARRY_URL",
    schema: z.url({ protocol: /^https?$/ }).optional(),
    doc: "the service to ask; default: the one on this machine at --port, and where none runs, the data directory itself",
  }),
  key: setting({
    group: "Service to ask",
    isSecret: true,
    flag: "--key <key>",
    env: "QUARRY_KEY",
    schema: z.string().min(1).optional(),
    doc: "API key of the service to ask",
  }),
  queryTime: setting({
    group: "Limits of questions",
    flag: "--query-time <seconds>",
    env: "QUARRY_QUERY_TIME",
    schema: numeric(z.number().min(0.1).max(3_600).default(30)),
    doc: "longest that a client's query may run",
  }),
  queryMemory: setting({
    group: "Limits of questions",
    flag: "--query-memory <MiB>",
    env: "QUARRY_QUERY_MEMORY",
    schema: numeric(integerFrom(64, 1_048_576).default(2_048)),
    doc: "most memory that a client's query may take",
  }),
  concurrentQueries: setting({
    group: "Limits of questions",
    flag: "--concurrent-queries <number>",
    env: "QUARRY_CONCURRENT_QUERIES",
    schema: numeric(integerFrom(1, 64).default(2)),
    doc: "clients' SQL queries of more than a second that run at once; the next ones wait (the embedded engine runs 6 questions of all kinds)",
  }),
  waitingQueries: setting({
    group: "Limits of questions",
    flag: "--waiting-queries <number>",
    env: "QUARRY_WAITING_QUERIES",
    schema: numeric(integerFrom(0, 10_000).default(200)),
    doc: "requests of each kind that may wait for their turn; the next ones are told to come back (429)",
  }),
  queryWait: setting({
    group: "Limits of questions",
    flag: "--query-wait <seconds>",
    env: "QUARRY_QUERY_WAIT",
    schema: numeric(z.number().min(0.1).max(600).default(10)),
    doc: "longest that a request waits for its turn; then it is told to come back (429)",
  }),
  sqlRows: setting({
    group: "Limits of questions",
    flag: "--sql-rows <number>",
    env: "QUARRY_SQL_ROWS",
    schema: numeric(integerFrom(10_000, 1_000_000_000).default(1_000_000)),
    doc: "largest LIMIT of an SQL query that is answered as NDJSON, CSV, Parquet or Arrow (as JSON: 100,000)",
  }),
  sqlText: setting({
    group: "Limits of questions",
    flag: "--sql-text <KiB>",
    env: "QUARRY_SQL_TEXT",
    schema: numeric(integerFrom(1, 512).default(64)),
    doc: "longest text of an SQL query",
  }),
  sqlDepth: setting({
    group: "Limits of questions",
    flag: "--sql-depth <levels>",
    env: "QUARRY_SQL_DEPTH",
    schema: numeric(integerFrom(8, 128).default(64)),
    doc: "deepest nesting of an SQL query",
  }),
  answerSize: setting({
    group: "Limits of questions",
    flag: "--answer-size <MiB>",
    env: "QUARRY_ANSWER_SIZE",
    schema: numeric(integerFrom(1, 1_048_576).default(512)),
    doc: "largest answer; it is sent when it is whole",
  }),
  answerMemory: setting({
    group: "Limits of questions",
    flag: "--answer-memory <MiB>",
    env: "QUARRY_ANSWER_MEMORY",
    schema: numeric(integerFrom(1, 1_048_576).optional()),
    doc: "most memory that all answers on their way hold, each at most half of what is free; the rest waits in temporary files. Default: a sixteenth of the machine's",
  }),
  engineMemory: setting({
    group: "Storage",
    flag: "--engine-memory <MiB>",
    env: "QUARRY_ENGINE_MEMORY",
    schema: numeric(integerFrom(512, 16_777_216).optional()),
    doc: "most memory that the embedded engine takes for all queries and merges together; default: 90 % of the machine's",
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
    doc: `least weight of what is logged: ${LOG_LEVELS.join(", ")}`,
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
