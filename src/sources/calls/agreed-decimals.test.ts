import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { DECIMALS } from "../../schema/contract-call.ts";
import { ETH, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const word = (hex: string): Hex => `0x${hex.padStart(64, "0")}`;

describe("the decimals of a coin in which trades are valued", () => {
  const coin: Hex = `0x${"c0".repeat(20)}`;
  const token: Hex = `0x${"70".repeat(20)}`;
  const chain = { ...ETH, stableCoins: [coin] };
  const decimalsCall = (to: Hex) => ({ to, data: DECIMALS });
  /** Starts a node whose contracts all have these decimals. If null, no contract exists. */
  const nodeWith = (decimals: number | null) =>
    endpoint(({ method }) => {
      if (method === "eth_chainId") return "0x1";
      return method === "eth_call" && decimals !== null ? word(decimals.toString(16)) : "0x";
    });
  const openWith = async (decimals: readonly (number | null)[]) => {
    const nodes = await Promise.all(decimals.map(nodeWith));
    return open(
      nodes.map(({ url }) => url),
      { chain },
    );
  };

  it("are refused while one of two endpoints returns others", async () => {
    const { source } = await openWith([18, 6]);
    const error = await failure(source.call([decimalsCall(coin)]));
    expect(error).toMatchObject({ code: "endpoint", retryable: true });
    expect(error.message).toContain(`The endpoints disagree about the decimals of ${coin}`);
    expect(error.message).toMatch(/the result was (18, but .* returns 6|6, but .* returns 18)\./);
  });

  it("are those that most endpoints return, and an endpoint without the contract does not count", async () => {
    for (const decimals of [[6, 6, 18], [6, null], [6]])
      expect(await (await openWith(decimals)).source.call([decimalsCall(coin)])).toEqual([word("6")]);
    await failure((await openWith([18, 6, 6])).source.call([decimalsCall(coin)]));
  });

  it("are those of the first word, whatever follows it", async () => {
    const long = await endpoint(({ method }) => {
      if (method === "eth_chainId") return "0x1";
      return method === "eth_call" ? `${word("12")}${"6".repeat(64)}` : "0x";
    });
    const { source } = await open([long.url, (await nodeWith(6)).url], { chain });
    expect((await failure(source.call([decimalsCall(coin)]))).message).toContain("disagree");
    const { source: none } = await openWith([null, 6]);
    expect(await none.call([decimalsCall(token)])).toHaveLength(1);
  });

  it("are not compared for other tokens, which may return different ones on purpose", async () => {
    const { source } = await openWith([18, 6]);
    expect(await source.call([decimalsCall(token)])).toHaveLength(1);
  });
});
