import { z } from "zod";
import type { Endpoint, Method } from "../endpoint/endpoint.ts";
import { MAX_CALLS, RPC_PROBLEM } from "../endpoint/json-rpc.ts";
import { UDF_PROBLEM } from "../endpoint/udf-problem.ts";
import { SQL_MISTAKE } from "../errors/sql-mistake.ts";
import { CURRENT_TIME, type Parameter, type Parameters } from "../parameters/parameter.ts";
import { HEADERS, headersOf, notModifiedOf, PROBLEM_SCHEMA, PROBLEMS, problemsOf } from "./responses.ts";

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: Json;
  servers: Json[];
  security: Record<string, string[]>[];
  tags: Json[];
  paths: Record<string, Json>;
  components: Record<string, Json>;
}

/** Returns the OpenAPI 3.1 document of endpoints, derived from their declarations alone. */
export function openApiDocument(endpoints: readonly Endpoint[]): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: "/", description: "the service that serves this document" }],
    security: [{}, ...Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }))],
    tags: TOPICS.map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, pathOf(endpoint)])),
    components: {
      schemas: Object.assign(
        {
          Problem: PROBLEM_SCHEMA,
          RpcProblem: openSchema(RPC_PROBLEM),
          UdfProblem: openSchema(UDF_PROBLEM),
          SqlMistake: openSchema(SQL_MISTAKE),
        },
        ...endpoints.map(schemasOf),
      ),
      headers: HEADERS,
      responses: PROBLEMS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const INFO = {
  title: "Quarry",
  version: "1",
  summary: "Blocks, trades and prices of EVM chains over SQL and REST.",
  description: [
    "Unknown parameters are ignored. Numbers may be strings, and booleans and addresses may be in any case; responses",
    "have addresses in lower case. An invalid value is rejected with a message that names it. Integers",
    "from 2^53 on are strings; times are unix seconds, except in SQL rows (ISO 8601).",
  ].join(" "),
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
};

/**
 * The topics of endpoints, by the folder of their path. Endpoints in no such folder concern the service
 * itself.
 */
const TOPICS = [
  { folder: "/v1/price", name: "Prices", description: "Current, past and all-time token prices." },
  { folder: "/v1/market-api/", name: "Pools", description: "Pool balances and their value." },
  { folder: "/v1/wallet-api/", name: "Wallets", description: "Trading profit of wallets." },
  { folder: "/v1/sql", name: "SQL", description: "SQL queries over every table." },
  { folder: "/v1/topk-api/", name: "Records", description: "The top rows of a table for each group." },
  { folder: "/v1/search", name: "Search", description: "Tokens and pools by symbol, name or address." },
  { folder: "/udf/", name: "TradingView", description: "A datafeed for charts, over the UDF protocol." },
  { folder: "/v1/rpc", name: "JSON-RPC", description: "Some of the endpoints over JSON-RPC 2.0." },
  { folder: "", name: "Service", description: "Health, progress and metrics of the service." },
];

function topicOf({ path }: Endpoint): string {
  return TOPICS.find(({ folder }) => path.startsWith(folder))?.name ?? "Service";
}

/** The ways to send a key. Any one of them is enough; a service without configured keys ignores them. */
const SECURITY_SCHEMES = {
  keyInHeader: { type: "apiKey", in: "header", name: "X-API-Key" },
  keyAsBearer: { type: "http", scheme: "bearer" },
  keyInQuery: { type: "apiKey", in: "query", name: "key", description: "or the field `key` of a JSON body" },
};

function pathOf(endpoint: Endpoint): Json {
  return Object.fromEntries(
    endpoint.methods.map((method) => [method.toLowerCase(), operationOf(endpoint, method)]),
  );
}

function operationOf(endpoint: Endpoint, method: Method): Json {
  const { name, methods, title, summary, open } = endpoint;
  return {
    operationId: method === methods[0] ? name : `${name}By${capitalized(method.toLowerCase())}`,
    tags: [topicOf(endpoint)],
    summary: title,
    description: summary,
    ...(open === true ? { security: [] } : {}),
    ...(method === "GET" ? { parameters: queryOf(endpoint) } : { requestBody: bodyOf(endpoint) }),
    responses: {
      200: {
        description: "The response.",
        headers: headersOf(endpoint, method),
        content: contentOf(endpoint),
      },
      ...notModifiedOf(endpoint, method),
      ...problemsOf(endpoint, method),
    },
  };
}

function queryOf({ parameters, example }: Endpoint): Json[] {
  return Object.entries(parameters).map(([name, parameter]) => ({
    name,
    in: "query",
    description: docOf(parameter),
    required: parameter.required,
    ...(parameter.kind.schema.type === "array" ? { style: "form", explode: false } : {}),
    schema: schemaOf(parameter, "GET"),
    ...(Object.hasOwn(example.parameters, name) ? { example: example.parameters[name] } : {}),
  }));
}

function bodyOf(endpoint: Endpoint): Json {
  return {
    required: requiredNames(endpoint.parameters).length > 0,
    content: json(schemaRef(bodyName(endpoint)), endpoint.example.parameters),
  };
}

function schemasOf(endpoint: Endpoint): Json {
  const answer = { [answerName(endpoint)]: answerSchema(endpoint) };
  if (!endpoint.methods.includes("POST")) return answer;
  const body = bodySchema(endpoint.parameters);
  return { [bodyName(endpoint)]: endpoint.protocol === "json-rpc" ? oneOrMany(body) : body, ...answer };
}

function oneOrMany(call: Json): Json {
  return { anyOf: [call, { type: "array", items: call, minItems: 1, maxItems: MAX_CALLS }] };
}

/** Returns the JSON schema of an object with these parameters. */
export function bodySchema(parameters: Parameters) {
  const properties = Object.entries(parameters).map(([name, parameter]) => [
    name,
    { ...schemaOf(parameter, "POST"), description: docOf(parameter) },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: requiredNames(parameters),
  };
}

function requiredNames(parameters: Parameters): string[] {
  return Object.keys(parameters).filter((name) => parameters[name]?.required);
}

function schemaOf({ kind, fallback }: Parameter<unknown>, method: Method): Json {
  const schema = method === "GET" ? (kind.schemaOnGet ?? kind.schema) : kind.schema;
  return fallback === undefined || fallback === CURRENT_TIME ? schema : { ...schema, default: fallback };
}

function docOf({ doc, fallback }: Parameter<unknown>): string {
  return fallback === CURRENT_TIME ? `${doc}; by default the time of the request` : doc;
}

function answerSchema({ answer }: Endpoint): Json {
  return openSchema(answer);
}

/** Returns a schema that allows further fields, because later versions may add some. */
function openSchema(shape: z.ZodType): Json {
  const { $schema, ...schema } = z.toJSONSchema(shape, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}

function contentOf(endpoint: Endpoint): Json {
  const [mediaType = "application/json"] = endpoint.textType?.split(";", 1) ?? [];
  const others = endpoint.otherTypes?.map((type) => [type, {}]) ?? [];
  return {
    [mediaType]: { schema: schemaRef(answerName(endpoint)), example: endpoint.example.answer },
    ...Object.fromEntries(others),
  };
}

const json = (schema: Json, example: unknown): Json => ({ "application/json": { schema, example } });
const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const answerName = ({ name }: Endpoint) => `${capitalized(name)}Answer`;
const bodyName = ({ name }: Endpoint) => `${capitalized(name)}Body`;
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
