import { expect } from "vitest";
import { lastTradeAt, tradedTokens } from "./support/expected.ts";
import { decided, rule, section } from "./support/rules.ts";
import { asked, type Given, get, post, the } from "./support/service.ts";

const PATH = "/v1/rpc";
const OHLC = "v1/getPriceHistoricalOHLC";

interface Method {
  path: string;
  params: () => Given;
  /** Parameters that the method always sets. */
  always?: Given;
  required: string;
}

const wallet = () => the().trades[0]?.trader_address;
export const METHODS: Record<string, Method> = {
  [OHLC]: {
    path: "/v1/price/historical/ohlc",
    params: () => ({ token_address: tradedTokens()[0], until_timestamp: lastTradeAt(), interval: "5m" }),
    always: { with_volume: true },
    required: "token_address",
  },
  "v1/getWalletLatestTotalPerformance": {
    path: "/v1/wallet-api/latest-total-performance",
    params: () => ({ wallet_address: wallet() }),
    required: "wallet_address",
  },
  "v1/getWalletLatestPerformancePerToken": {
    path: "/v1/wallet-api/latest-performance-per-token",
    params: () => ({ wallet_address: wallet() }),
    required: "wallet_address",
  },
};
const methods = Object.entries(METHODS);
const ohlcParams = () => METHODS[OHLC]?.params() ?? {};

section("10. JSON-RPC", import.meta.url, () => {
  rule("Method: POST only", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status, headers, body } = await asked(method, PATH, {});
      expect([status, headers.get("allow"), body.error.code]).toEqual([405, "POST, OPTIONS", 405]);
    }
    expect((await get(PATH, { method: OHLC })).status).toBe(405);
  });

  rule(
    "Request body: JSON object: method (string) and params (JSON object holding the query parameters)",
    async () => {
      for (const [body, words] of [
        [{ params: {} }, "Missing required parameter: method"],
        [{ method: 5, params: {} }, "Invalid parameter method: got 5"],
        [{ method: OHLC, params: "token" }, 'Invalid parameter params: got "token"'],
      ] as const) {
        const answered = await post(PATH, body);
        expect([answered.status, answered.body.error]).toEqual([
          400,
          { code: 400, message: expect.stringContaining(words) },
        ]);
      }
    },
  );

  for (const [method, { path, params, always }] of methods) {
    rule(`Supported method: \`${method}\`: result is the data that ${path} would return`, async () => {
      const { status, body } = await post(PATH, { id: 5, jsonrpc: "2.0", method, params: params() });
      const rest = await get(path, { ...params(), ...always });
      expect([status, rest.status]).toEqual([200, 200]);
      expect(body).toEqual({ id: 5, jsonrpc: "2.0", result: rest.body });
    });
  }

  rule("Response: id (identifier matching response to request)", async () => {
    for (const id of [7, "seven", 0, null]) {
      expect((await post(PATH, { id, method: OHLC, params: ohlcParams() })).body.id).toBe(id);
      expect((await post(PATH, { id, method: OHLC, params: {} })).body.id).toBe(id);
    }
  });

  rule("Response: jsonrpc (always 2.0)", async () => {
    for (const params of [ohlcParams(), {}]) {
      for (const jsonrpc of ["2.0", "1.0", undefined]) {
        expect((await post(PATH, { method: OHLC, params, jsonrpc })).body.jsonrpc).toBe("2.0");
      }
    }
  });

  rule(
    "Response: for the OHLC method result is an object with data and a lower-case token_address",
    async () => {
      const token = tradedTokens()[0] ?? "";
      const params = { ...ohlcParams(), token_address: token.toUpperCase().replace("0X", "0x") };
      const { body } = await post(PATH, { method: OHLC, params });
      expect(body.result).toEqual({ token_address: token, data: expect.any(Array) });
    },
  );

  rule("OHLC method: each bucket additionally carries num_trades (integer) and volume (double)", async () => {
    for (const more of [{}, { with_volume: false }]) {
      const { body } = await post(PATH, { method: OHLC, params: { ...ohlcParams(), ...more } });
      const rest = await get("/v1/price/historical/ohlc", { ...ohlcParams(), with_volume: true });
      expect(body.result.data.length).toBeGreaterThan(10);
      expect(body.result.data).toEqual(rest.body.data);
      for (const { num_trades, volume } of body.result.data) {
        expect([Number.isInteger(num_trades), typeof volume]).toEqual([true, "number"]);
      }
    }
  });

  decided("id: 1 if absent", async () => {
    expect((await post(PATH, { method: OHLC, params: ohlcParams() })).body.id).toBe(1);
  });

  decided(
    "Batch arrays as in JSON-RPC 2.0: answers in order, an error in the place of its call",
    async () => {
      const calls = methods.map(([method, { params }], id) => ({ id, method, params: params() }));
      const { status, body } = await post(PATH, [...calls, { id: "x", method: "v1/none" }]);
      expect([status, body.length]).toEqual([200, 4]);
      for (const [i, call] of calls.entries()) expect(body[i]).toEqual((await post(PATH, call)).body);
      expect(body[3]).toMatchObject({ id: "x", error: { code: 404 } });
    },
  );

  decided("A batch has at most 100 calls", async () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ id, method: OHLC, params: {} }));
    expect((await post(PATH, calls(100))).body).toHaveLength(100);
    for (const count of [0, 101]) expect((await post(PATH, calls(count))).status).toBe(400);
  });

  decided("Unknown method: 404; HTTP status = error code", async () => {
    const { status, body } = await post(PATH, { id: 3, method: "v1/getPrice", params: {} });
    expect([status, body]).toEqual([
      404,
      { id: 3, jsonrpc: "2.0", error: { code: 404, message: expect.stringContaining(OHLC) } },
    ]);
  });
});

section("Errors", import.meta.url, () => {
  rule(
    "JSON-RPC failure: an error object with code (the status code, integer) and message (string), with id and jsonrpc",
    async () => {
      const { status, body } = await post(PATH, { id: 9, method: OHLC, params: { token_address: "0x12" } });
      const message =
        'Invalid parameter token_address: got "0x12", expected an address, 0x and 40 hex digits.';
      expect([status, body]).toEqual([400, { id: 9, jsonrpc: "2.0", error: { code: 400, message } }]);
    },
  );

  for (const [method, { required }] of methods) {
    rule(
      `A required parameter is missing from params: 400, Missing required parameter: <parameter_name>: \`${method}\``,
      async () => {
        for (const params of [{}, { [required]: null }, { [required]: "" }]) {
          const { status, body } = await post(PATH, { method, params });
          expect([status, body.error]).toEqual([
            400,
            { code: 400, message: `Missing required parameter: ${required}` },
          ]);
        }
      },
    );
  }

  const rest = "/v1/price-api/batch-latest-token-prices";
  const wrong: [status: number, what: string, ask: () => ReturnType<typeof asked>][] = [
    [400, "a value of the wrong form", () => get(rest, { token_address: "0x12" })],
    [400, "a body that is not JSON", () => asked("POST", rest, { body: "{" })],
    [404, "a path that is not served", () => get("/v1/price-api/nothing")],
    [404, "an unknown table", () => get("/v1/topk-api/nothing")],
    [405, "a method that is not served", () => asked("DELETE", rest, {})],
    [413, "a body of more than a megabyte", () => post(rest, { token_address: "0".repeat(2 ** 20) })],
    [414, "a URL that is too long", () => get(rest, { token_address: "0".repeat(8192) })],
    [
      415,
      "a body of another type",
      () => asked("POST", rest, { body: "a", headers: { "content-type": "text/csv" } }),
    ],
  ];
  for (const [status, what, ask] of wrong) {
    decided(`REST and SQL: {"error": "<sentence>"} and nothing else: ${status}, ${what}`, async () => {
      const answered = await ask();
      expect([answered.status, answered.body]).toEqual([
        status,
        { error: expect.stringMatching(/^[A-Z].*[.]$|^Missing/) },
      ]);
      expect(answered.headers.get("content-type")).toBe("application/json; charset=utf-8");
    });
  }
});
