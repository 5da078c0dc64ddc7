import { describe, expect, it } from "vitest";
import { BaseError } from "../lib/error.ts";
import { resolveChains } from "./chain-config.ts";
import { ethereum } from "./ethereum.ts";

const own = {
  chainId: 31337,
  nativeSymbol: "ETH",
  wrappedNative: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
  stableCoins: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"],
  referencePools: [],
  deployments: [
    { protocol: "my_v2", family: "uniswap-v2", factory: "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f" },
  ],
  finality: { kind: "depth", blocks: 3 },
  blockTimeMs: 2000,
};

const singleton = (digit: string) => ({
  ...{ protocol: "my_v4", family: "uniswap-v4", factory: `0x${digit.repeat(40)}` },
});

function problemOf(overrides: unknown): string {
  try {
    resolveChains(overrides);
  } catch (error) {
    expect(error).toBeInstanceOf(BaseError);
    expect((error as BaseError).code).toBe("bad-config");
    return (error as BaseError).message;
  }
  return "accepted";
}

describe("resolveChains", () => {
  it("returns the built-in chains without a configuration", () => {
    expect([...resolveChains(undefined).keys()]).toEqual(["eth", "base", "matic"]);
    expect(resolveChains({}).get("eth")).toEqual(ethereum);
  });

  it("accepts a pool of Uniswap V4 as a reference pool", () => {
    const pools = [`0x${"AB".repeat(32)}`, `0x${"CD".repeat(20)}`];
    const chain = resolveChains({ devnet: { ...own, referencePools: pools } }).get("devnet");
    expect(chain?.referencePools).toEqual(pools.map((pool) => pool.toLowerCase()));
  });

  it("adds a chain with lower-case addresses and defaults for omitted fields", () => {
    const chain = resolveChains({ devnet: own }).get("devnet");
    expect(chain).toEqual({
      ...own,
      name: "devnet",
      wrappedNative: own.wrappedNative.toLowerCase(),
      stableCoins: own.stableCoins.map((coin) => coin.toLowerCase()),
      deployments: [
        {
          protocol: "my_v2",
          family: "uniswap-v2",
          factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
          initCodeHash: null,
          fee: null,
          firstBlock: 0,
        },
      ],
    });
  });

  it("overrides some or all fields of a built-in chain", () => {
    const chains = resolveChains({ eth: { finality: { kind: "depth", blocks: 64 } } });
    expect(chains.get("eth")).toEqual({ ...ethereum, finality: { kind: "depth", blocks: 64 } });
    expect(resolveChains({ eth: own }).get("eth")?.chainId).toBe(31337);
    expect(resolveChains({ eth: own }).get("eth")?.deployments).toHaveLength(1);
  });

  it("accepts its own output as configuration", () => {
    const { name, ...definition } = ethereum;
    const again = resolveChains({ [name]: JSON.parse(JSON.stringify(definition)) });
    expect(again.get("eth")).toEqual(ethereum);
  });

  it("does not change the built-in chains", () => {
    resolveChains({ eth: own });
    expect(resolveChains(undefined).get("eth")?.chainId).toBe(1);
  });

  it.each([
    [
      { eth: { wrappedNative: "0x12" } },
      'chains.eth.wrappedNative: expected an address of 20 bytes, such as "0xC02',
    ],
    [{ eth: { wrappedNative: "0x12" } }, 'given: "0x12"'],
    [
      { eth: { deployments: [{ ...own.deployments[0], factory: 1 }] } },
      "chains.eth.deployments[0].factory: expected",
    ],
    [
      { eth: { deployments: [{ ...own.deployments[0], fee: 1e6 }] } },
      "chains.eth.deployments[0].fee: expected",
    ],
    [
      { eth: { deployments: [own.deployments[0], own.deployments[0]] } },
      "chains.eth.deployments[1].factory: 0x5c69",
    ],
    [{ eth: { stableCoins: [own.wrappedNative] } }, "chains.eth.stableCoins: contains wrappedNative"],
    [{ eth: { colour: "red" } }, 'chains.eth: Unrecognized key: "colour"'],
    [{ eth: { finality: { kind: "never" } } }, "chains.eth.finality.kind:"],
    [{ mine: { ...own, nativeSymbol: undefined } }, "chains.mine.nativeSymbol:"],
    [{ "My Chain": own }, 'chains: "My Chain" is not a chain name'],
    [{ "1inch": own }, "is not a chain name"],
    [{ mine: { ...own, referencePools: ["0x12"] } }, "chains.mine.referencePools[0]: expected a pool"],
    [
      { eth: { deployments: [singleton("1"), singleton("2")] } },
      "chains.eth.deployments: several are of family uniswap-v4",
    ],
    [JSON.parse('{"__proto__": {}}'), "is not a chain name"],
    [[], "chains: "],
    ["eth", "chains: "],
    [null, "chains: "],
    [{ eth: null }, "chains.eth: "],
    [{ eth: [] }, "chains.eth"],
  ])("names the wrong key in %j", (overrides, expected) => {
    expect(problemOf(overrides)).toContain(expected);
  });
});
