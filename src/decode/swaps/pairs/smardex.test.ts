import { describe, expect, it } from "vitest";
import { DATA_SET, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import { polygon } from "../../../chains/polygon.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log } from "../../../schema/block.ts";
import { addressWord, uintWord } from "../../abi/abi.ts";
import { judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { eventsOf, transferLog } from "../../support/published-logs.ts";
import { movedBy, recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";

const SWAP: Hex = "0xa4228e1eb11eb9b31069d9ed20e7af9a010ca1a02d4855cee54e08e188fcc32c";
const CREATED: Hex = "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9";
const FACTORY: Hex = "0x7753f36e711b66a0350a753aba9f5651bae76a1d";
/** The pool of SDEX and USDT on Ethereum. */
const POOL: Hex = "0xd2bf378cea07fe117ffdfd3f5b7e53c2b0b78c05";
const SDEX: Hex = "0x5de8ab7e27f6e7a1fff3e5b337584aa43961beef";
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const WALLET: Hex = `0x${"ee".repeat(20)}`;

const blocks = recordedBlocks(MAINNET);
const smardexSwaps = (given: readonly Block[]) => recordedSwaps(given, "smardex");
const topic = (address: Hex): Hex => `0x${addressWord(address)}`;

/** Returns the logs of a transaction that pays USDT to a contract and receives SDEX from it. */
function bought(contract: Hex): Log[] {
  const minus900 = (2n ** 256n - 900n).toString(16);
  return [
    transferLog(SDEX, contract, WALLET, 900n, 0),
    transferLog(USDT, WALLET, contract, 1000n, 1),
    {
      address: contract,
      topics: [SWAP, topic(WALLET), topic(WALLET)],
      data: `0x${minus900}${uintWord(1000)}`,
      logIndex: 2,
    },
  ];
}

const swapsIn = (logs: Log[], chain = ethereum) =>
  eventsOf(logs, chain).filter((event) => event.kind === "swap");

describe("SmarDex on real blocks", () => {
  it("reads every swap, in a pool that its transfers prove, with the transferred amounts", () => {
    const swaps = smardexSwaps(blocks);
    if (DATA_SET !== "full") return expect(swaps.length).toBeLessThanOrEqual(1);
    expect(swaps.map(({ swap }) => swap)).toMatchObject([
      {
        pool: { address: POOL, protocol: "smardex_legacy", factory: FACTORY, fee: null },
        ...{ token0: SDEX, amount0: -130_899_473_491_348_771_119_812n },
        ...{ token1: USDT, amount1: 1_132_701_284n },
      },
    ]);
    for (const swap of swaps) expect(movedBy(swap, POOL)).toEqual({ in: true, out: true });
  });

  it("makes no swap of a contract that the factory did not create", () => {
    const copied = withLogs(blocks, (log) => (log.address === POOL ? { ...log, address: FAKE } : log));
    expect(smardexSwaps(copied)).toEqual([]);
  });
});

describe("SmarDex", () => {
  it("reads a swap from the pool's side", () => {
    expect(swapsIn(bought(POOL))).toMatchObject([
      { pool: { address: POOL }, token0: SDEX, amount0: -900n, token1: USDT, amount1: 1000n },
    ]);
  });

  it("makes no swap of a contract whose address does not follow, nor on a chain without the factory", () => {
    expect(swapsIn(bought(FAKE))).toEqual([]);
    expect(swapsIn(bought(POOL), polygon)).toEqual([]);
  });

  it("accepts the pool that calls identify, and no other", () => {
    const judged = (address: Hex) => {
      const calls = poolCalls([{ address, family: "smardex" }], ethereum);
      const results = [SDEX, USDT, FACTORY].map(topic);
      expect(calls).toHaveLength(results.length);
      return judgePools([{ address, family: "smardex" }], results, ethereum).pools.get(address);
    };
    expect(judged(POOL)).toMatchObject({ address: POOL, tokens: [SDEX, USDT] });
    expect(judged(FAKE)).toBeNull();
  });

  it("reads PairCreated of the listed factory only, if the address follows", () => {
    const created = (factory: Hex, pair: Hex) =>
      createdPool(
        {
          address: factory,
          topics: [CREATED, topic(SDEX), topic(USDT)],
          data: `0x${addressWord(pair)}${uintWord(1)}`,
          logIndex: 0,
        },
        ethereum,
        { number: 9, timestamp: 90 },
        [],
      );
    expect(created(FACTORY, POOL)).toMatchObject({ address: POOL, family: "smardex", createdBlock: 9 });
    expect(created(FACTORY, FAKE)).toBeNull();
    expect(created(FAKE, POOL)).toBeNull();
  });
});
