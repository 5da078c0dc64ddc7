import { describe, expect, it } from "vitest";
import { ManualClock } from "../lib/support/manual-clock.ts";
import { pass, settled } from "./support/manual-time.ts";
import { endpoint, failure, open } from "./support/rpc-endpoints.ts";

describe("opening an RpcSource", () => {
  it("rejects an endpoint of another chain, and names it and both chain ids", async () => {
    const { url } = await endpoint(() => "0x2105");
    const error = await failure(open([url]));
    expect(error).toMatchObject({ code: "bad-config", retryable: false });
    expect(error.message).toContain(`${url} serves chain id 8453, but chain "eth" has chain id 1`);
  });

  it("names the URL that cannot be reached", async () => {
    const error = await failure(open(["http://127.0.0.1:1"]));
    expect(error.code).toBe("endpoint");
    expect(error.message).toMatch(
      /no RPC endpoint of chain "eth" can be reached: http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });

  it("continues without an endpoint that is down, with a warning", async () => {
    const { url } = await endpoint(({ method }) => (method === "eth_chainId" ? "0x1" : null));
    const { warnings } = await open(["http://127.0.0.1:1", url]);
    expect(warnings.join("\n")).toMatch(/cannot be reached.*http:\/\/127\.0\.0\.1:1/);
  });

  it("retries a busy endpoint after the time in Retry-After", async () => {
    const { url, requests } = await endpoint(() => "0x1", {
      status: (request) => (request === 1 ? 429 : 200),
      headers: { "retry-after": "1" },
    });
    const clock = new ManualClock();
    const startedAt = clock.now();
    await open([url], { clock });
    expect(requests()).toBe(2);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(990);
    expect(clock.now() - startedAt).toBeLessThan(1_500);
  });

  it("checks an endpoint that comes back before its first use, and excludes it", async () => {
    let isUp = false;
    const late = await endpoint(() => (isUp ? "0x38" : new Error("starting")));
    const good = await endpoint(({ method }) =>
      method === "eth_chainId" ? "0x1" : { number: "0x5", hash: `0x${"ab".repeat(32)}` },
    );
    const clock = new ManualClock();
    const { source, warnings } = await open([late.url, good.url], { clock });
    isUp = true;
    for (let i = 0; i < 40 && !warnings.some((line) => line.includes("serves chain id")); i++) {
      expect((await settled(clock, source.head())).number).toBe(5);
      await pass(clock, 10);
    }
    expect(warnings.join("\n")).toContain(`${late.url} serves chain id 56, but chain "eth" has chain id 1`);
    const before = late.requests();
    for (let i = 0; i < 10; i++) await settled(clock, source.head());
    expect(late.requests()).toBe(before);
  });

  it("requires at least one URL, and an HTTP one", async () => {
    expect((await failure(open([]))).message).toMatch(/no RPC URL for chain "eth"/);
    expect((await failure(open(["ws://127.0.0.1"]))).code).toBe("bad-config");
  });

  it("has no finalized block when the tag is refused", async () => {
    const { url } = await endpoint(({ method }) =>
      method === "eth_chainId" ? "0x1" : new Error("finalized block not found"),
    );
    const { source } = await open([url]);
    expect(await source.finalized()).toBeNull();
  });
});
