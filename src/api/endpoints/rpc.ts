import { z } from "zod";
import { didYouMean } from "../../lib/names/suggestion.ts";
import type { DescribedKind } from "../../reads/values/value-kind.ts";
import { type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { RPC_PROBLEM, RPC_RESPONSE_FIELDS } from "../endpoint/json-rpc.ts";
import { HttpError } from "../errors/errors.ts";
import { OBJECT, oneOf, text } from "../parameters/kinds/words.ts";
import { derived, required } from "../parameters/parameter.ts";
import { ohlc } from "./prices/ohlc.ts";
import { latestPerformancePerToken } from "./wallets/latest-performance-per-token.ts";
import { latestTotalPerformance } from "./wallets/latest-total-performance.ts";

interface Method {
  endpoint: Endpoint;
  /** Parameters that the method sets, regardless of the client's values. */
  fixed?: Record<string, unknown>;
}

/** The endpoints that are also JSON-RPC methods, each named after its operation. */
const METHODS: readonly Method[] = [
  { endpoint: ohlc, fixed: { with_volume: true } },
  { endpoint: latestTotalPerformance },
  { endpoint: latestPerformancePerToken },
];

const nameOf = ({ endpoint: { name } }: Method) => `v1/${name}`;
const NAMES = METHODS.map(nameOf);

const NAME = text(oneOf(NAMES));

/**
 * The name of a method. It is read before `params`, so that an unknown method is not reported as an error in
 * them.
 */
const METHOD: DescribedKind<Method> = {
  ...NAME,
  parse(given) {
    const name = NAME.parse(given);
    const method = METHODS.find((one) => nameOf(one) === name);
    if (name !== undefined && method === undefined) throw new UnknownMethod(name);
    return method;
  },
};

const response = z.strictObject({
  ...RPC_RESPONSE_FIELDS,
  result: z.union(METHODS.map(({ endpoint }) => endpoint.answer)).describe("response of the endpoint"),
});

const answer: z.ZodType<unknown> = z.union([response, z.array(z.union([response, RPC_PROBLEM]))]);

export const rpc = endpoint({
  name: "callMethod",
  methods: ["POST"],
  path: "/v1/rpc",
  protocol: "json-rpc",
  title: "JSON-RPC",
  summary: "Some of the other endpoints over JSON-RPC 2.0: one call or a list of calls.",
  parameters: {
    method: required(METHOD, "method to call; each one is an endpoint"),
    params: derived(OBJECT, "parameters of the endpoint"),
  },
  answer,
  example: {
    parameters: { method: nameOf({ endpoint: ohlc }), params: ohlc.example.parameters },
    answer: { id: 1, jsonrpc: "2.0", result: ohlc.example.answer },
  },
  cost: "nothing",
  async handle({ method: { endpoint, fixed }, params }, { run }) {
    return run(endpoint, { ...params, ...fixed });
  },
});

/** Maximum number of characters of a method's name in an error. */
const MAX_NAME = 100;

class UnknownMethod extends HttpError {
  constructor(name: string) {
    const given = JSON.stringify(name.slice(0, MAX_NAME));
    const suggestion = didYouMean(name, NAMES) || ".";
    super(404, `There is no method ${given}${suggestion} The methods are ${NAMES.join(", ")}.`);
  }
}
