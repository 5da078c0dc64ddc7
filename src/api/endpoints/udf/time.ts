import { z } from "zod";
import { endpoint } from "../../endpoint/endpoint.ts";

export const udfTime = endpoint({
  name: "udfTime",
  methods: ["GET"],
  path: "/udf/time",
  title: "Service time",
  summary: "The time of the service in unix seconds, as text.",
  parameters: {},
  answer: z.string(),
  textType: "text/plain; charset=utf-8",
  example: { parameters: {}, answer: "1704456000" },
  cost: "nothing",
  protocol: "udf",
  handle: async (_values, { now }) => ({ body: String(now), asOf: null }),
});
