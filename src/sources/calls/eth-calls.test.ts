import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { type Call, endpoint, failure, open } from "../support/rpc-endpoints.ts";
import { MULTICALL3 } from "./multicall.ts";

const AGGREGATE = [multicall3Abi[0]] as const;

const target = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;
const HOSTILE = target(4);
const calls = Array.from({ length: 9 }, (_, i) => ({ to: target(i), data: "0x1234" as Hex }));
const hostileCall = { to: HOSTILE, data: "0x1234" as Hex };
const others = calls.map(({ to }) => (to === HOSTILE ? null : "0xff"));

interface NodeOptions {
  hasMulticall?: boolean;
  /** Responds to the calls of the hostile contract. */
  hostile: () => unknown;
  /** Responds to other calls. */
  other?: () => unknown;
}

/**
 * Starts a node. Its response to a multicall that contains a hostile call is the same as to the hostile call
 * alone.
 */
async function node({ hasMulticall = true, hostile, other = () => "0xff" }: NodeOptions) {
  const together = (data: Hex) => {
    const { args } = decodeFunctionData({ abi: AGGREGATE, data });
    if (args[0].some((item) => item.target.toLowerCase() === HOSTILE)) return hostile();
    const result = args[0].map(() => ({ success: true, returnData: "0xff" as Hex }));
    return encodeFunctionResult({ abi: AGGREGATE, functionName: "aggregate3", result });
  };
  const respond = ({ method, params }: Call) => {
    if (method === "eth_chainId") return "0x1";
    if (method === "eth_getCode") return hasMulticall ? "0x60" : "0x";
    const { to, data } = params[0] as { to: Hex; data: Hex };
    if (to === MULTICALL3) return together(data);
    return to === HOSTILE ? hostile() : other();
  };
  return (await endpoint(respond)).url;
}

const refusing = (message: string) => () => new Error(message);

describe("a contract whose calls are refused", () => {
  it.each([
    "return data out of bounds",
    "gas uint64 overflow",
    "execution aborted (timeout = 5s)",
    "call returned result on length 200000 exceeding --rpc.returndata.limit 100000",
    "out of memory: memory limit exceeded during memory expansion",
    "AccessViolation",
    "Internal error",
    "computer says no",
  ])("has no results, and the others have theirs: %s", async (message) => {
    const hostile = refusing(message);
    const urls = await Promise.all([node({ hostile }), node({ hostile, hasMulticall: false })]);
    for (const url of urls) {
      const { source } = await open([url]);
      expect(await source.call(calls)).toEqual(others);
      expect(await source.call([hostileCall])).toEqual([null]);
    }
  });

  it("is logged once", async () => {
    const { source, warnings } = await open([await node({ hostile: refusing("Internal error") })]);
    await source.call(calls);
    await source.call([hostileCall, { ...hostileCall, data: "0x5678" }]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`contract ${HOSTILE}`);
    expect(warnings[0]).toContain("Internal error");
  });

  it("has the results that the endpoint returns when the call is repeated", async () => {
    let attempts = 0;
    const hostile = () => (++attempts < 3 ? new Error("Internal error") : "0xee");
    const { source } = await open([await node({ hostile })]);
    expect(await source.call([hostileCall])).toEqual(["0xee"]);
  });

  it("has the results of calls that were refused only in a batch", async () => {
    let attempts = 0;
    const hostile = () => (++attempts < 4 ? new Error("Internal error") : "0xee");
    const { source } = await open([await node({ hostile, hasMulticall: false })]);
    expect(await source.call(calls)).toEqual(others.map((result) => result ?? "0xee"));
  });

  it("has the results of an endpoint that does not refuse", async () => {
    const urls = await Promise.all([
      node({ hostile: refusing("Internal error") }),
      node({ hostile: refusing("call returned result on length 7 exceeding --rpc.returndata.limit 5") }),
      node({ hostile: () => "0xee" }),
    ]);
    for (const rotated of [urls, urls.toReversed()]) {
      const { source } = await open(rotated);
      expect(await source.call(calls)).toEqual(others.map((result) => result ?? "0xee"));
      expect(await source.call([hostileCall])).toEqual(["0xee"]);
    }
  });

  it("has no results when the other endpoint responds to every call except these", async () => {
    const hostile = refusing("execution aborted (timeout = 5s)");
    const broken = node({ hostile: () => null });
    const { source } = await open(await Promise.all([node({ hostile }), broken]));
    expect(await source.call([hostileCall])).toEqual([null]);
  });
});

describe("an endpoint that can make no calls", () => {
  it.each(["Internal error", "execution aborted (timeout = 5s)", "no upstream is available"])(
    "does not decide about a contract: %s",
    async (message) => {
      const trouble = refusing(message);
      const url = await node({ hostile: trouble, other: trouble });
      const { source, warnings } = await open([url], { limits: { maxCallAttempts: 4 } });
      const error = await failure(source.call([hostileCall]));
      expect(error).toMatchObject({ code: "endpoint", retryable: true });
      expect(error.message).toContain(message);
      expect(warnings.join()).not.toContain(HOSTILE);
    },
  );

  it.each([
    "missing trie node 5f7e (path ) ",
    "header not found",
    "the method eth_call does not exist",
    "rate limit exceeded",
  ])("does not decide about a contract, whatever it responds to others: %s", async (message) => {
    const { source } = await open([await node({ hostile: refusing(message) })], {
      limits: { maxCallAttempts: 4 },
    });
    expect(await failure(source.call([hostileCall]))).toMatchObject({ code: "endpoint", retryable: true });
  });
});
