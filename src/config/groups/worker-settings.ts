import { integerFrom, numeric, setting } from "../setting.ts";

/** Settings for the processes of `quarry serve`. */
export const WORKER_SETTINGS = {
  workers: setting({
    group: "Service",
    flag: "--workers <number>",
    env: "QUARRY_WORKERS",
    schema: numeric(integerFrom(1, 64).optional()),
    doc: "number of processes that share the port of quarry serve. Default: 1 with the embedded engine, the number of cores with --clickhouse",
  }),
  workerTimeout: setting({
    group: "Service",
    flag: "--worker-timeout <seconds>",
    env: "QUARRY_WORKER_TIMEOUT",
    schema: numeric(integerFrom(0, 86_400).default(60)),
    doc: "a worker that does not respond to the primary process for this long is killed and replaced; 0: never",
  }),
};
