import { describe, expect, it } from "vitest";
import { BatchRefused, decodeResponses, encodeCalls, MalformedResponse, refusalOf } from "./json-rpc.ts";

describe("decodeResponses", () => {
  it("returns the responses of a batch in the order of its calls", () => {
    const body = JSON.stringify([
      { id: 1, result: "b" },
      { id: "0", result: null },
    ]);
    expect(decodeResponses(body, 2)).toEqual([{ result: null }, { result: "b" }]);
  });

  it("separates one call's refusal from the results of the others", () => {
    const refusal = { code: -32601, message: "the method eth_x does not exist/is not available" };
    const [first, second] = decodeResponses(
      JSON.stringify([
        { id: 0, result: 1 },
        { id: 1, error: refusal },
      ]),
      2,
    );
    expect(first).toEqual({ result: 1 });
    expect(second).toMatchObject({ refusal: { kind: "method", code: -32601 } });
  });

  it("rejects a response that is truncated, empty, or omits a call", () => {
    expect(() => decodeResponses('[{"id":0,"resu', 2)).toThrow(MalformedResponse);
    expect(() => decodeResponses("", 1)).toThrow(/truncated or not JSON/);
    expect(() => decodeResponses('[{"id":0,"result":1}]', 2)).toThrow(/received no response/);
    expect(() => decodeResponses('{"id":0}', 1)).toThrow(/neither result nor error/);
  });

  it("does not assign a response to the wrong call", () => {
    const responses = (...ids: unknown[]) => JSON.stringify(ids.map((id) => ({ id, result: `of ${id}` })));
    expect(() => decodeResponses(responses(0, 1, 1), 2)).toThrow(
      /several responses in a batch have the same id/,
    );
    expect(() => decodeResponses(responses(null, 1), 2)).toThrow(/received no response/);
    expect(() => decodeResponses(responses(5, 6), 2)).toThrow(/received no response/);
    expect(() => decodeResponses("[]", 2)).toThrow(/received no response/);
    expect(() => decodeResponses('{"id":7,"result":1}', 1)).toThrow(/received the result of call 7/);
    expect(() => decodeResponses(responses(0, 1), 1)).toThrow(/neither result nor error/);
    expect(decodeResponses('{"result":1}', 1)).toEqual([{ result: 1 }]);
    expect(decodeResponses('{"id":null,"error":{"code":-32603,"message":"no"}}', 1)).toMatchObject([
      { refusal: { kind: "other" } },
    ]);
  });

  it("recognizes a batch that was refused as a whole", () => {
    const body = JSON.stringify({
      id: null,
      error: { code: -32600, message: "batch requests are not supported" },
    });
    expect(() => decodeResponses(body, 3)).toThrow(BatchRefused);
    const long = JSON.stringify({ id: null, error: { code: -32000, message: "batch too large" } });
    expect(() => decodeResponses(long, 3)).toThrow(BatchRefused);
  });

  it("applies any other single error to every call of the batch", () => {
    const body = JSON.stringify({ id: null, error: { code: 429, message: "slow down" } });
    expect(decodeResponses(body, 2)).toMatchObject([
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
    // geth and the nodes that share its EVM
    [-32000, "return data out of bounds", "revert"],
    [-32000, "gas uint64 overflow", "revert"],
    [-32000, "invalid jump destination", "revert"],
    [-32000, "stack underflow (0 <=> 2)", "revert"],
    [-32000, "stack limit reached 1024 (1023)", "revert"],
    [-32000, "write protection", "revert"],
    [-32000, "max call depth exceeded", "revert"],
    [-32000, "max code size exceeded", "revert"],
    [-32000, "max initcode size exceeded", "revert"],
    [-32000, "contract creation code storage out of gas", "revert"],
    [-32000, "invalid code: must not begin with 0xef", "revert"],
    [-32000, "execution aborted (timeout = 5s)", "size"],
    [-32002, "request timed out", "size"],
    [-32003, "response too large", "size"],
    // Erigon
    [-32000, "call returned result on length 200000 exceeding --rpc.returndata.limit 100000", "size"],
    [-32000, "execution aborted (timeout = 5m0s)", "size"],
    // reth
    [-32003, "EVM error: OutOfOffset", "revert"],
    [-32003, "out of gas: gas exhausted during memory expansion: 50000000", "revert"],
    [-32003, "out of memory: memory limit exceeded during memory expansion", "revert"],
    [-32008, "Response is too big", "size"],
    // Nethermind
    [-32015, "BadInstruction", "revert"],
    [-32000, "StackUnderflow", "revert"],
    [-32000, "OutOfGas", "revert"],
    [-32000, "BadJumpDestination", "revert"],
    [-32000, "AccessViolation", "revert"],
    [-32000, "StaticCallViolation", "revert"],
    [-32016, "eth_call request was canceled due to enabled timeout.", "size"],
    // Besu
    [-32603, "Internal error", "other"],
    [-32603, "Timeout expired", "size"],
    // proxies
    [-32000, "context deadline exceeded", "size"],
    [-32000, "missing trie node 5f7e (path ) state 0x5f7e is not available, not found", "state"],
    [-32000, "historical state 9a0c is not available", "state"],
    [-32000, "required historical state unavailable (reexec=128)", "state"],
    [-32000, "state at block #18000000 is pruned", "state"],
    [-32000, "old data not available due to pruning", "state"],
    [-32002, "No state available for block 0x5f7e", "state"],
    [-32000, "World state unavailable", "state"],
    [-32000, "project ID does not have access to archive state", "state"],
    [-32000, "state recreation l2 gas depth limit exceeded", "state"],
    [-32602, "BlockOutOfRangeError: block height is 200 but requested was 2", "state"],
    [3, "execution reverted: missing trie node", "revert"],
    [-32000, "execution reverted: pruned", "revert"],
    [-32603, "internal error", "other"],
    [-32603, "failed to generate the operation", "other"],
    // geth, Erigon, reth, Nethermind
    [-32000, "header not found", "block"],
    [-32000, "header for hash not found", "block"],
    [-32000, "block not found: 0x12d687", "block"],
    [-32001, "block not found: hash 0x5f7e", "block"],
    [-32000, "unknown block", "block"],
    [-32001, "Block 0x5f7e could not be found", "block"],
    // anvil, for a block hash that it does not have (EIP-1474: "requested resource not found")
    [-32001, "Resource not found", "block"],
  ] as const)("%i %s is about %s", (code, message, kind) => {
    expect(refusalOf({ code, message }).kind).toBe(kind);
  });

  it("accepts an error that has no JSON-RPC form", () => {
    expect(refusalOf("nonsense")).toMatchObject({ kind: "other", code: 0 });
    expect(refusalOf(undefined)).toMatchObject({ kind: "other", code: 0 });
  });
});
