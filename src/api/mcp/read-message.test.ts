import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_VALUES, readMessage } from "./read-message.ts";

const request = (method: string, params?: unknown, id: unknown = 7) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

const CLIENT = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } };

const ones = (count: number) => Array.from({ length: count }, () => 1);
const fields = (count: number, value: unknown = 1) =>
  Object.fromEntries(ones(count).map((_, i) => [`k${i}`, value]));

/** Returns the number of values in a message, including lists and objects. */
function valuesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + valuesOf(part), 1);
}

describe("a message", () => {
  it.each([
    ["a list", (count: number) => request("ping", { x: ones(count - 6) })],
    ["fields", (count: number) => request("tools/list", { _meta: fields(count - 6) })],
    ["nested lists", (count: number) => request("ping", { x: [[ones(count - 8)]] })],
    ["other fields of the message", (count: number) => ({ ...request("ping"), ...fields(count - 4) })],
    ["a notification", (count: number) => ({ jsonrpc: "2.0", method: "x", params: fields(count - 4) })],
    ["a result", (count: number) => ({ jsonrpc: "2.0", id: 1, result: fields(count - 4) })],
    ["the data of an error", (count: number) => ({ error: { data: ones(count - 3) } })],
    ["a task", (count: number) => request("tools/call", { task: fields(count - 6) })],
    ["arguments of another method", (count: number) => request("x", { arguments: { y: ones(count - 7) } })],
    [
      "names of arguments",
      (count: number) => request("tools/call", { name: "", arguments: fields(count - 7) }),
    ],
  ])("has a limited number of values: %s", (_, withValues) => {
    const [most, more] = [withValues(MAX_VALUES), withValues(MAX_VALUES + 1)];
    expect([valuesOf(most), valuesOf(more)]).toEqual([MAX_VALUES, MAX_VALUES + 1]);
    const tooMany = `The message has more than ${MAX_VALUES} values`;
    expect(() => readMessage(most)).not.toThrow(tooMany);
    expect(() => readMessage(more)).toThrow(tooMany);
  });

  it("may have more values in an argument of a tool, which only the tool reads", () => {
    const call = request("tools/call", { name: "latest_prices", arguments: { token_address: ones(10_000) } });
    expect(readMessage(call)).toEqual(call);
  });

  it("never has more values than are needed once it is read, whatever was sent", () => {
    const method = fc.constantFrom("initialize", "resources/read", "tools/list", "notifications/progress");
    fc.assert(
      fc.property(method, fc.object(), fc.object(), (name, more, capabilities) => {
        const given = { ...more, ...CLIENT, capabilities, uri: "x", _meta: more };
        expect(valuesOf(readMessage(request(name, given)))).toBeLessThanOrEqual(
          valuesOf(request("initialize", CLIENT)),
        );
      }),
    );
  });
});

describe("of a message is read", () => {
  it("who the client is, but not what it can do", () => {
    const icons = [{ src: "https://x.example/icon.png", sizes: ["48x48"] }];
    const given = {
      ...CLIENT,
      capabilities: { roots: { listChanged: true }, experimental: { x: 5 }, elicitation: { form: {} } },
      clientInfo: { ...CLIENT.clientInfo, title: "X", icons },
      _meta: { progressToken: [] },
    };
    expect(readMessage(request("initialize", given))).toEqual(request("initialize", CLIENT));
  });

  it("the tool and its arguments, or the resource", () => {
    const extra = { _meta: { progressToken: 3, "vendor/key": "x" }, task: { ttl: 5 } };
    const call = { name: "status", arguments: { chain: "eth" } };
    expect(readMessage(request("tools/call", { ...call, ...extra }))).toEqual(request("tools/call", call));
    const uri = "quarry://docs/sql.md";
    expect(readMessage(request("resources/read", { uri, ...extra }))).toEqual(
      request("resources/read", { uri }),
    );
  });

  it.each(["tools/list", "ping", "prompts/get", "constructor", "__proto__"])(
    "nothing else of %s",
    (method) => {
      expect(readMessage(request(method, { cursor: 5, _meta: [] }))).toEqual(request(method));
    },
  );

  it("no parameter of a notification", () => {
    const params = { requestId: 1, reason: "x" };
    const given = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    expect(readMessage(given)).toEqual({ jsonrpc: "2.0", method: "notifications/cancelled" });
  });

  it.each([
    "text",
    null,
    { jsonrpc: "2.0", id: 1, result: { x: 1 } },
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
    request("ping", []),
    { ...request("ping"), method: { toString: 1 } },
    request("initialize", "x"),
    { ...request("ping"), more: 1 },
  ])("everything of what is no valid request: %j", (given) => {
    expect(readMessage(given)).toEqual(given);
  });
});

describe("a parameter", () => {
  it.each([
    ["initialize", undefined, "protocolVersion", "a string"],
    ["initialize", { ...CLIENT, protocolVersion: ones(100) }, "protocolVersion", "a string"],
    ["initialize", { ...CLIENT, capabilities: ones(100) }, "capabilities", "an object"],
    ["initialize", { ...CLIENT, clientInfo: ones(100) }, "clientInfo", "an object"],
    ["initialize", { ...CLIENT, clientInfo: { name: "x" } }, "clientInfo.version", "a string"],
    ["tools/call", {}, "name", "a string"],
    ["tools/call", { name: "sql", arguments: ones(100) }, "arguments", "an object"],
    ["resources/read", { uri: null }, "uri", "a string"],
  ])("of %s that has a wrong type is named: %j", (method, params, name, allowed) => {
    const message = `Invalid parameter ${name} of ${method}: it must be ${allowed}.`;
    expect(() => readMessage(request(method, params))).toThrow(expect.objectContaining({ message, id: 7 }));
  });
});
