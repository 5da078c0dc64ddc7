import { Validator } from "@seriousme/openapi-schema-validator";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { createServer } from "../http/server.ts";
import { hashOfKey, KEY_SCOPES } from "../keys/client-keys.ts";
import { NO_KEY_LIMITS } from "../keys/key-limits.ts";
import { get, responseOf } from "../support/http.ts";
import { schemaFaults } from "../support/schema-faults.ts";
import { openApiDocument } from "./openapi.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document has an unknown shape
type Any = any;

const document: Any = openApiDocument(ENDPOINTS);
const operations: [string, Endpoint, Any][] = ENDPOINTS.flatMap((endpoint) =>
  endpoint.methods.map((method): [string, Endpoint, Any] => [
    `${method} ${endpoint.path}`,
    endpoint,
    document.paths[endpoint.path][method.toLowerCase()],
  ]),
);

const faults = schemaFaults(document);
const answerSchema = (operation: Any) => (Object.values(operation.responses[200].content)[0] as Any).schema;

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect([valid, validator.version]).toEqual([true, "3.1"]);
  });

  it("has every endpoint with each of its methods, each with its own name", () => {
    const offered = ENDPOINTS.flatMap(({ path, methods }) => methods.map((method) => `${method} ${path}`));
    const described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).toEqual(offered);
    expect(described).toContain("GET /openapi.json");
    const names = operations.map(([, , { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has no dangling references", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(references.length).toBeGreaterThan(20);
    const missing = references.filter(
      (path) => path?.split("/").reduce<Any>((node, key) => node?.[key], document) === undefined,
    );
    expect(missing).toEqual([]);
  });

  it.each(operations)(
    "%s: its example, its defaults and its answer fit their schemas",
    (_, endpoint, operation) => {
      expect(faults(answerSchema(operation), endpoint.example.answer)).toEqual([]);
      for (const { name, schema } of operation.parameters ?? []) {
        const values = [endpoint.example.parameters[name], schema.default].filter((one) => one !== undefined);
        expect(values.flatMap((value) => faults(schema, value))).toEqual([]);
      }
      const body = operation.requestBody?.content["application/json"];
      if (body !== undefined) expect(faults(body.schema, endpoint.example.parameters)).toEqual([]);
    },
  );

  it("describes a parameter as it is declared", () => {
    const { parameters } = document.paths["/v1/price/historical/ohlc"].get;
    const named = (name: string) => parameters.find((one: Any) => one.name === name);
    expect(named("max_size")).toEqual({
      name: "max_size",
      in: "query",
      description: "maximum number of candles in the response, after ordering",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 2500, default: 100 },
      example: 1,
    });
    expect(named("token_address").required).toBe(true);
    expect(named("until_timestamp").schema.default).toBeUndefined();
    expect(named("until_timestamp").description).toMatch(/by default the time of the request$/);
  });

  it("describes the different limits of GET and POST", () => {
    const { get, post } = document.paths["/v1/price-api/batch-latest-token-prices"];
    expect(get.parameters[0]).toMatchObject({ style: "form", explode: false, schema: { maxItems: 25 } });
    expect(post.requestBody.required).toBe(true);
    const { properties, required } = document.components.schemas.GetBatchLatestTokenPricesBody;
    expect(properties.token_address).toMatchObject({ type: "array", maxItems: 10_000 });
    expect(required).toEqual(["token_address"]);
  });

  it("rejects values that the service rejects", () => {
    const { properties } = document.components.schemas.GetPriceHistoricalOHLCBody;
    const wrong = { token_address: "0x12", interval: "1w", max_size: 2501, order: "up", fill: "yes" };
    for (const [name, value] of Object.entries(wrong))
      expect(faults(properties[name], value)).not.toEqual([]);
  });

  it("describes the headers, the errors and the endpoints without a key", () => {
    const [, , query] = operations[0] as [string, Endpoint, Any];
    expect(Object.keys(query.responses)).toEqual(
      "200 400 401 403 406 408 413 414 415 429 500 503".split(" "),
    );
    expect(Object.keys(query.responses[200].headers)).toEqual([
      "X-Request-Id",
      "X-First-Block",
      "X-Indexed-Block",
      "X-Indexed-Timestamp",
      "X-Indexed-Block-Hash",
      "X-Commit",
      "X-Chain",
      "X-Row-Limit",
      "X-Truncated",
      "X-Elapsed-Ms",
      "X-Rows-Read",
    ]);
    expect(document.paths["/health"].get).toMatchObject({ security: [] });
    expect(document.paths["/health"].get.responses[401]).toBeUndefined();
    expect(query.security).toBeUndefined();
    expect(document.security).toContainEqual({});
    expect(document.components.responses.Busy.headers["Retry-After"]).toBeDefined();
  });
});

describe("the service", () => {
  const token = hexOf(0xa1);
  let market: Market;
  let app: FastifyInstance;

  beforeAll(async () => {
    market = await openMarket([{ token, at: 1_700_000_000, price: 5 }], { named: [token] });
    const key = { id: "all", scopes: KEY_SCOPES, expiresAt: null, limits: NO_KEY_LIMITS };
    const clientKeys = {
      isRequired: true,
      find: (hash: string) => (hash === hashOfKey("k") ? key : undefined),
    };
    app = await createServer({ engine: market.engine, chains: market.chains, clientKeys });
  });
  afterAll(async () => {
    await app.close();
    await market.close();
  });

  it("serves the document without a key", async () => {
    const { status, headers, body } = await get(app, "/openapi.json");
    expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(body).toEqual(JSON.parse(JSON.stringify(document)));
  });

  // A header for browsers that is the same on every response.
  const NOSNIFF = "x-content-type-options";

  /** All but the stream, which has no end; test/streams reads its frames. */
  const ending = operations.filter(([name]) => !name.endsWith("/v1/stream"));

  it.each(ending)("%s: responds with the documented fields and headers", async (name, _, operation) => {
    const [method, url = ""] = name.split(" ");
    const given = {
      token_address: token,
      wallet_address: hexOf(0xabc),
      pool_address: hexOf(0xb00),
      query: "SELECT * FROM eth_dex_trades",
      with_volume: true,
      groupby: "block_number",
      eq: "1000",
      method: "v1/getPriceHistoricalOHLC",
      symbol: `eth:${token}`,
      resolution: "60",
    };
    const answer = await responseOf(
      method === "GET"
        ? app.inject({ method, url, query: { ...given, with_volume: "true", key: "k" } })
        : app.inject({ method: "POST", url, payload: { ...given, params: given, key: "k" } }),
    );
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    expect(faults(answerSchema(operation), answer.body)).toEqual([]);
    const documented = Object.keys(operation.responses[200].headers).map((header) => header.toLowerCase());
    const sent = Object.keys(answer.headers).filter(
      (header) => header.startsWith("x-") && header !== NOSNIFF,
    );
    expect(sent.filter((header) => !documented.includes(header))).toEqual([]);
  });

  it.each([
    [400, { method: "GET", url: "/v1/price/historical/ohlc?key=k" }],
    [401, { method: "GET", url: "/v1/status" }],
    [415, { method: "POST", url: "/v1/sql", payload: "x", headers: { "content-type": "text/csv" } }],
  ] as const)("responds with errors as documented: %i", async (status, request) => {
    const answer = await responseOf(app.inject(request));
    expect(answer.status).toBe(status);
    expect(faults(document.components.schemas.Problem, answer.body)).toEqual([]);
  });
});
