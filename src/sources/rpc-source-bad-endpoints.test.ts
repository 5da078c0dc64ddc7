import { describe, expect, it } from "vitest";
import type { Hex } from "../lib/hex.ts";
import { ManualClock } from "../lib/support/manual-clock.ts";
import { pass, settled } from "./support/manual-time.ts";
import { type Call, endpoint, failure, open, rawEndpoint } from "./support/rpc-endpoints.ts";

const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
const good = ({ method, params: [tag] }: Call) => {
  if (method === "eth_chainId") return "0x1";
  const number = tag === "latest" ? "0x9" : tag;
  return { number, hash: hash("a") };
};
/** Uses `respond` for every call except the chain id, so the source accepts the endpoint. */
const afterCheck = (respond: (call: Call) => unknown) => (call: Call) =>
  call.method === "eth_chainId" ? "0x1" : respond(call);

describe("an RpcSource with an endpoint that is quick and useless", () => {
  it.each<[string, (call: Call) => unknown]>([
    ["refuses every call", () => new Error("internal error")],
    ["has no blocks", () => null],
    ["sends garbage", () => ({ number: "nine", hash: 1 })],
  ])("uses the other endpoint when it %s", async (_, respond) => {
    const bad = await endpoint(afterCheck(respond));
    const clock = new ManualClock();
    const { url } = await endpoint(async (call) => {
      await clock.sleep(15);
      return good(call);
    });
    const limits = { minBackoffMs: 60_000, maxBackoffMs: 60_000 };
    const { source } = await open([bad.url, url], { clock, limits });
    for (let i = 0; i < 3; i++)
      expect(await settled(clock, source.head())).toEqual({ number: 9, hash: hash("a") });
    expect(bad.requests()).toBeLessThanOrEqual(2);
    expect(source.outage()).toBeNull();
  });
});

describe("an RpcSource with an endpoint whose responses are made to exhaust the process", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  it.each<[string, string]>([
    [
      "an error whose long message takes ages to match",
      `"error":{"code":-1,"message":"${"state".repeat(400_000)}"}`,
    ],
    ["an error of many levels", `"error":${deep}`],
    ["a result of many levels", `"result":{"number":${deep}}`],
    ["a list of millions of lists", `"result":[${"[],".repeat(3_000_000)}[]]`],
  ])("uses the other endpoint after %s", async (_, reply) => {
    const bad = await rawEndpoint(({ id, method }) =>
      method === "eth_chainId" ? `{"id":${id},"result":"0x1"}` : `{"id":${id},${reply}}`,
    );
    const { url } = await endpoint(good);
    const limits = { minBackoffMs: 60_000, maxBackoffMs: 60_000, maxCallAttempts: 2 };
    const { source } = await open([bad, url], { limits });
    expect(await source.head()).toEqual({ number: 9, hash: hash("a") });
    expect(await source.blockRef(5)).toEqual({ number: 5, hash: hash("a") });
    const alone = await open([bad], { limits });
    expect(await failure(alone.source.blockRef(5))).toMatchObject({ code: "endpoint", retryable: true });
  });
});

describe("an RpcSource with endpoints at different heights", () => {
  it("follows the highest, although another is quicker, and does not wait for a silent one", async () => {
    const clock = new ManualClock();
    const ahead = await endpoint(async (call) => {
      await clock.sleep(15);
      return good(call);
    });
    const stuck = await endpoint((call) => good({ ...call, params: ["0x4"] }));
    const silent = await endpoint(afterCheck(() => new Promise(() => {})));
    const limits = { headTimeoutMs: 300, minBackoffMs: 60_000, maxBackoffMs: 60_000, requestTimeoutMs: 400 };
    const { source } = await open([stuck.url, ahead.url, silent.url], { clock, limits });
    for (let i = 0; i < 5; i++) expect((await settled(clock, source.head())).number).toBe(9);
    expect(silent.requests()).toBeLessThanOrEqual(2);
  });
});

describe("RpcSource.hasBlock", () => {
  const forked = (call: Call) =>
    call.method === "eth_chainId" ? "0x1" : { ...(good(call) as object), hash: hash("b") };
  const known = { number: 5, hash: hash("a") };

  it("is true if any endpoint has the block, and reports those with another", async () => {
    const [other, { url }] = [await endpoint(forked), await endpoint(good)];
    const limits = { minBackoffMs: 60_000, maxBackoffMs: 60_000 };
    const { source, warnings } = await open([other.url, url], { limits });
    expect(await source.hasBlock(known)).toBe(true);
    expect(source.endpoints()).toMatchObject([{ lies: 1 }, { lies: 0 }]);
    expect(warnings.join("\n")).toContain(
      `${other.url}: block 5 failed verification: its hash is ${hash("b")}, but another endpoint has the known`,
    );
    expect(await source.blockRef(5)).toEqual(known);
  });

  it("is false if all endpoints have another block or none, and reports no endpoint", async () => {
    const [other, short] = [await endpoint(forked), await endpoint(afterCheck(() => null))];
    const { source } = await open([other.url, short.url]);
    expect(await source.hasBlock(known)).toBe(false);
    expect(source.endpoints()).toMatchObject([{ lies: 0 }, { lies: 0 }]);
  });

  it.each<[string, (call: Call) => unknown, string]>([
    [
      "refuses",
      () => new Error("internal error"),
      'the request for block 5 was refused: "internal error" (-32000)',
    ],
    ["does not respond", () => new Promise(() => {}), "no response within 5000 ms"],
  ])("is not decided while an endpoint %s, even one that is backing off", async (_, respond, reason) => {
    const clock = new ManualClock();
    let isWell = false;
    const late = await endpoint(afterCheck((call) => (isWell ? good(call) : respond(call))));
    const other = await endpoint(forked);
    const limits = { minBackoffMs: 60_000, maxBackoffMs: 60_000 };
    const { source } = await open([other.url, late.url], { clock, limits });
    for (let i = 0; i < 2; i++) {
      const error = await failure(settled(clock, source.hasBlock(known)));
      expect(error).toMatchObject({ code: "endpoint", retryable: true });
      expect(error.message).toContain(`not all returned a result (${late.url}: ${reason})`);
    }
    isWell = true;
    expect(await settled(clock, source.hasBlock(known))).toBe(true);
  });
});

describe("an RpcSource", () => {
  it("does not treat a refusal or another block as a missing block", async () => {
    const refusing = await endpoint(afterCheck(() => new Error("internal error")));
    const { source } = await open([refusing.url], { limits: { maxCallAttempts: 3 } });
    expect((await failure(source.blockRef(5))).message).toContain('block 5 was refused: "internal error"');
    const mistaken = await endpoint(afterCheck(() => good({ method: "", params: ["0x4"] })));
    const other = await open([mistaken.url], { limits: { maxCallAttempts: 3 } });
    expect((await failure(other.source.blockRef(5))).message).toContain("it sent block 4 instead of block 5");
  });

  it.each([null, "mainnet", 1, {}])("does not accept %j as a chain id", async (result) => {
    const { url } = await endpoint(() => result);
    const error = await failure(open([url]));
    expect(error.message).toContain("eth_chainId returned something that is not a chain id");
  });

  it("reports a redirect", async () => {
    const headers = { location: "https://elsewhere.example" };
    const { url } = await endpoint(() => "0x1", { status: () => 301, headers });
    expect((await failure(open([url]))).message).toContain("HTTP 301: redirects to another URL");
  });

  it("reports an outage until an endpoint responds again", async () => {
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
    const { url } = await endpoint(afterCheck(() => new Promise(() => {})));
    const clock = new ManualClock();
    const abort = new AbortController();
    const { source } = await open([url], { clock, signal: abort.signal });
    const head = expect(source.head()).rejects.toThrow("stop");
    await pass(clock, 50);
    abort.abort(new Error("stop"));
    await head;
    const silent = await endpoint(() => new Promise(() => {}));
    const another = new AbortController();
    clock.after(50, () => another.abort(new Error("stop")));
    await expect(open([silent.url], { clock, signal: another.signal })).rejects.toThrow("stop");
  });
});
