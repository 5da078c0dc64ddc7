import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { type Call, dropping, endpoint, failure, open } from "../support/rpc-endpoints.ts";
import { MULTICALL3 } from "./multicall.ts";

const AGGREGATE = [multicall3Abi[0]] as const;

const target = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;
const calls = Array.from({ length: 9 }, (_, i) => ({ to: target(i), data: "0x1234" as Hex }));
const results = calls.map(() => "0xff");

/** Returns the contracts that a request calls, alone or in a multicall. */
function calledIn(request: readonly Call[]): Hex[] {
  return request.flatMap(({ method, params }) => {
    if (method !== "eth_call") return [];
    const { to, data } = params[0] as { to: Hex; data: Hex };
    if (data === "0x") return [];
    if (to !== MULTICALL3) return [to];
    const { args } = decodeFunctionData({ abi: AGGREGATE, data });
    return args[0].map((item) => item.target.toLowerCase() as Hex);
  });
}

/** Starts an endpoint that closes the connection instead of responding to calls of some contracts. */
async function node(isDropped: (called: readonly Hex[]) => boolean, { hasMulticall = true } = {}) {
  const { url } = await endpoint(({ method, params }) => {
    if (method === "eth_chainId") return "0x1";
    if (method === "eth_getCode") return hasMulticall ? "0x60" : "0x";
    const { to } = params[0] as { to: Hex };
    if (to !== MULTICALL3) return "0xff";
    const result = calledIn([{ method, params }]).map(() => ({ success: true, returnData: "0xff" as Hex }));
    return encodeFunctionResult({ abi: AGGREGATE, functionName: "aggregate3", result });
  });
  return dropping(url, (request) => isDropped(calledIn(request)));
}

describe("contract calls whose connection every endpoint closes", () => {
  it.each([
    ["a multicall", true],
    ["a batch", false],
  ])("are split if they are many: %s", async (_, hasMulticall) => {
    const isDropped = (called: readonly Hex[]) => called.length > 2;
    const urls = await Promise.all([node(isDropped, { hasMulticall }), node(isDropped, { hasMulticall })]);
    const { source } = await open(urls);
    expect(await source.call(calls)).toEqual(results);
  });

  it("are repeated whole if the endpoint responds to nothing else", async () => {
    const sizes: number[] = [];
    let isDown = false;
    const { url } = await endpoint(({ method }) => (method === "eth_chainId" ? "0x1" : "0x60"));
    const down = await dropping(url, (request) => {
      const called = calledIn(request);
      if (called.length === 0) return isDown;
      sizes.push(called.length);
      isDown = true;
      return true;
    });
    const { source } = await open([down], { limits: { maxCallAttempts: 5 } });
    expect(await failure(source.call(calls))).toMatchObject({ code: "endpoint", retryable: true });
    expect(sizes).toEqual([9, 9, 9, 9, 9]);
  });

  it("have no result if one contract is the reason, which the error names", async () => {
    const url = await node((called) => called.includes(target(4)));
    const { source } = await open([url], { limits: { maxCallAttempts: 4 } });
    const error = await failure(source.call(calls));
    expect(error).toMatchObject({ code: "endpoint", retryable: true });
    expect(error.message).toContain(`contract ${target(4)}`);
    expect(error.message).toContain("although the endpoint responds to other requests");
  });
});
