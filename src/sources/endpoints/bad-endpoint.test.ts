import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { type Call, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
const good = ({ method, params: [tag] }: Call) => {
  if (method === "eth_chainId") return "0x1";
  const number = tag === "latest" ? "0x9" : tag;
  return { number, hash: hash("a") };
};
/** Answers everything but the chain id, which opens the door, with this. */
const inside = (answer: (call: Call) => unknown) => (call: Call) =>
  call.method === "eth_chainId" ? "0x1" : answer(call);

describe("an RpcSource, beside an endpoint that is quick and of no use", () => {
  it.each<[string, (call: Call) => unknown]>([
    ["refuses all", () => new Error("internal error")],
    ["knows no block", () => null],
    ["sends garbage", () => ({ number: "nine", hash: 1 })],
  ])("asks the other one when it %s", async (_, answer) => {
    const bad = await endpoint(inside(answer));
    const { url } = await endpoint(async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      return good(call);
    });
    const { source } = await open([bad.url, url], { limits: { minAvoidMs: 60_000, maxAvoidMs: 60_000 } });
    for (let i = 0; i < 3; i++) expect(await source.head()).toEqual({ number: 9, hash: hash("a") });
    expect(bad.requests()).toBeLessThanOrEqual(2);
    expect(source.outage()).toBeNull();
  });
});

describe("an RpcSource with endpoints of different height", () => {
  it("follows the highest, though another is quicker, and waits for none that keeps silent", async () => {
    const ahead = await endpoint(async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      return good(call);
    });
    const stuck = await endpoint((call) => good({ ...call, params: ["0x4"] }));
    const silent = await endpoint(inside(() => new Promise(() => {})));
    const limits = { headTimeoutMs: 300, minAvoidMs: 60_000, maxAvoidMs: 60_000, requestTimeoutMs: 400 };
    const { source } = await open([stuck.url, ahead.url, silent.url], { limits });
    for (let i = 0; i < 5; i++) expect((await source.head()).number).toBe(9);
    expect(silent.requests()).toBeLessThanOrEqual(2);
  });
});

describe("an RpcSource", () => {
  it("takes neither a refusal nor another block for a missing one", async () => {
    const refusing = await endpoint(inside(() => new Error("internal error")));
    const { source } = await open([refusing.url], { limits: { maxCallAttempts: 3 } });
    expect((await failure(source.blockRef(5))).message).toContain('block 5 was refused: "internal error"');
    const mistaken = await endpoint(inside(() => good({ method: "", params: ["0x4"] })));
    const other = await open([mistaken.url], { limits: { maxCallAttempts: 3 } });
    expect((await failure(other.source.blockRef(5))).message).toContain("block 4 was sent for block 5");
  });

  it.each([null, "mainnet", 1, {}])("does not take %j for a chain id", async (answer) => {
    const { url } = await endpoint(() => answer);
    const error = await failure(open([url]));
    expect(error.message).toContain("eth_chainId was answered with something that is no chain id");
  });

  it("says that it was redirected", async () => {
    const headers = { location: "https://elsewhere.example" };
    const { url } = await endpoint(() => "0x1", { status: () => 301, headers });
    expect((await failure(open([url]))).message).toContain("HTTP 301: it redirects elsewhere");
  });

  it("tells its trouble while nobody answers, and not afterwards", async () => {
    let isDown = false;
    const { url } = await endpoint((call) => good(call), { status: () => (isDown ? 502 : 200) });
    const { source } = await open([url], { limits: { maxCallAttempts: 2, outageAfterMs: 0 } });
    isDown = true;
    await failure(source.head());
    expect(source.outage()).toContain("HTTP 502");
    isDown = false;
    await source.head();
    expect(source.outage()).toBeNull();
  });

  it("ends the opening and every call at once when its signal aborts", async () => {
    const { url } = await endpoint(inside(() => new Promise(() => {})));
    const abort = new AbortController();
    const { source } = await open([url], { signal: abort.signal });
    const asked = source.head();
    setTimeout(() => abort.abort(new Error("stop")), 50);
    await expect(asked).rejects.toThrow("stop");
    const silent = await endpoint(() => new Promise(() => {}));
    const another = new AbortController();
    setTimeout(() => another.abort(new Error("stop")), 50);
    await expect(open([silent.url], { signal: another.signal })).rejects.toThrow("stop");
  });
});
