import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Listening, serveAnswers } from "../../support/service.ts";
import { type Client, type ClientOptions, createClient, QuarryError } from "../index.ts";

const TOKEN = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

const asOfHeaders = (block: string) => ({
  "x-indexed-block": block,
  "x-indexed-timestamp": `${block}00`,
  "x-indexed-block-hash": `0x${block}`,
  "x-commit": block,
});

interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

const open: Listening[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function clientOf(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const server = await serveAnswers(answer);
  open.push(server);
  return createClient({ url: server.url, ...options });
}

/** Sends the responses one after another, and repeats the last one. Records the times of the requests. */
async function scripted(answers: Scripted[], options: Partial<ClientOptions> = {}) {
  const times: number[] = [];
  const client = await clientOf((_request, response) => {
    const {
      status = 200,
      headers = {},
      body = '{"chains":[]}',
    } = answers[times.length] ?? answers.at(-1) ?? {};
    times.push(performance.now());
    response.writeHead(status, headers).end(body);
  }, options);
  return { client, times };
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("retries", () => {
  it.each([429, 503])("wait as long as the service requests after %i", async (status) => {
    const busy = { status, headers: { "retry-after": "1" }, body: '{"error":"Too busy."}' };
    const { client, times } = await scripted([busy, {}]);
    expect(await client.status()).toEqual({ chains: [] });
    const [first = 0, second = 0] = times;
    expect(times).toHaveLength(2);
    // A timer may fire slightly early.
    expect(second - first).toBeGreaterThanOrEqual(995);
  });

  it("end with the error of the last one", async () => {
    const busy = { status: 429, headers: { "retry-after": "0" }, body: '{"error":"Too busy."}' };
    const { client, times } = await scripted([busy], { retries: 2 });
    expect(await failureOf(client.status())).toMatchObject({
      name: "QuarryError",
      message: "Too busy.",
      status: 429,
      retryAfterSeconds: 0,
    });
    expect(times).toHaveLength(3);
  });

  it("are not made for other errors, nor after a wait of more than a minute", async () => {
    const answers = [400, 401, 404, 408, 500, 502, 504].map((status) => ({
      status,
      body: '{"error":"No."}',
    }));
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const late = { status: 503, headers: { "retry-after": inAnHour }, body: '{"error":"Later."}' };
    for (const answer of [...answers, late]) {
      const { client, times } = await scripted([answer]);
      expect(await failureOf(client.status())).toMatchObject({ status: answer.status });
      expect(times).toHaveLength(1);
    }
    const { client } = await scripted([late]);
    const { retryAfterSeconds } = (await failureOf(client.status())) as QuarryError;
    expect(retryAfterSeconds).toBeGreaterThan(3590);
  });
});

it("rows say whether they are complete", async () => {
  const headers = { "x-row-limit": "1", "x-truncated": "true", "x-elapsed-ms": "7" };
  const { client } = await scripted([{ body: '[{"n":1}]', headers }]);
  expect(await client.sql("SELECT 1 AS n")).toEqual({
    rows: [{ n: 1 }],
    truncated: true,
    rowLimit: 1,
    asOf: null,
    elapsedMs: 7,
    rowsRead: null,
  });
});

it.each([
  // Parts of older commits are requested again at most twice.
  [["9", "7", "8", "10", "11", "12", "13"], 11],
  [["9", undefined, "7"], undefined],
])(
  "answers in parts that never meet are as of the oldest, and say that they are mixed: %j",
  async (blocks, oldest) => {
    const answers = blocks.map((block) => ({
      body: "[]",
      headers: block === undefined ? {} : asOfHeaders(block),
    }));
    const { client } = await scripted(answers);
    const tokens = Array.from({ length: 20_001 }, (_, i) => `0x${String(i).padStart(40, "0")}`);
    const { asOf, mixed } = await client.latestPrices({ token_address: tokens });
    expect(asOf?.block).toBe(oldest);
    expect(mixed).toBe(true);
  },
);

describe("a response that does not come from Quarry", () => {
  it.each<[string, Scripted, string]>([
    ["a page instead of JSON", { body: "<html>" }, "The response is not JSON. Is this a Quarry service?"],
    ["a proxy's error", { status: 502, body: "<html>" }, "The service responded with 502 Bad Gateway"],
    ["JSON of another shape", { status: 404, body: "[]" }, "The service responded with 404 Not Found"],
  ])("%s", async (_, answer, message) => {
    const { client } = await scripted([answer]);
    expect(await failureOf(client.status())).toMatchObject({ name: "QuarryError", message });
  });

  it("rows without a statement whether they are complete", async () => {
    const { client } = await scripted([{ body: "[]", headers: { "x-row-limit": "10" } }]);
    expect(await failureOf(client.sql("SHOW TABLES"))).toMatchObject({
      message: expect.stringContaining("X-Truncated"),
    });
  });

  it("no server", async () => {
    const server = await serveAnswers(() => undefined);
    await server.close();
    const error = await failureOf(createClient({ url: server.url, key: "secret" }).status());
    expect(error).toMatchObject({ name: "QuarryError", status: null });
    expect(String(error)).toContain(`${server.url}/v1/status: connect ECONNREFUSED`);
    expect(String(error)).not.toContain("secret");
  });

  it("a response that is cut off", async () => {
    const client = await clientOf((_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"chains":[', () => response.destroy());
    });
    expect(await failureOf(client.status())).toMatchObject({ name: "QuarryError", status: null });
  });
});

describe("waiting", () => {
  it.each([
    ["headers", false],
    ["the end of the body", true],
  ])("for %s ends at timeoutMs", async (_, withHeaders) => {
    const stall = (_request: IncomingMessage, response: ServerResponse) => {
      if (withHeaders) response.writeHead(200).write("{");
    };
    const client = await clientOf(stall, { timeoutMs: 100 });
    const error = await failureOf(client.status());
    expect(error).toBeInstanceOf(QuarryError);
    expect(String(error)).toMatch(/\/v1\/status: it took longer than 100 ms$/);
  });

  it("ends when the caller aborts, with the caller's reason, during a request and between two", async () => {
    const stalled = await clientOf(() => undefined);
    const { client: busy } = await scripted([{ status: 503, headers: { "retry-after": "30" } }]);
    for (const client of [stalled, busy]) {
      const controller = new AbortController();
      const call = failureOf(client.status({ signal: controller.signal }));
      setTimeout(() => controller.abort("enough"), 100);
      expect(await call).toBe("enough");
    }
    expect(await failureOf(stalled.status({ signal: AbortSignal.abort("never") }))).toBe("never");
  });

  it("does not start when the caller aborts as the rejection arrives", async () => {
    const controller = new AbortController();
    const refuse = async () => {
      controller.abort("enough");
      return new Response("{}", { status: 503, headers: { "retry-after": "30" } });
    };
    const client = createClient({ url: "http://host", fetch: refuse });
    expect(await failureOf(client.status({ signal: controller.signal }))).toBe("enough");
  });
});

const NO_URL = "url must be the address of the service, such as http://127.0.0.1:8080";

describe("requests", () => {
  it("carry the key in a header, never in the URL, and text escaped", async () => {
    const seen: (string | undefined)[] = [];
    const client = await clientOf(
      ({ url, headers }, response) => {
        seen.push(url, headers.authorization);
        response.end("{}");
      },
      { key: "k1" },
    );
    await client.ohlc({ token_address: TOKEN, chain: "a&b=c d" });
    expect(seen).toEqual([`/v1/price/historical/ohlc?token_address=${TOKEN}&chain=a%26b%3Dc+d`, "Bearer k1"]);
  });

  it.each<[Partial<ClientOptions>, string]>([
    [{ url: "http://host/?a" }, "url must be an address without a user name, ? or #."],
    [{ url: "http://me:secret@host" }, "url must be an address without a user name, ? or #."],
    ...["", "foo", "/quarry", "127.0.0.1:8101", "localhost:8101", "ftp://host", "http://", "http://a b"].map(
      (url): [Partial<ClientOptions>, string] => [{ url }, `${NO_URL}; got "${url}".`],
    ),
    [{ url: undefined } as object, `${NO_URL}; got undefined.`],
    [{ url: new URL("http://host") } as object, `${NO_URL}; got object.`],
    [{ timeoutMs: 0 }, "timeoutMs must be an integer from 1 to 2147483647; got 0."],
    [{ timeoutMs: 2 ** 31 }, "timeoutMs must be an integer from 1 to 2147483647; got 2147483648."],
    [{ concurrency: 9 }, "concurrency must be an integer from 1 to 8; got 9."],
    [{ retries: -1 }, "retries must be an integer of at least 0; got -1."],
    [{ retries: Number.NaN }, "retries must be an integer of at least 0; got NaN."],
  ])("are not sent with invalid options: %j", (options, message) => {
    expect(() => createClient({ url: "http://host", ...options })).toThrow(
      new QuarryError("bad-options", message),
    );
  });
});

/**
 * JSON has no NaN and no infinity. They would become null, which the service takes for an absent parameter.
 */
describe("numbers that are not finite", () => {
  const TRADES = { type: "trades", min_usd: Number.NaN } as const;

  it.each<[string, (client: Client) => Promise<unknown>, string]>([
    [
      "in a stream",
      (client) => client.stream({ subscriptions: [{ type: "blocks" }, TRADES] }).next(),
      "subscriptions[1].min_usd must be a finite number; got NaN.",
    ],
    [
      "in a body",
      (client) => client.ticks({ token_address: Array(26).fill(TOKEN), from_timestamp: Infinity }),
      "from_timestamp must be a finite number; got Infinity.",
    ],
    [
      "in a list",
      (client) => client.topRecords("dex-trades", { groupby: "block_number", eq: [1, Number.NaN] }),
      "eq[1] must be a finite number; got NaN.",
    ],
    [
      "in a URL",
      (client) => client.ohlc({ token_address: TOKEN, until_timestamp: -Infinity }),
      "until_timestamp must be a finite number; got -Infinity.",
    ],
  ])("%s are not sent", async (_, call, message) => {
    const { client, times } = await scripted([{}]);
    expect(await failureOf(call(client))).toEqual(new QuarryError("bad-options", message));
    expect(times).toEqual([]);
  });
});

describe("a page of a browser", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["", "/v1/status"],
    ["/", "/v1/status"],
    ["/quarry", "/quarry/v1/status"],
    ["https://page.example", "https://page.example/v1/status"],
  ])("may give the address in the forms that fetch accepts: %j", async (url, asked) => {
    vi.stubGlobal("document", { baseURI: "https://page.example/prices" });
    const fetch = vi.fn(async () => new Response('{"chains":[]}'));
    await createClient({ url, fetch }).status();
    expect(fetch).toHaveBeenCalledWith(asked, expect.anything());
  });

  it("that was opened from a file has no service next to it", () => {
    vi.stubGlobal("document", { baseURI: "file:///home/page.html" });
    expect(() => createClient({ url: "null" })).toThrow(NO_URL);
  });
});

describe("kinds of errors", () => {
  it.each<[string, Scripted, object]>([
    [
      "the service's word",
      { status: 408, headers: { "x-error-code": "timeout" } },
      { code: "timeout", status: 408 },
    ],
    ["a proxy's page", { status: 502, body: "<html>" }, { code: "not-quarry", status: 502 }],
    ["no JSON", { body: "<html>" }, { code: "not-quarry", status: 200 }],
    ["a place in SQL that is none", { status: 400, headers: { "x-sql-error": "{" } }, { sql: null }],
  ])("%s", async (_, answer, expected) => {
    const { client } = await scripted([answer], { retries: 0 });
    expect(await failureOf(client.status())).toMatchObject(expected);
  });

  it("distinguish no server, a timeout and an abort", async () => {
    const client = await clientOf(() => undefined, { timeoutMs: 50 });
    expect(await failureOf(client.status())).toMatchObject({ code: "timeout", status: null });
    expect(await failureOf(createClient({ url: "http://127.0.0.1:1" }).status())).toMatchObject({
      code: "no-answer",
      status: null,
    });
    const signal = AbortSignal.abort(new RangeError("before it began"));
    for (const call of [
      client.latestPrices({ token_address: [TOKEN] }, { signal }),
      client.sqlStream("SELECT 1", { signal }),
      client.tickStream({ token_address: [TOKEN] }, { signal }),
      client.candlePages({ token_address: TOKEN }, { signal }).next(),
      client.followTicks({ token_address: [TOKEN] }, { signal }).next(),
    ]) {
      expect(await failureOf(call)).toBeInstanceOf(RangeError);
    }
  });

  it.each([
    ['{"n":1}\n<html>\n', "not-quarry"],
    [Buffer.from([0x7b, 0xff, 0x0a]), "not-quarry"],
    [Buffer.from('"€').subarray(0, 3), "no-answer"],
  ])("lines that are not rows end the stream: %j", async (body, code) => {
    const client = await clientOf((_request, response) => {
      response.writeHead(200, { "x-truncated": "false", "x-row-limit": "9" }).end(body);
    });
    const { rows } = await client.sqlStream("SELECT 1");
    const readAll = async () => {
      for await (const _ of rows);
    };
    expect(await failureOf(readAll())).toMatchObject({ name: "QuarryError", code });
  });

  it("ticks and pages of candles without a statement of their block are rejected", async () => {
    const { client } = await scripted([{ body: '{"token_address":"0x1","data":[]}' }]);
    expect(await failureOf(client.candlePages({ token_address: TOKEN }).next())).toMatchObject({
      code: "not-quarry",
      message: expect.stringContaining("x-indexed-block"),
    });
    expect(await failureOf(client.tickStream({ token_address: [TOKEN] }))).toMatchObject({
      code: "not-quarry",
    });
  });
});
