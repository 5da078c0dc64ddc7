import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { describedAnswer } from "../../src/api/support/described-answer.ts";
import { schemaFaults } from "../../src/api/support/schema-faults.ts";
import { ethereum } from "../../src/chains/ethereum.ts";
import { openFreshEngine } from "../support/engine/fresh-engine.ts";
import { indexMainnet } from "../support/engine/index-blocks.ts";
import { withServing } from "../support/engine/with-serving.ts";
import { apiAt } from "../support/processes/processes.ts";
import {
  type GeneratedRequest,
  generatedRequest,
  type KnownValues,
  type Operation,
  operationsOf,
} from "./support/generated-request.ts";

/** Number of requests. The long run in docs/testing.md has 100,000. */
const REQUESTS = Number(process.env.QUARRY_REQUESTS ?? 2_000);
const FIRST_SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
/**
 * With at least this many requests, every operation must succeed at least once, and enough requests must be
 * refused.
 */
const ENOUGH = 2_000;
const AT_ONCE = 6;
const MOST_MS = 60;
const PRINTED = 10;

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document can have any shape
type Json = any;

let engine: Awaited<ReturnType<typeof openFreshEngine>>;
let app: FastifyInstance;
let url: string;
let document: Json;
let known: KnownValues;
let schemaFault: ReturnType<typeof schemaFaults>;

beforeAll(async () => {
  engine = await openFreshEngine();
  const store = await indexMainnet(engine.engine);
  const chains = await withServing(engine.engine, [{ chain: ethereum, store }]);
  app = await createServer({ engine: engine.engine, chains });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  document = await apiAt(url).get("/openapi.json");
  schemaFault = schemaFaults(document);
  known = await knownValues();
}, 180_000);

afterAll(async () => {
  await app?.close();
  await engine?.close();
});

async function knownValues(): Promise<KnownValues> {
  const api = apiAt(url);
  const rows = await api.sql<Record<string, string>>(
    "SELECT token_address, pool_address, trader_address, transaction_hash, token_symbol, timestamp FROM eth_dex_trades LIMIT 300",
  );
  const charts = await api.get<{ symbol: string; ticker: string }[]>(
    "/udf/search?query=&type=&exchange=&limit=30",
  );
  const all = (...columns: string[]) => [
    ...new Set(
      rows.flatMap((row) => columns.map((column) => row[column] ?? "")).filter((text) => text !== ""),
    ),
  ];
  return {
    addresses: all("token_address", "pool_address", "trader_address"),
    hashes: all("transaction_hash"),
    texts: [...all("token_symbol"), "eth", "uni", "weth", "ETH:WETH", "a b", "%", "ü"],
    symbols: charts.flatMap(({ symbol, ticker }) => [symbol, ticker, ticker, ticker]),
    times: all("timestamp").map((time) => Date.parse(time) / 1000),
    statements: [
      "SELECT * FROM eth_dex_trades LIMIT 3",
      "SELECT COUNT(*) AS n, MAX(amount_usd) AS m FROM eth_dex_trades GROUP BY protocol",
      "SELECT transaction_hash FROM eth_logs WHERE block_number > 0 LIMIT 2",
      "SELECT nothing FROM eth_blocks",
      "SELECT 1/0 AS x",
      "SELECT (",
    ],
  };
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

async function send({ operation, path, headers, body }: GeneratedRequest): Promise<Answer> {
  const stop = new AbortController();
  const response = await fetch(url + path, {
    method: operation.method,
    headers,
    signal: stop.signal,
    ...(body === undefined ? {} : { body }),
  });
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (type === "text/event-stream") {
    // A stream never ends. Its frames have tests of their own.
    stop.abort();
    return { status: response.status, type, text: "" };
  }
  return { status: response.status, type, text: await response.text() };
}

/** Returns how an answer differs from the OpenAPI document. */
function faultsOf({ operation }: GeneratedRequest, { status, type, text }: Answer): string[] {
  const described = describedAnswer(document, operation.description, status);
  if (status === 500) return ["500"];
  if (described === undefined) return [`status ${status} is not described`];
  if (status === 304) return text === "" ? [] : ["304 with a body"];
  const content = described.content?.[type];
  if (content === undefined) return [`content type ${JSON.stringify(type)} is not described for ${status}`];
  if (type !== "application/json" && type !== "application/problem+json") return [];
  return schemaFault(content.schema, JSON.parse(text)).slice(0, 3);
}

describe("requests that are generated from the OpenAPI document", () => {
  it("get described answers that fit their schemas, never 500", {
    timeout: 60_000 + REQUESTS * MOST_MS,
  }, async () => {
    const failures: string[] = [];
    const counts = new Map<number, number>();
    const answered = new Set<string>();
    let next = FIRST_SEED;
    const worker = async () => {
      while (next < FIRST_SEED + REQUESTS) {
        const seed = next++;
        const request = generatedRequest(seed, document, known);
        const answer = await send(request);
        if (answer.status === 200) answered.add(nameOf(request.operation));
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        const faults = faultsOf(request, answer);
        if (faults.length > 0) failures.push(describeFailure(seed, request, answer, faults));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (REQUESTS > 10_000) console.log(Object.fromEntries(counts));
    expect(failures.slice(0, PRINTED), `${failures.length} failures`).toEqual([]);
    if (REQUESTS < ENOUGH) return;
    // Enough requests must be invalid, and each operation must get a valid one, or the test proves little.
    expect((counts.get(400) ?? 0) / REQUESTS).toBeGreaterThan(0.2);
    const unanswered = operationsOf(document)
      .map(nameOf)
      .filter((name) => !answered.has(name));
    expect(unanswered).toEqual(["GET /v1/check-usage"]);
  });
});

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

function describeFailure(
  seed: number,
  { operation, path, body }: GeneratedRequest,
  answer: Answer,
  faults: string[],
) {
  const asked = `${operation.method} ${path.slice(0, 300)} ${body?.slice(0, 300) ?? ""}`;
  return `seed ${seed}: ${asked}\n${answer.status} ${answer.type} ${answer.text.slice(0, 300)}\n${faults.join("\n")}`;
}
