import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { endpoint, failure, open } from "../support/rpc-endpoints.ts";

describe("opening an RpcSource", () => {
  it("refuses an endpoint of another chain, naming it and both chain ids", async () => {
    const { url } = await endpoint(() => "0x2105");
    const error = await failure(open([url]));
    expect(error).toMatchObject({ code: "bad-config", retryable: false });
    expect(error.message).toContain(`${url} serves chain id 8453, but chain "eth" has chain id 1`);
  });

  it("says which URL cannot be reached", async () => {
    const error = await failure(open(["http://127.0.0.1:1"]));
    expect(error.code).toBe("endpoint");
    expect(error.message).toMatch(
      /no RPC endpoint of chain "eth" can be reached: http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });

  it("goes on without an endpoint that is down, and says so", async () => {
    const { url } = await endpoint(({ method }) => (method === "eth_chainId" ? "0x1" : null));
    const { said } = await open(["http://127.0.0.1:1", url]);
    expect(said.join("\n")).toMatch(/cannot be reached.*http:\/\/127\.0\.0\.1:1/);
  });

  it("gives a busy endpoint another chance, after the time that it asks for", async () => {
    const { url, requests } = await endpoint(() => "0x1", {
      status: (request) => (request === 1 ? 429 : 200),
      headers: { "retry-after": "1" },
    });
    const startedAt = Date.now();
    await open([url]);
    expect(requests()).toBe(2);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it("checks an endpoint that comes back before it is used, and refuses it then", async () => {
    let isUp = false;
    const late = await endpoint(() => (isUp ? "0x38" : new Error("starting")));
    const good = await endpoint(({ method }) =>
      method === "eth_chainId" ? "0x1" : { number: "0x5", hash: `0x${"ab".repeat(32)}` },
    );
    const { source, said } = await open([late.url, good.url]);
    isUp = true;
    for (let i = 0; i < 40 && !said.some((line) => line.includes("serves chain id")); i++) {
      expect((await source.head()).number).toBe(5);
      await sleep(10);
    }
    expect(said.join("\n")).toContain(`${late.url} serves chain id 56, but chain "eth" has chain id 1`);
    const asked = late.requests();
    for (let i = 0; i < 10; i++) await source.head();
    expect(late.requests()).toBe(asked);
  });

  it("wants at least one URL, and http", async () => {
    expect((await failure(open([]))).message).toMatch(/no RPC URL for chain "eth"/);
    expect((await failure(open(["ws://127.0.0.1"]))).code).toBe("bad-config");
  });

  it("knows no finality where the tag is refused", async () => {
    const { url } = await endpoint(({ method }) =>
      method === "eth_chainId" ? "0x1" : new Error("finalized block not found"),
    );
    const { source } = await open([url]);
    expect(await source.finalized()).toBeNull();
  });
});
