import { z } from "zod";
import { endpoint } from "../../endpoint/endpoint.ts";

export const health = endpoint({
  name: "getHealth",
  methods: ["GET"],
  path: "/health",
  title: "Liveness",
  summary: "200 while the process is alive.",
  parameters: {},
  answer: z.strictObject({ alive: z.literal(true) }),
  example: { parameters: {}, answer: { alive: true } },
  cost: "nothing",
  open: true,
  isProbe: true,
  handle: async () => ({ body: { alive: true as const }, asOf: null }),
});
