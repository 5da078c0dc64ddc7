import { describe, expect, it } from "vitest";
import { base } from "../../chains/base.ts";
import type { Chain } from "../../chains/chain.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { polygon } from "../../chains/polygon.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { addressWord, uintWord } from "../abi/abi.ts";
import { createdPool } from "./created-pool.ts";

const BLOCK = { number: 13_899_892, timestamp: 1_714_589_131 };

interface Creation {
  chain: Chain;
  protocol: string;
  topic: Hex;
  tokens: [Hex, Hex];
  tickSpacing?: number;
  pool: Hex;
}

/** The pools Aerodrome WETH/USDC and QuickSwap POL/USDC.e, as announced by their factories. */
const SLIPSTREAM: Creation = {
  chain: base,
  protocol: "aerodrome_slipstream",
  topic: "0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2",
  tokens: ["0x4200000000000000000000000000000000000006", "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"],
  tickSpacing: 100,
  pool: "0xb2cc224c1c9fee385f8ad6a55b4d94e92359dc59",
};
const ALGEBRA: Creation = {
  chain: polygon,
  protocol: "quickswap_v3",
  topic: "0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db",
  tokens: ["0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270", "0x2791bca1f2de4661ed88a30c99a7a9449aa84174"],
  pool: "0xae81fac689a1b4b1e06e7ef4a2ab4cd8ac0a087d",
};

function factoryOf({ chain, protocol }: Creation): Hex {
  const deployment = chain.deployments.find((listed) => listed.protocol === protocol);
  if (deployment === undefined) throw new Error(protocol);
  return deployment.factory;
}

function logOf(creation: Creation): Log {
  const { topic, tokens, tickSpacing, pool } = creation;
  const words = [...tokens.map(addressWord), ...(tickSpacing === undefined ? [] : [uintWord(tickSpacing)])];
  const topics: Hex[] = [topic, ...words.map((word): Hex => `0x${word}`)];
  return { address: factoryOf(creation), topics, data: `0x${addressWord(pool)}`, logIndex: 0 };
}

describe.each([SLIPSTREAM, ALGEBRA])("createdPool of $protocol", (creation) => {
  const created = (changed: Partial<Creation>, chain = creation.chain) =>
    createdPool(logOf({ ...creation, ...changed }), chain, BLOCK, []);

  it("is the announced pool, with its creation and without a fee, which changes", () => {
    expect(created({})).toEqual({
      address: creation.pool,
      family: "uniswap-v3",
      protocol: creation.protocol,
      factory: factoryOf(creation),
      token0: creation.tokens[0],
      token1: creation.tokens[1],
      tokens: creation.tokens,
      underlying: [],
      fee: null,
      hooks: null,
      hookFlags: null,
      createdBlock: BLOCK.number,
      createdTimestamp: BLOCK.timestamp,
    });
  });

  it("is null if the address does not follow from tokens and tick spacing", () => {
    expect(created({ pool: creation.tokens[0] })).toBeNull();
    expect(created({ tokens: [creation.tokens[0], creation.pool] })).toBeNull();
    if (creation.tickSpacing !== undefined) expect(created({ tickSpacing: 50 })).toBeNull();
  });

  it("has no fee where the init-code hash is unknown either", () => {
    const deployments = creation.chain.deployments.map(({ keys: _, ...listed }) => ({
      ...listed,
      initCodeHash: null,
    }));
    expect(created({}, { ...creation.chain, deployments })).toMatchObject({ fee: null });
  });
});

describe("createdPool", () => {
  it("reports no fee of KyberSwap Elastic, whose event has it in another unit", () => {
    const [token0, token1]: [Hex, Hex] = [
      "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
      "0xc2132d05d31c914a87c6611c10748aeb04b58e8f",
    ];
    const address: Hex = "0x879664ce5a919727b3ed4035cf12f7f740e8df00";
    const words = [addressWord(token0), addressWord(token1), uintWord(8)];
    const log: Log = {
      address: "0xc7a590291e07b9fe9e64b86c58fd8fc764308c4a",
      topics: [
        "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
        ...words.map((word): Hex => `0x${word}`),
      ],
      data: `0x${uintWord(1)}${addressWord(address)}`,
      logIndex: 0,
    };
    expect(createdPool(log, polygon, BLOCK, [])).toMatchObject({
      address,
      protocol: "kyberswap_elastic",
      fee: null,
    });
  });

  it("takes the tick spacing of Solidly V3, which determines the address, and not the fee", () => {
    const usdc: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
    const address: Hex = "0x831bf48183b999fde45294b14b55199072f0801b";
    const log = (fee: number, tickSpacing: number): Log => ({
      address: "0x70fe4a44ea505cfa3a57b95cf2862d4fd5f0f687",
      topics: [
        "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
        ...[addressWord(usdc), addressWord(ethereum.wrappedNative), uintWord(fee)].map(
          (word): Hex => `0x${word}`,
        ),
      ],
      data: `0x${uintWord(tickSpacing)}${addressWord(address)}`,
      logIndex: 0,
    });
    for (const fee of [500, 100]) {
      expect(createdPool(log(fee, 10), ethereum, BLOCK, [])).toMatchObject({
        ...{ address, protocol: "solidly_v3", token0: usdc, fee: null, createdBlock: BLOCK.number },
      });
    }
    expect(createdPool(log(10, 50), ethereum, BLOCK, [])).toBeNull();
  });

  it("is the word of a factory whose pools nothing else proves", () => {
    const first = { ...SLIPSTREAM, protocol: "aerodrome_slipstream_first" };
    expect(createdPool(logOf(first), base, BLOCK, [])).toMatchObject({ protocol: first.protocol, fee: null });
  });
});
