import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { type Call, endpoint, failure, open } from "../support/rpc-endpoints.ts";
import { newestNeeded } from "./call-state.ts";

const HEAD = 1_000_000;
/** The newest block of an endpoint that stopped following the chain two days ago. */
const STALE = HEAD - 14_400;

const to: Hex = `0x${"22".repeat(20)}`;
const call = { to, data: "0x1234" as Hex };

interface NodeOptions {
  newest: number;
  /** Result of every call in the newest state. */
  result: Hex;
  /** The number that it reports as its newest block; default: the real one. */
  reported?: number;
}

/** Starts a node that has no past state. */
async function node({ newest, result, reported }: NodeOptions) {
  const tags: string[] = [];
  const state = { isDown: false, newest };
  const respond = ({ method, params }: Call): unknown => {
    if (method === "eth_chainId") return "0x1";
    if (method === "eth_getCode") return "0x";
    if (method === "eth_call") return callIn(String(params[1]));
    if (params[0] === "latest") return header(reported ?? state.newest);
    return Number(params[0]) > state.newest ? null : header(Number(params[0]));
  };
  const callIn = (tag: string) => {
    tags.push(tag);
    if (tag === "latest") return result;
    return new Error(Number(tag) > state.newest ? "header not found" : "missing trie node 5f7e (path )");
  };
  const { url } = await endpoint(respond, { status: () => (state.isDown ? 502 : 200) });
  return { url, tags, state };
}

const header = (number: number) => ({
  number: `0x${number.toString(16)}`,
  hash: `0x${number.toString(16).padStart(64, "0")}`,
  parentHash: `0x${(number - 1).toString(16).padStart(64, "0")}`,
  timestamp: "0x1",
});

const following = () => node({ newest: HEAD, result: "0xff" });
/**
 * Starts a node that is behind. In its state, a contract that was created later is an account without code.
 */
const stopped = () => node({ newest: STALE, result: "0x" });

describe("calls in the newest state", () => {
  it("are not made at an endpoint that stopped following the chain", async () => {
    const [stale, fresh] = await Promise.all([stopped(), following()]);
    const { source } = await open([stale.url, fresh.url]);
    await source.head();
    expect(await source.call([call])).toEqual(["0xff"]);
    expect(await source.call([{ ...call, block: { number: HEAD } }, call])).toEqual(["0xff", "0xff"]);
    expect(await source.call([{ ...call, block: { number: HEAD - 300 } }])).toEqual(["0xff"]);
    expect(stale.tags).toEqual([]);
  });

  it("are not made there either while all other endpoints are down", async () => {
    const [stale, fresh] = await Promise.all([stopped(), following()]);
    const { source } = await open([stale.url, fresh.url], { limits: { maxCallAttempts: 3 } });
    await source.head();
    await source.call([call]);
    fresh.state.isDown = true;
    expect(await failure(source.call([call]))).toMatchObject({ code: "endpoint", retryable: true });
    expect(await failure(source.call([{ ...call, block: { number: HEAD } }]))).toMatchObject({
      retryable: true,
    });
    fresh.state.isDown = false;
    expect(await source.call([call])).toEqual(["0xff"]);
    expect(stale.tags).toEqual([]);
  });

  it("are not made at an endpoint whose newest block is not known yet", async () => {
    const [stale, fresh] = await Promise.all([stopped(), following()]);
    stale.state.isDown = true;
    const { source } = await open([stale.url, fresh.url]);
    await source.head();
    stale.state.isDown = false;
    expect(await source.call([call])).toEqual(["0xff"]);
    expect(stale.tags).toEqual([]);
  });

  it("are made at any endpoint that has the block, whatever number another one reports", async () => {
    const [lying, fresh] = await Promise.all([
      node({ newest: STALE, result: "0x", reported: HEAD * 1_000 }),
      following(),
    ]);
    const { source } = await open([fresh.url, lying.url]);
    expect(await source.head()).toMatchObject({ number: HEAD });
    expect(await source.call([call])).toEqual(["0xff"]);
  });

  it("are made at the endpoint with the newest block if all are behind, as after a reorg", async () => {
    const [stale, fresh] = await Promise.all([stopped(), following()]);
    const { source } = await open([stale.url, fresh.url]);
    await source.head();
    fresh.state.newest = HEAD - 3;
    await source.head();
    expect(await source.call([{ ...call, block: { number: HEAD } }, call])).toEqual(["0xff", "0xff"]);
  });

  it("are made at any endpoint that has the block of the call", async () => {
    const stale = await stopped();
    const { source } = await open([stale.url, (await following()).url]);
    await source.head();
    expect(await source.call([{ ...call, block: { number: STALE - 1_000 } }])).toEqual(["0x"]);
  });
});

it("needs the newest of any number of blocks", () => {
  const many = Array.from({ length: 300_000 }, (_, number) => ({ block: { number } }));
  expect(newestNeeded(many, null)).toBe(299_999);
  expect(newestNeeded([...many, {}], 400_000)).toBe(400_000);
  expect(newestNeeded([{}], null)).toBe(Number.POSITIVE_INFINITY);
});
