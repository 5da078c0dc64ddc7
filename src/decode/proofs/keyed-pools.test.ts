import { describe, expect, it } from "vitest";
import { decodeBlocks } from "../../../test/support/nodes/decoded-blocks.ts";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import { addressWord } from "../abi/abi.ts";
import type { Evidence } from "../families/swap-family.ts";
import { FAMILIES } from "../pools/swap-families.ts";
import { decodeTransfer, TRANSFER_TOPIC } from "../transfers/transfers.ts";

const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const V2_POOL: Hex = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc";
const V3_POOL: Hex = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
const TRADER: Hex = "0x00000000000000000000000000000000deadbeef";
const ONE: Hex = `0x${"1".padStart(64, "0")}`;

function transfer(token: Hex, from: Hex, to: Hex): Log {
  const topics: Hex[] = [TRANSFER_TOPIC, `0x${addressWord(from)}`, `0x${addressWord(to)}`];
  return { address: token, topics, data: ONE, logIndex: 0 };
}

/** Any log: proofs by transfers do not depend on it. */
const LOG: Log = { address: TRADER, topics: [], data: "0x", logIndex: 0 };

function evidenceOf(logs: readonly Log[]): Evidence {
  const transfers = logs.map(decodeTransfer).filter((transfer) => transfer?.kind === "erc20");
  return { transaction: {} as Evidence["transaction"], transfers };
}

const proof = (address: Hex, family: PoolFamily, logs: Log[]) =>
  FAMILIES[family].proof?.fromTransaction(address, LOG, evidenceOf(logs), ethereum);

describe("the pool that transfers prove", () => {
  it("proves a pair by the two tokens that it moved, in either order", () => {
    const logs = [transfer(WETH, V2_POOL, TRADER), transfer(USDC, TRADER, V2_POOL)];
    expect(proof(V2_POOL, "uniswap-v2", logs)).toMatchObject({
      protocol: "uniswap_v2",
      token0: USDC,
      token1: WETH,
      fee: 3000,
      createdBlock: null,
    });
  });

  it("finds the fee of a V3 pool", () => {
    const logs = [transfer(USDC, V3_POOL, TRADER), transfer(WETH, TRADER, V3_POOL)];
    expect(proof(V3_POOL, "uniswap-v3", logs)).toMatchObject({ protocol: "uniswap_v3", fee: 500 });
  });

  it("ignores the pair's own shares and an unrelated token", () => {
    const logs = [
      transfer(V2_POOL, TRADER, V2_POOL),
      transfer("0x0000000000000000000000000000000000000bad", TRADER, V2_POOL),
      transfer(USDC, V2_POOL, TRADER),
      transfer(WETH, V2_POOL, TRADER),
    ];
    expect(proof(V2_POOL, "uniswap-v2", logs)).toMatchObject({ token0: USDC, token1: WETH });
  });

  it.each<[string, PoolFamily, Hex, Log[]]>([
    ["transfers of others", "uniswap-v2", V2_POOL, [transfer(USDC, TRADER, V3_POOL)]],
    ["one token", "uniswap-v2", V2_POOL, [transfer(USDC, TRADER, V2_POOL)]],
    [
      "another family",
      "uniswap-v3",
      V2_POOL,
      [transfer(USDC, TRADER, V2_POOL), transfer(WETH, V2_POOL, TRADER)],
    ],
    [
      "another address",
      "uniswap-v2",
      TRADER,
      [transfer(USDC, V2_POOL, TRADER), transfer(WETH, TRADER, V2_POOL)],
    ],
  ])("proves nothing by %s", (_, family, address, logs) => {
    expect(proof(address, family, logs)).toBeNull();
  });
});

describe("decodeBlock on an unknown pool", () => {
  const sync: Log = {
    address: V2_POOL,
    topics: ["0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1"],
    data: `0x${ONE.slice(2)}${ONE.slice(2)}`,
    logIndex: 0,
  };
  const moves = [transfer(USDC, TRADER, V2_POOL), transfer(WETH, V2_POOL, TRADER)];
  const decode = (transactions: Log[][], pools: Map<Hex, Pool | null>) => {
    const block = { transactions: transactions.map((logs, i) => ({ hash: `0x${i}`, logs })) };
    return decodeBlocks([block as unknown as Block], pools, ethereum)
      .flatMap((decoded) => decoded.transactions)
      .map(({ events }) => events.filter(({ kind }) => kind === "sync").length);
  };

  it("decodes its events from the first transaction whose transfers prove it", () => {
    const pools = new Map<Hex, Pool | null>();
    expect(decode([[sync], [...moves, sync], [sync]], pools)).toEqual([0, 1, 1]);
    expect(pools.get(V2_POOL)?.protocol).toBe("uniswap_v2");
  });

  it("stops trying in a block full of contracts that no transfers prove", () => {
    const fakes = Array.from({ length: 1_024 }, (_, i): Log[] => {
      const address: Hex = `0x${i.toString(16).padStart(40, "0")}`;
      return [transfer(USDC, TRADER, address), transfer(WETH, address, TRADER), { ...sync, address }];
    });
    expect(decode([...fakes.slice(1), [...moves, sync]], new Map()).at(-1)).toBe(1);
    expect(decode([...fakes, [...moves, sync]], new Map()).at(-1)).toBe(0);
  });

  it("ignores a contract known not to be a pool", () => {
    expect(decode([[...moves, sync]], new Map([[V2_POOL, null]]))).toEqual([0]);
  });
});
