import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { endpoint, failure, open } from "../support/rpc-endpoints.ts";
import { MULTICALL3 } from "./multicall.ts";

const AGGREGATE = [multicall3Abi[0]] as const;

describe("contract calls", () => {
  const target = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;
  const calls = Array.from({ length: 9 }, (_, i) => ({ to: target(i), data: "0x1234" as Hex }));
  const callsIn = (data: Hex) => decodeFunctionData({ abi: AGGREGATE, data }).args[0];

  /** Returns the output of a multicall; an error if it contains the call that burns all gas. */
  const multicall = (data: Hex) =>
    callsIn(data).some((item) => item.target.toLowerCase() === target(4))
      ? new Error("out of gas")
      : aggregated(data, "0xff");

  it("halves a multicall that fails as a whole, down to the call that burns all gas", async () => {
    const sizes: number[] = [];
    const { url } = await endpoint(({ method, params }) => {
      if (method !== "eth_call") return method === "eth_chainId" ? "0x1" : "0x60";
      const { to, data } = params[0] as { to: Hex; data: Hex };
      if (data === "0x1234") return to === target(4) ? new Error("out of gas") : "0xff";
      sizes.push(callsIn(data).length);
      return multicall(data);
    });
    const { source } = await open([url]);
    expect(await source.call(calls)).toEqual(calls.map((_, i) => (i === 4 ? null : "0xff")));
    expect(sizes).toEqual([9, 4, 5, 2, 3, 1, 1]);
  });

  it("uses little gas, although every contract burns all gas that a call gets", async () => {
    const hostile = Array.from({ length: 300 }, (_, i) => ({ to: target(i + 1), data: "0x1234" as Hex }));
    let gasUsed = 0;
    const { url } = await endpoint(({ method, params }) => {
      if (method !== "eth_call") return method === "eth_chainId" ? "0x1" : "0x60";
      const { data, gas = "0x2faf080" } = params[0] as { data: Hex; gas?: Hex };
      gasUsed += Number(gas);
      if (data === "0x1234") return new Error("out of gas");
      // A call gets all gas but a 64th, which suffices to return after one failed call.
      if (callsIn(data).length > 1) return new Error("out of gas");
      const result = [{ success: false, returnData: "0x" as Hex }];
      return encodeFunctionResult({ abi: AGGREGATE, functionName: "aggregate3", result });
    });
    const { source } = await open([url]);
    expect(await source.call(hostile)).toEqual(hostile.map(() => null));
    expect(gasUsed / hostile.length).toBeLessThan(3_000_000);
  });

  it("makes no call without a limit to a contract that notices the limit, and returns too much for it", async () => {
    const direct: Hex[] = [];
    const { url } = await endpoint(({ method, params }) => {
      if (method !== "eth_call") return method === "eth_chainId" ? "0x1" : "0x60";
      const { to, data } = params[0] as { to: Hex; data: Hex };
      if (data !== "0x1234") return multicall(data);
      direct.push(to);
      return new Error("execution aborted (timeout = 5s)");
    });
    const { source } = await open([url]);
    expect(await source.call(calls)).toEqual(calls.map((_, i) => (i === 4 ? null : "0xff")));
    expect(direct).toEqual([]);
  });

  it("makes a call with all the gas that the endpoint allows if its multicall fails", async () => {
    const { url } = await endpoint(({ method, params }) => {
      if (method !== "eth_call") return method === "eth_chainId" ? "0x1" : "0x60";
      const { gas } = params[0] as { gas?: Hex };
      return gas === undefined ? "0xff" : new Error("intrinsic gas too low");
    });
    const { source } = await open([url]);
    expect(await source.call(calls)).toEqual(calls.map(() => "0xff"));
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

/** Starts a node whose newest block is 1,000,000 and which has the state of the newest `kept` blocks. */
function stateNode(kept: number, options: { name?: string; refusal?: string; multicallFrom?: number } = {}) {
  const { name = "ff", refusal = "missing trie node 5f7e (path ) state 0x5f7e is not available" } = options;
  const { multicallFrom = Number.POSITIVE_INFINITY } = options;
  const tags: string[] = [];
  let newest = HEAD;
  const call = ({ to, data }: { to: Hex; data: Hex }, tag: string) => {
    if (data !== ABILITY_TEST) tags.push(tag === "latest" ? tag : `${Number(tag)}`);
    const block = tag === "latest" ? newest : Number(tag);
    if (HEAD - block >= kept || block > newest) return new Error(refusal);
    if (to !== MULTICALL3) return `0x${name}`;
    return block < multicallFrom ? "0x" : aggregated(data, `0x${name}`);
  };
  const others: Record<string, unknown> = {
    eth_chainId: "0x1",
    eth_getBlockByNumber: { number: `0x${HEAD.toString(16)}`, hash: word("aa"), timestamp: "0x1" },
    eth_getCode: multicallFrom <= HEAD ? "0x60" : "0x",
  };
  const started = endpoint(({ method, params }) =>
    method === "eth_call" ? call(...(params as Parameters<typeof call>)) : others[method],
  );
  /** Sets the newest block whose state the node has. */
  const refuseAbove = (block: number) => {
    newest = block;
  };
  return { started, tags, refuseAbove };
}

const HEAD = 1_000_000;
/** Data of the calls that check whether an endpoint can make calls. */
const ABILITY_TEST = "0x";
const word = (hex: string): Hex => `0x${hex.padStart(64, "0")}`;

function aggregated(data: Hex, returnData: Hex): Hex {
  const { args } = decodeFunctionData({ abi: AGGREGATE, data });
  const result = args[0].map(() => ({ success: true, returnData }));
  return encodeFunctionResult({ abi: AGGREGATE, functionName: "aggregate3", result });
}

describe("contract calls for a block", () => {
  const to: Hex = `0x${"22".repeat(20)}`;
  const callAt = (number: number) => ({ to, data: "0x1234" as Hex, block: { number } });

  async function openAtHead(nodes: ReturnType<typeof stateNode>[], limits = {}) {
    const urls = await Promise.all(nodes.map(async ({ started }) => (await started).url));
    const { source } = await open(urls, { limits });
    await source.head();
    return source;
  }

  it("read the state of that block", async () => {
    const archive = stateNode(Number.POSITIVE_INFINITY);
    const source = await openAtHead([archive]);
    expect(await source.call([callAt(70), callAt(5), { to, data: "0x1234" }])).toEqual([
      "0xff",
      "0xff",
      "0xff",
    ]);
    expect(archive.tags).toEqual(["5", "70", "latest"]);
  });

  it("read the newest state where the endpoint has deleted that of the block, and do not ask in vain again", async () => {
    const full = stateNode(128);
    const source = await openAtHead([full]);
    for (let block = 10; block < HEAD; block += 10_000)
      expect(await source.call([callAt(block)])).toEqual(["0xff"]);
    const inVain = full.tags.filter((tag) => tag !== "latest");
    expect(inVain[0]).toBe("10");
    expect(inVain.length).toBeLessThan(10);
    full.tags.length = 0;
    await source.call([callAt(HEAD - 20)]);
    expect(full.tags).toEqual([`${HEAD - 20}`]);
  });

  it("make one request for the calls of many old blocks", async () => {
    const full = stateNode(128);
    const source = await openAtHead([full]);
    await source.call([callAt(3), callAt(4), callAt(900)]);
    expect(full.tags).toEqual(["3", "latest", "latest", "latest"]);
  });

  it("use the endpoint that still has the state", async () => {
    const [full, archive] = [
      stateNode(128, { name: "11" }),
      stateNode(Number.POSITIVE_INFINITY, { name: "22" }),
    ];
    const source = await openAtHead([full, archive]);
    for (const block of [5, 6, 7]) expect(await source.call([callAt(block)])).toEqual(["0x22"]);
  });

  it("call one by one where Multicall3 is younger than the block", async () => {
    const archive = stateNode(Number.POSITIVE_INFINITY, { multicallFrom: 500 });
    const source = await openAtHead([archive]);
    expect(await source.call([callAt(5), callAt(5), callAt(5)])).toEqual(["0xff", "0xff", "0xff"]);
    expect(archive.tags).toEqual(["5", "5", "5", "5"]);
    archive.tags.length = 0;
    expect(await source.call([callAt(600), callAt(600)])).toEqual(["0xff", "0xff"]);
    expect(archive.tags).toEqual(["600"]);
  });

  it("read the newest state if an endpoint keeps refusing in words of its own", async () => {
    const odd = stateNode(128, { refusal: "computer says no" });
    const source = await openAtHead([odd], { maxCallAttempts: 3 });
    expect(await source.call([callAt(5)])).toEqual(["0xff"]);
    expect(odd.tags).toEqual(["5", "5", "5", "latest"]);
    odd.tags.length = 0;
    expect(await source.call([callAt(900_000)])).toEqual(["0xff"]);
    expect(odd.tags).toEqual(["latest"]);
  });

  it("read the newest state at once if the endpoint is behind the block, and past states again later", async () => {
    const behind = stateNode(128, { refusal: "block height is 1000000 but requested 1000005" });
    const tags = (block: number) => {
      behind.tags.length = 0;
      return source.call([callAt(block)]).then(() => behind.tags);
    };
    const source = await openAtHead([behind]);
    behind.refuseAbove(HEAD - 2);
    for (const block of [HEAD + 5, HEAD, HEAD - 1]) expect(await tags(block)).toEqual([`${block}`, "latest"]);
    behind.refuseAbove(HEAD);
    expect(await tags(HEAD - 50)).toEqual([`${HEAD - 50}`]);
  });

  it("wait for an endpoint that does not have the block yet", async () => {
    let requests = 0;
    const { url } = await endpoint(({ method, params }) => {
      if (method === "eth_chainId") return "0x1";
      if (params[1] === "latest") return "0x";
      return ++requests < 3 ? new Error("header not found") : "0xff";
    });
    const { source } = await open([url]);
    expect(await source.call([callAt(HEAD)])).toEqual(["0xff"]);
  });
});

describe("calls whose results count as facts about one block", () => {
  const target = (byte: string): Hex => `0x${byte.repeat(20)}`;
  const AT = { number: 100, hash: word("aa") };
  const calls = ["11", "22", "11", "33"].map((byte) => ({ to: target(byte), data: "0x1234" as Hex }));

  /** Starts a node that returns `name` for every call, except for calls to the contract in `odd`. */
  async function node(name: string, odd: { to: Hex; result: string } | null = null, hasState = true) {
    const together: string[][] = [];
    const valueAt = (to: Hex) => (odd?.to === to.toLowerCase() ? odd.result : `0x${name}`) as Hex;
    const { url } = await endpoint(({ method, params }) => {
      if (method === "eth_chainId") return "0x1";
      if (method === "eth_getCode") return "0x60";
      if (method !== "eth_call") return { number: "0x64", hash: word("aa"), timestamp: "0x1" };
      if (!hasState) return new Error("missing trie node 5f7e (path ) state 0x5f7e is not available");
      const { to, data } = params[0] as { to: Hex; data: Hex };
      if (to !== MULTICALL3) return valueAt(to);
      const { args } = decodeFunctionData({ abi: AGGREGATE, data });
      together.push(args[0].map((item) => item.target.toLowerCase()));
      const result = args[0].map((item) => ({ success: true, returnData: valueAt(item.target) }));
      return encodeFunctionResult({ abi: AGGREGATE, functionName: "aggregate3", result });
    });
    return { url, together };
  }

  it("are made apart for each contract, whose code could change what the next call sees", async () => {
    const { url, together } = await node("ff", { to: target("22"), result: "0xee" });
    const { source } = await open([url]);
    await source.head();
    expect(await source.callAt(AT, calls)).toEqual(["0xff", "0xee", "0xff", "0xff"]);
    expect(together).toEqual([[target("11"), target("11")]]);
  });

  it("are made at two endpoints, and a result on which they disagree is left out", async () => {
    const lying = { to: target("33"), result: "0xdd" };
    const nodes = await Promise.all([node("ff"), node("ff", lying)]);
    const { source } = await open(nodes.map(({ url }) => url));
    await source.head();
    expect(await source.callAt(AT, calls)).toEqual(["0xff", "0xff", "0xff", undefined]);
  });

  it("count from one endpoint if no other has the state; without any, there are none", async () => {
    const [full, bare] = await Promise.all([node("ff"), node("ff", null, false)]);
    const { source } = await open([bare.url, full.url]);
    await source.head();
    expect(await source.callAt(AT, calls)).toEqual(["0xff", "0xff", "0xff", "0xff"]);
    const { source: alone } = await open([bare.url]);
    await alone.head();
    expect(await alone.callAt(AT, calls)).toBeNull();
  });
});
