/** Settings that the checks need. */
export const ENVIRONMENT_SETTINGS = ["data", "clickhouse", "port", "host", "answerSize", "verify"] as const;
