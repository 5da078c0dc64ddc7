import { describe, expect, it } from "vitest";
import { answerMessage } from "./answer-message.ts";

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Returns the answer to a message. Every endpoint returns an empty list of chains. */
async function answered(message: object) {
  const response = await answerMessage({ jsonrpc: "2.0", ...message }, new Headers(HEADERS), {
    version: "1",
    askWith: () => async () => ({ body: { chains: [] }, header: () => null }),
    messageOf: String,
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const ones = (count: number) => Array.from({ length: count }, () => 1);

const VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

describe("a client is greeted whatever it can do", () => {
  it.each([
    {
      name: "Visual Studio Code",
      capabilities: {
        roots: { listChanged: true },
        sampling: { tools: {}, context: {} },
        elicitation: { form: {}, url: {} },
        tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
        extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
      },
    },
    { name: "claude-ai", capabilities: {} },
    { name: "cursor-vscode", capabilities: { tools: true, prompts: true, resources: true, logging: false } },
    { name: "other", capabilities: { experimental: { "vendor/x": { versions: [1, 2] }, y: true } } },
  ])("$name", async ({ name, capabilities }) => {
    const icons = [
      { src: "https://client.example/icon.png", mimeType: "image/png", sizes: ["48x48", "any"] },
    ];
    const clientInfo = { name, title: name, version: "1.2.3", websiteUrl: "https://client.example", icons };
    for (const protocolVersion of VERSIONS) {
      const params = { protocolVersion, capabilities, clientInfo, _meta: { progressToken: 1 } };
      const { body } = await answered({ id: 0, method: "initialize", params });
      expect(body).toMatchObject({
        id: 0,
        result: { protocolVersion, serverInfo: { name: "quarry" }, capabilities: { tools: {} } },
      });
    }
  });
});

describe("a request", () => {
  it.each([
    ["initialize", {}, "Invalid parameter protocolVersion of initialize: it must be a string."],
    ["tools/call", { name: ones(400) }, "Invalid parameter name of tools/call: it must be a string."],
    ["resources/read", { uri: 5 }, "Invalid parameter uri of resources/read: it must be a string."],
  ])("of %s with a wrong parameter gets an error that names it: %j", async (method, params, message) => {
    const body = { jsonrpc: "2.0", id: "a", error: { code: -32602, message } };
    expect(await answered({ id: "a", method, params })).toEqual({ status: 200, body });
  });

  it("may have parameters that are not used, whatever they are", async () => {
    const unused = { cursor: 5, _meta: { progressToken: [], "io.modelcontextprotocol/related-task": 1 } };
    const listed = await answered({ id: 1, method: "tools/list", params: unused });
    expect(listed.body).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    const params = { name: "status", arguments: {}, task: { ttl: 1 }, ...unused };
    const { body } = await answered({ id: 2, method: "tools/call", params });
    expect(body).toMatchObject({
      id: 2,
      result: { content: [{ text: expect.stringContaining("columns") }] },
    });
  });

  it.each([
    { id: ones(400), method: "ping" },
    { id: 1, method: ones(400) },
    { id: 1, method: "initialize", params: ones(400) },
    { id: 1, method: "ping", more: ones(400) },
    { id: 1, result: ones(400) },
    { id: 1, error: ones(400) },
    { jsonrpc: ones(400), id: 1, method: "ping" },
  ])("that is not a valid message gets a short error: %#", async (message) => {
    const { status, body } = await answered(message);
    expect([status, body.error]).toEqual([
      400,
      { code: -32700, message: "Parse error: Invalid JSON-RPC message" },
    ]);
  });
});

describe("a message without an id", () => {
  it.each([
    ["notifications/initialized", undefined],
    ["notifications/cancelled", { requestId: 1, reason: "x" }],
    ["notifications/progress", { progressToken: ones(400), progress: "x" }],
    ["initialize", {}],
    ["nothing", { _meta: 5 }],
  ])("gets no answer: %s", async (method, params) => {
    expect(await answered({ method, params })).toEqual({ status: 202, body: null });
  });
});
