import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { post, responseOf } from "../support/http.ts";
import { createServer } from "./server.ts";

const LATEST = "/v1/price-api/batch-latest-token-prices";
const TOKEN = hexOf(0xa1);

let market: Market;
let app: FastifyInstance;
/** A service that requires the key `first`. */
let locked: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: 1_700_000_000, price: 5 }]);
  app = await createServer(market);
  locked = await createServer({ ...market, apiKeys: ["first"] });
});
afterAll(async () => {
  await app.close();
  await locked.close();
  await market.close();
});

function send(service: FastifyInstance, url: string, payload: string, headers = {}) {
  const typed = { "content-type": "application/json", ...headers };
  return responseOf(service.inject({ method: "POST", url, payload, headers: typed }));
}

describe("a POST", () => {
  it.each(["gzip", "deflate", "br", "gzip, zstd"])("is rejected when encoded as %s", async (encoding) => {
    const message = `The body is encoded as "${encoding}". Send it as plain JSON, without the header Content-Encoding.`;
    const rest = await send(app, LATEST, "\x1f\x8b", { "content-encoding": encoding });
    expect([rest.status, rest.body]).toEqual([415, { error: message }]);
    expect(rest.headers["accept-encoding"]).toBe("identity");
    const rpc = await send(app, "/v1/rpc", "\x1f\x8b", { "content-encoding": encoding });
    expect([rpc.status, rpc.body.error]).toEqual([415, { code: 415, message }]);
  });

  it("may declare that its body is not encoded", async () => {
    const body = JSON.stringify({ token_address: TOKEN });
    const { status } = await send(app, LATEST, body, { "content-encoding": "Identity" });
    expect(status).toBe(200);
  });

  it.each(["__proto__", "constructor"])("may have a field %s, which is ignored", async (field) => {
    const hidden = `"${field}":{"prototype":1,"key":"first","token_address":"${hexOf(0xb2)}"}`;
    const answer = await send(locked, LATEST, `{"key":"first","token_address":"${TOKEN}",${hidden}}`);
    expect([answer.status, answer.body[0]?.token_address]).toEqual([200, TOKEN]);
    expect((await send(locked, LATEST, `{"key":"first",${hidden}}`)).body).toEqual({
      error: "Missing required parameter: token_address",
    });
    expect((await send(locked, LATEST, `{"token_address":"${TOKEN}",${hidden}}`)).status).toBe(401);
  });

  it("reads parameters from the URL that its body lacks", async () => {
    const url = `${LATEST}?chain=nowhere`;
    expect((await post(app, url, { token_address: TOKEN })).body.error).toContain("parameter chain");
    expect((await post(app, url, { token_address: TOKEN, chain: "eth" })).status).toBe(200);
  });
});
