import { z } from "zod";
import { endpoint } from "../../endpoint/endpoint.ts";
import { RESOLUTIONS } from "./resolutions.ts";

const exchange = z.strictObject({ value: z.string(), name: z.string(), desc: z.string() });
const symbolType = z.strictObject({ value: z.string(), name: z.string() });

export const udfConfig = endpoint({
  name: "udfConfig",
  methods: ["GET"],
  path: "/udf/config",
  title: "Chart configuration",
  summary: "What the datafeed offers: resolutions, search and marks, with the chains as exchanges.",
  parameters: {},
  answer: z.strictObject({
    supported_resolutions: z.array(z.string()).describe("offered to users; others are served as well"),
    supports_search: z.literal(true),
    supports_group_request: z.literal(false),
    supports_marks: z.literal(true),
    supports_timescale_marks: z.literal(false),
    supports_time: z.literal(true),
    exchanges: z.array(exchange).describe("chains; an empty value means all chains"),
    symbols_types: z.array(symbolType),
  }),
  example: { parameters: {}, answer: configOf(["eth"]) },
  cost: "nothing",
  protocol: "udf",
  handle: async (_values, { reader }) => ({
    body: configOf(reader.chains.map(({ chain }) => chain.name)),
    asOf: null,
  }),
});

function configOf(chains: readonly string[]) {
  return {
    supported_resolutions: [...RESOLUTIONS],
    supports_search: true as const,
    supports_group_request: false as const,
    supports_marks: true as const,
    supports_timescale_marks: false as const,
    supports_time: true as const,
    exchanges: [
      { value: "", name: "All chains", desc: "All chains" },
      ...chains.map((chain) => ({ value: chain, name: chain, desc: chain })),
    ],
    symbols_types: [
      { value: "", name: "All" },
      { value: "token", name: "Tokens" },
      { value: "pool", name: "Pools" },
    ],
  };
}
