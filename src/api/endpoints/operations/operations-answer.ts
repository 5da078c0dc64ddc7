import { z } from "zod";
import { REFUSAL_LIMITS, RESOURCE_NAMES } from "../../operations/process-report.ts";
import { LATEST, MAX_TEXT, SLOWEST } from "../../operations/slow-requests.ts";

const queue = z.strictObject({
  kind: z.enum(["query", "read"]).describe("query: clients' SQL; read: other requests that read the store"),
  tier: z.enum(["quick", "long"]).describe("quick: the first second of each request; long: the rest"),
  running: z.int(),
  running_limit: z.int(),
  waiting: z.int(),
  waiting_limit: z.int(),
  clients: z.int().describe("clients with running or waiting requests"),
  refused: z.int().describe("requests that found the queue full or waited too long"),
});

const resource = z.strictObject({
  resource: z.enum(RESOURCE_NAMES),
  used: z.number(),
  limit: z
    .number()
    .nullable()
    .describe("sum of the limits of all processes; null if there is no limit on the total"),
});

const responses = z.strictObject({
  total: z.int(),
  status_429: z.int(),
  status_503: z.int().describe("excluding responses of /ready"),
});

const refusal = z.strictObject({
  limit: z.enum(REFUSAL_LIMITS).describe("limit that rejected requests or connections"),
  count: z.int(),
});

const engine = z.strictObject({
  chains: z.array(z.string()).describe("chains whose tables it holds"),
  memory_bytes: z.number().nullable(),
  memory_limit_bytes: z.number().nullable().describe("null if there is none, or it is unknown"),
  running_statements: z
    .int()
    .nullable()
    .describe("of clients, of the service, and of other programs that use the same server"),
  running_merges: z.int().nullable(),
  abandoned_statements: z
    .int()
    .describe("statements that are still running although their requests have timed out"),
  message: z.string().nullable().describe("why there are no figures; null if there are"),
});

const processState = z.strictObject({
  process: z.string().describe("service if it is the only one, otherwise primary, worker 1, worker 2 etc."),
  is_responding: z
    .boolean()
    .describe(
      "false: the process did not report in time, so its other fields are null, and the sums exclude it",
    ),
  pid: z.int().nullable(),
  started_at: z.int().nullable().describe("unix seconds"),
  rss_bytes: z.number().nullable().describe("memory of the process, including an embedded engine"),
  heap_bytes: z.number().nullable().describe("memory of JavaScript objects"),
  heap_limit_bytes: z.number().nullable(),
  buffer_bytes: z.number().nullable().describe("memory of buffers, which the heap does not include"),
  cpu_share: z
    .number()
    .nullable()
    .describe(
      "CPU time since the previous report, as a share of one core; may be above 1; null if that report is older than ten seconds",
    ),
  event_loop_share: z
    .number()
    .nullable()
    .describe("share of the same period in which the event loop was busy; near 1, requests wait for it"),
});

const slowRequest = z.strictObject({
  request_id: z.string().describe("X-Request-Id of the response, and reqId in the log"),
  at: z.int().describe("when it arrived, unix seconds"),
  method: z.string(),
  path: z.string().describe("pattern of the route; parameters are left out, because they may contain keys"),
  client: z.string().describe("id of the API key, or the address if the service needs no keys"),
  chain: z.string().nullable().describe("null if the request names none"),
  status: z.int().describe("499: the client disconnected before the response was sent"),
  ms: z.int().describe("time until the response was ready, not counting the time to send it"),
  run_ms: z
    .int()
    .nullable()
    .describe(
      "part of that time in which the SQL query was running; null for other requests, and if the query failed",
    ),
  rows_read: z
    .int()
    .nullable()
    .describe(
      "rows that the database read; null with the embedded engine, which does not report this number",
    ),
  query: z.string().nullable().describe("fingerprint of the SQL text, as in the log"),
  sql: z
    .string()
    .nullable()
    .describe(`the text itself, up to ${MAX_TEXT} characters; null without --log-queries`),
});

const slowRequests = z.strictObject({
  after_seconds: z.number().describe("value of --slow-after"),
  has_texts: z.boolean().describe("whether --log-queries is set, so that sql is present"),
  total: z.int().describe("number of slow requests since the processes started"),
  latest: z.array(slowRequest).describe(`at most ${LATEST}, newest first`),
  slowest: z
    .array(slowRequest)
    .describe(`the slowest of the last 24 hours, at most ${SLOWEST}, slowest first`),
});

export const operationsAnswer = z.strictObject({
  queues: z.array(queue),
  resources: z.array(resource).describe("resources that the requests of all clients use, and their limits"),
  responses: responses.describe("since the processes started"),
  refusals: z.array(refusal).describe("since the processes started"),
  engines: z.array(engine),
  processes: z.array(processState),
  slow_requests: slowRequests.describe(
    "requests that took longer than --slow-after, except streams and requests rejected by a limit",
  ),
});

export type OperationsAnswer = z.infer<typeof operationsAnswer>;

export const EXAMPLE: OperationsAnswer = {
  queues: [
    {
      ...{ kind: "query", tier: "quick", running: 1, running_limit: 4, waiting: 0, waiting_limit: 200 },
      ...{ clients: 1, refused: 0 },
    },
    {
      ...{ kind: "query", tier: "long", running: 2, running_limit: 2, waiting: 3, waiting_limit: 200 },
      ...{ clients: 2, refused: 4 },
    },
  ],
  resources: [{ resource: "connections", used: 12, limit: 10_000 }],
  responses: { total: 90_412, status_429: 12, status_503: 4 },
  refusals: [{ limit: "query-queue", count: 4 }],
  engines: [
    {
      chains: ["eth"],
      memory_bytes: 812_646_400,
      memory_limit_bytes: 5_582_618_624,
      running_statements: 3,
      running_merges: 1,
      abandoned_statements: 0,
      message: null,
    },
  ],
  processes: [
    {
      process: "service",
      is_responding: true,
      pid: 4711,
      started_at: 1_689_270_000,
      rss_bytes: 1_480_589_312,
      heap_bytes: 96_468_992,
      heap_limit_bytes: 4_345_298_944,
      buffer_bytes: 8_388_608,
      cpu_share: 1.31,
      event_loop_share: 0.12,
    },
  ],
  slow_requests: {
    after_seconds: 1,
    has_texts: false,
    total: 1,
    latest: [
      {
        request_id: "3f0c1a52-5c1e-4a0e-9a41-0d6ffb2f1f5e",
        at: 1_689_280_200,
        method: "POST",
        path: "/v1/sql",
        client: "key_0123456789ab",
        chain: "eth",
        status: 200,
        ms: 4_210,
        run_ms: 3_904,
        rows_read: null,
        query: "9f86d081884c",
        sql: null,
      },
    ],
    slowest: [],
  },
};
