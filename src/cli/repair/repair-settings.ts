/** Settings of the command repair. */
export const REPAIR_SETTINGS = [
  "chain",
  "rpc",
  "tokens",
  "data",
  "clickhouse",
  "engineMemory",
  "diskReserve",
  "logLevel",
] as const;
