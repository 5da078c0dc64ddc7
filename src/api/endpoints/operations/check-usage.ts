import { z } from "zod";
import { BaseError } from "../../../lib/error.ts";
import { type Call, endpoint } from "../../endpoint/endpoint.ts";
import { KEY_SCOPES } from "../../keys/client-keys.ts";

const usage = z.strictObject({
  key: z.string().describe("id of the key, which is not secret"),
  scopes: z.array(z.enum(KEY_SCOPES)).describe("what the key may be used for"),
  expires_at: z.int().nullable().describe("unix seconds; null: the key does not expire"),
  month: z.string().describe("the current calendar month (UTC), which the counts cover"),
  resets_at: z.int().describe("unix seconds when the next month begins"),
  requests: z
    .int()
    .describe(
      "accepted requests; each call of a batch counts. Requests that the rate limit or the quota rejected, and requests to this endpoint, do not count",
    ),
  requests_limit: z.int().nullable().describe("maximum number of requests in a month; null: unlimited"),
  requests_remaining: z.int().nullable().describe("null: unlimited"),
  sql_queries: z.int().describe("SQL queries among the requests"),
  sql_seconds: z.number().describe("time that the database spent on these queries"),
  is_recorded: z
    .boolean()
    .describe(
      "true: the counts cover all processes of the service and are up to ten seconds old; false: they cover only the process that handled this request, since that process started",
    ),
  limits: z
    .strictObject({
      query_seconds: z.number().describe("time limit of a query"),
      query_mebibytes: z.number().describe("maximum memory of a query"),
      sql_rows: z.int().describe("maximum number of rows of an SQL answer; in JSON, at most 100,000"),
    })
    .describe("limits of the key's queries"),
});

export const checkUsage = endpoint({
  name: "checkUsage",
  methods: ["GET"],
  isUncounted: true,
  scope: null,
  path: "/v1/check-usage",
  title: "Key usage",
  summary:
    "Usage and limits of the request's API key in the current month. Works even if its quota is used up.",
  parameters: {},
  answer: usage,
  example: {
    parameters: {},
    answer: {
      key: "key_0123456789ab",
      scopes: ["data", "sql"],
      expires_at: 1798761600,
      month: "2026-11",
      resets_at: 1796083200,
      requests: 4120,
      requests_limit: 1000000,
      requests_remaining: 995880,
      sql_queries: 77,
      sql_seconds: 12.5,
      is_recorded: true,
      limits: { query_seconds: 30, query_mebibytes: 2048, sql_rows: 1000000 },
    },
  },
  cost: "nothing",
  handle: async (_values, call) => ({ body: usageOf(call), asOf: null }),
});

function usageOf({ keyUse, limits }: Call): z.infer<typeof usage> {
  const use = keyUse();
  if (use === null) throw new NoKeys();
  const { key, usage: counts } = use;
  const { requests, sqlQueries, sqlSeconds } = counts.of(key.id);
  const { monthlyRequests } = key.limits;
  return {
    key: key.id,
    scopes: [...key.scopes],
    expires_at: key.expiresAt,
    month: counts.month,
    resets_at: counts.resetsAt,
    requests,
    requests_limit: monthlyRequests,
    requests_remaining: monthlyRequests === null ? null : Math.max(0, monthlyRequests - requests),
    sql_queries: sqlQueries,
    sql_seconds: Math.round(sqlSeconds * 1000) / 1000,
    is_recorded: counts.isRecorded,
    limits: {
      query_seconds: limits.queryTimeMs / 1000,
      query_mebibytes: Math.round(limits.queryMemoryBytes / 2 ** 20),
      sql_rows: limits.sqlRows,
    },
  };
}

class NoKeys extends BaseError {
  constructor() {
    super("unsupported", "This service needs no API keys, so it does not track key usage.");
  }
}
