import { describe, expect, it } from "vitest";
import { BatchRefused, decodeAnswers, encodeCalls, MalformedAnswer, refusalOf } from "./json-rpc.ts";

describe("decodeAnswers", () => {
  it("puts the answers of a batch back into the order of its calls", () => {
    const body = JSON.stringify([
      { id: 1, result: "b" },
      { id: "0", result: null },
    ]);
    expect(decodeAnswers(body, 2)).toEqual([{ result: null }, { result: "b" }]);
  });

  it("keeps one call's refusal apart from the others' results", () => {
    const refusal = { code: -32601, message: "the method eth_x does not exist/is not available" };
    const [first, second] = decodeAnswers(
      JSON.stringify([
        { id: 0, result: 1 },
        { id: 1, error: refusal },
      ]),
      2,
    );
    expect(first).toEqual({ result: 1 });
    expect(second).toMatchObject({ refusal: { kind: "method", code: -32601 } });
  });

  it("refuses what is cut, empty, or leaves a call out", () => {
    expect(() => decodeAnswers('[{"id":0,"resu', 2)).toThrow(MalformedAnswer);
    expect(() => decodeAnswers("", 1)).toThrow(/not JSON or was cut/);
    expect(() => decodeAnswers('[{"id":0,"result":1}]', 2)).toThrow(/left without an answer/);
    expect(() => decodeAnswers('{"id":0}', 1)).toThrow(/neither result nor error/);
  });

  it("takes no answer for another's", () => {
    const answers = (...ids: unknown[]) => JSON.stringify(ids.map((id) => ({ id, result: `of ${id}` })));
    expect(() => decodeAnswers(answers(0, 1, 1), 2)).toThrow(/several answers of a batch have one id/);
    expect(() => decodeAnswers(answers(null, 1), 2)).toThrow(/left without an answer/);
    expect(() => decodeAnswers(answers(5, 6), 2)).toThrow(/left without an answer/);
    expect(() => decodeAnswers("[]", 2)).toThrow(/left without an answer/);
    expect(() => decodeAnswers('{"id":7,"result":1}', 1)).toThrow(/answered with the result of call 7/);
    expect(() => decodeAnswers(answers(0, 1), 1)).toThrow(/neither result nor error/);
    expect(decodeAnswers('{"result":1}', 1)).toEqual([{ result: 1 }]);
    expect(decodeAnswers('{"id":null,"error":{"code":-32603,"message":"no"}}', 1)).toMatchObject([
      { refusal: { kind: "other" } },
    ]);
  });

  it("tells a batch refused as a whole", () => {
    const body = JSON.stringify({
      id: null,
      error: { code: -32600, message: "batch requests are not supported" },
    });
    expect(() => decodeAnswers(body, 3)).toThrow(BatchRefused);
    const long = JSON.stringify({ id: null, error: { code: -32000, message: "batch too large" } });
    expect(() => decodeAnswers(long, 3)).toThrow(BatchRefused);
  });

  it("takes any other single error for every call of the batch", () => {
    const body = JSON.stringify({ id: null, error: { code: 429, message: "slow down" } });
    expect(decodeAnswers(body, 2)).toMatchObject([
      { refusal: { kind: "rate" } },
      { refusal: { kind: "rate" } },
    ]);
  });
});

describe("encodeCalls", () => {
  it("sends one call as an object and several as a list", () => {
    const call = { method: "eth_chainId", params: [] };
    expect(JSON.parse(encodeCalls([call]))).toEqual({ jsonrpc: "2.0", id: 0, ...call });
    expect(JSON.parse(encodeCalls([call, call]))).toHaveLength(2);
  });
});

describe("refusalOf", () => {
  it.each([
    [-32005, "query exceeds max block range 1000", "size"],
    [-32005, "daily request count exceeded, request rate limited", "rate"],
    [-32000, "exceeded the quota usage", "rate"],
    [429, "whatever", "rate"],
    [
      -32602,
      "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range",
      "size",
    ],
    [-32000, "query returned more than 10000 results", "size"],
    [-32601, "Method not found", "method"],
    [-32004, "This method is not supported", "method"],
    [-32000, "the method eth_getBlockReceipts does not exist/is not available", "method"],
    [3, "execution reverted: nope", "revert"],
    [-32000, "out of gas", "revert"],
    [-32015, "VM execution error.", "revert"],
    [-32000, "invalid opcode: INVALID", "revert"],
    [-32000, "EVM error: InvalidFEOpcode", "revert"],
    [-32000, "execution aborted (timeout = 5s)", "size"],
    [-32603, "internal error", "other"],
    [-32603, "failed to generate the operation", "other"],
    [-32000, "header not found", "other"],
  ] as const)("%i %s is about %s", (code, message, kind) => {
    expect(refusalOf({ code, message }).kind).toBe(kind);
  });

  it("bears errors that are none", () => {
    expect(refusalOf("nonsense")).toMatchObject({ kind: "other", code: 0 });
    expect(refusalOf(undefined)).toMatchObject({ kind: "other", code: 0 });
  });
});
