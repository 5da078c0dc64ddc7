import { z } from "zod";
import { endpoint } from "../../endpoint/endpoint.ts";

export const metrics = endpoint({
  name: "getMetrics",
  methods: ["GET"],
  scope: "metrics",
  path: "/metrics",
  title: "Metrics",
  summary: "Prometheus metrics of the service and its indexer.",
  parameters: {},
  answer: z.string(),
  textType: "text/plain; version=0.0.4; charset=utf-8",
  example: {
    parameters: {},
    answer: [
      "# HELP quarry_lag_blocks Newest block of the chain minus newest indexed block",
      "# TYPE quarry_lag_blocks gauge",
      'quarry_lag_blocks{chain="eth"} 0',
      "",
    ].join("\n"),
  },
  cost: "nothing",
  handle: async (_values, { metrics }) => ({ body: await metrics.metrics(), asOf: null }),
});
