import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { endpoint, failure, open } from "../support/rpc-endpoints.ts";

const AGGREGATE = [multicall3Abi[0]] as const;

describe("contract calls", () => {
  const target = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;
  const calls = Array.from({ length: 9 }, (_, i) => ({ to: target(i), data: "0x1234" as Hex }));

  it("halves a multicall that fails as a whole, down to the call that burns all gas", async () => {
    const sizes: number[] = [];
    const multicall = (data: Hex): unknown => {
      const { args } = decodeFunctionData({ abi: AGGREGATE, data });
      sizes.push(args[0].length);
      if (args[0].some((item) => item.target.toLowerCase() === target(4))) return new Error("out of gas");
      const result = args[0].map(() => ({ success: true, returnData: "0xff" as Hex }));
      return encodeFunctionResult({ abi: AGGREGATE, functionName: "aggregate3", result });
    };
    const { url } = await endpoint(({ method, params }) => {
      if (method !== "eth_call") return method === "eth_chainId" ? "0x1" : "0x60";
      const call = params[0] as { to: Hex; data: Hex };
      if (call.data !== "0x1234") return multicall(call.data);
      return call.to === target(4) ? new Error("out of gas") : "0xff";
    });
    const { source } = await open([url]);
    expect(await source.call(calls)).toEqual(calls.map((_, i) => (i === 4 ? null : "0xff")));
    expect(sizes).toEqual([9, 4, 5, 2, 3]);
  });

  it("calls one by one on a chain without Multicall3", async () => {
    const { url } = await endpoint(({ method, params }) => {
      if (method === "eth_chainId") return "0x1";
      if (method === "eth_getCode") return "0x";
      return (params[0] as { to: Hex }).to === target(4) ? new Error("execution reverted") : "0xff";
    });
    const { source } = await open([url]);
    expect(await source.call(calls)).toEqual(calls.map((_, i) => (i === 4 ? null : "0xff")));
  });

  it("fails, instead of returning null, when the endpoint keeps failing", async () => {
    const { url } = await endpoint(({ method }) => {
      if (method === "eth_chainId") return "0x1";
      return method === "eth_getCode" ? "0x" : new Error("header not found");
    });
    const { source } = await open([url], { limits: { maxCallAttempts: 3 } });
    const error = await failure(source.call(calls));
    expect(error).toMatchObject({ code: "endpoint", retryable: true });
    expect(error.message).toContain("header not found");
  });
});
