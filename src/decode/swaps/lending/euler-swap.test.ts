import { encodeAbiParameters, parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { cashOf } from "../../../chains/chain.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import { tradesOf } from "../../../pricing/trades/legs.ts";
import type { Log } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressWord, uintWord } from "../../abi/abi.ts";
import { confirmPools, judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { eventsOf, logOf, transferLog } from "../../support/published-logs.ts";
import { EVENTS, MANAGER, POOL as V4_POOL } from "../../support/v4-logs.ts";

const SWAP_V1 = parseAbiItem(
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, uint112 reserve0, uint112 reserve1, address indexed to)",
);
const SWAP_V2 = parseAbiItem(
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, uint256 fee0, uint256 fee1, uint112 reserve0, uint112 reserve1, address indexed to)",
);
const DEPLOYED = parseAbiItem(
  "event PoolDeployed(address indexed asset0, address indexed asset1, address indexed eulerAccount, address pool)",
);
const REGISTERED = parseAbiItem(
  "event PoolRegistered(address indexed asset0, address indexed asset1, address indexed eulerAccount, address pool, (address supplyVault0, address supplyVault1, address borrowVault0, address borrowVault1, address eulerAccount, address feeRecipient) sParams, uint256 validityBond)",
);
const FACTORY: Hex = "0xb013be1d0d380c13b58e889f412895970a2cf228";
const REGISTRY: Hex = "0x5fccb84363f020c0cade052c9c654aabf932814a";
/** A pool of version 1 on Ethereum. */
const POOL: Hex = "0x55dcf9455eee8fd3f5eed17606291272cde428a8";
const WETH: Hex = ethereum.wrappedNative;
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const VAULT: Hex = "0x313603fa690301b0caeef8069c065862f9162162";
const TRADER: Hex = "0x7264a62ae2f2bbe5fe003f29108afb3c3da0bc16";
const TREASURY: Hex = "0x00000000000000000000000000000000000feeee";
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const BLOCK = { number: 9, timestamp: 90 };

const deployed = (pool = POOL, factory = FACTORY) => logOf(factory, DEPLOYED, [WETH, USDT, TRADER, pool]);
const vaults = {
  ...{ supplyVault0: VAULT, supplyVault1: VAULT, borrowVault0: VAULT, borrowVault1: VAULT },
  ...{ eulerAccount: TRADER, feeRecipient: TREASURY },
};
const registered = (pool = POOL, registry = REGISTRY) =>
  logOf(registry, REGISTERED, [WETH, USDT, TRADER, pool, vaults, 1n]);
const poolOf = (log: Log): Pool => createdPool(log, ethereum, BLOCK, []) ?? expect.fail("no pool");
const swapsIn = (logs: readonly Log[], pools: readonly Pool[]): Swap[] => {
  const known = new Map(pools.map((pool) => [pool.address, pool]));
  return eventsOf(logs, ethereum, known).filter((event) => event.kind === "swap");
};

/**
 * Returns the transfers of a swap of 1,000 USDT for WETH. The protocol gets 1 USDT and the vault 999, of
 * which 2 are the owner's fee.
 */
const movesOf = (payer: Hex, receiver: Hex, pool = POOL, first = 1): Log[] => [
  transferLog(USDT, payer, pool, 1000n, first),
  transferLog(USDT, pool, TREASURY, 1n, first + 1),
  transferLog(USDT, pool, VAULT, 999n, first + 2),
  transferLog(WETH, VAULT, receiver, 50n, first + 3),
];
const swapV1 = (to: Hex, logIndex: number, pool = POOL) =>
  logOf(pool, SWAP_V1, [TRADER, 0n, 997n, 50n, 0n, 10n, 20n, to], logIndex);
const PAID = { token0: WETH, token1: USDT, amount0: -50n, amount1: 1000n, amountsUnknown: null };

/** A V4 pool that has the EulerSwap pool as its hook, and the event of a swap in it. */
const hooked: Pool = { ...V4_POOL, token0: WETH, token1: USDT, tokens: [WETH, USDT], hooks: POOL };
const v4Swap = (logIndex: number, amounts: [bigint, bigint] = [0n, 0n]) =>
  logOf(MANAGER, EVENTS[1], [hooked.address, TRADER, ...amounts, 1n << 96n, 0n, 0, 0], logIndex);

// No recorded block has a swap of EulerSwap, so the tests build logs like those of the contracts.
describe("EulerSwap, version 1", () => {
  const pool = poolOf(deployed());

  it("reads a swap with the amounts that the pool received, with its fees, and that it paid", () => {
    expect(swapsIn([...movesOf(TRADER, TRADER), swapV1(TRADER, 5)], [pool])).toEqual([
      { kind: "swap", logIndex: 5, pool, ...PAID },
    ]);
  });

  it("reads each of several swaps in a transaction", () => {
    const logs = [...movesOf(TRADER, TRADER), swapV1(TRADER, 5)];
    const more = [...movesOf(TRADER, TRADER, POOL, 6), swapV1(TRADER, 10)];
    expect(swapsIn([...logs, ...more], [pool])).toMatchObject([PAID, PAID]);
  });

  it("knows only the directions where the transfers do not show the fees", () => {
    const unknown = { amount0: -1n, amount1: 1n, amountsUnknown: "event_is_inexact" };
    expect(swapsIn([swapV1(TRADER, 5)], [pool])).toMatchObject([unknown]);
    const elsewhere = movesOf(TRADER, TRADER, FAKE);
    expect(swapsIn([...elsewhere, swapV1(TRADER, 5)], [pool])).toMatchObject([unknown]);
  });

  it("counts a swap through Uniswap V4 once, whichever event comes first", () => {
    const moves = movesOf(MANAGER, MANAGER);
    for (const logs of [
      [...moves, swapV1(MANAGER, 5), v4Swap(6)],
      [...moves, v4Swap(5), swapV1(MANAGER, 6)],
      [...moves, v4Swap(5, [-1000n, 50n]), swapV1(MANAGER, 6)],
    ]) {
      expect(swapsIn(logs, [pool, hooked])).toMatchObject([PAID]);
    }
  });

  it("is not a V4 trade, because V4 reports nothing, even if the instance is not known", () => {
    const swaps = swapsIn([...movesOf(MANAGER, MANAGER), swapV1(MANAGER, 5), v4Swap(6)], [hooked]);
    expect(swaps.map(({ pool: { family } }) => family)).toEqual(["uniswap-v4"]);
    expect(swaps.flatMap((swap) => tradesOf(swap, cashOf(ethereum)))).toEqual([]);
  });

  it("leaves a swap of V4 to V4 if its hook is not a pool", () => {
    const logs = [...movesOf(MANAGER, MANAGER), swapV1(MANAGER, 5), v4Swap(6, [-1000n, 50n])];
    const plain = { ...hooked, hooks: `0x${"b".repeat(36)}0080` as const };
    expect(swapsIn(logs, [plain])).toMatchObject([{ pool: plain, amount0: 1000n, amount1: -50n }]);
  });
});

describe("a V4 pool whose hook has the address of a pool that V4 does not call", () => {
  const swap = v4Swap(6, [-1000n, 50n]);
  const pair: Pool = { ...poolOf(deployed()), family: "uniswap-v2", protocol: "uniswap_v2" };

  it.each([
    ["a pair", [swap], pair],
    ["a pair with a swap in the transaction", [swapV1(TRADER, 5), swap], pair],
    ["an EulerSwap pool without a swap in the transaction", [swap], poolOf(deployed())],
  ])("has the same swaps, whether %s is known or not", (_, logs, pool) => {
    const inV4 = [{ pool: hooked, amount0: 1000n, amount1: -50n }];
    expect(swapsIn(logs, [hooked, pool])).toMatchObject(inV4);
    expect(swapsIn(logs, [hooked])).toMatchObject(inV4);
  });
});

describe("EulerSwap, version 2", () => {
  const pool = poolOf(registered());
  const swap = logOf(POOL, SWAP_V2, [TRADER, 0n, 997n, 50n, 0n, 0n, 3n, 10n, 20n, TRADER], 5);

  it("reads a swap with the fees that the event reports", () => {
    expect(pool).toMatchObject({ protocol: "eulerswap_v2", family: "euler-swap-v2", factory: REGISTRY });
    expect(swapsIn([swap], [pool])).toMatchObject([PAID]);
    const other = logOf(POOL, SWAP_V2, [TRADER, 50n, 0n, 0n, 900n, 1n, 0n, 10n, 20n, TRADER], 5);
    expect(swapsIn([other], [pool])).toMatchObject([{ amount0: 51n, amount1: -900n }]);
  });

  it("counts a swap through Uniswap V4 once", () => {
    for (const logs of [
      [swap, v4Swap(6)],
      [v4Swap(4), swap],
    ]) {
      expect(swapsIn(logs, [pool, hooked])).toMatchObject([PAID]);
    }
  });
});

describe("a pool of EulerSwap", () => {
  const logs = [...movesOf(TRADER, TRADER), swapV1(TRADER, 5)];
  const assets = `0x${addressWord(WETH)}${addressWord(USDT)}` as const;
  const list = (...pools: Hex[]) => encodeAbiParameters([{ type: "address[]" }], [pools]);

  it("is one that its factory or registry announces, and no other", () => {
    expect(poolOf(deployed())).toMatchObject({
      ...{ address: POOL, protocol: "eulerswap_v1", factory: FACTORY, token0: WETH, token1: USDT },
      ...{ fee: null, hooks: null, hookFlags: null, createdBlock: 9 },
    });
    for (const log of [deployed(POOL, FAKE), deployed(POOL, REGISTRY), registered(POOL, FACTORY)]) {
      expect(createdPool(log, ethereum, BLOCK, [])).toBeNull();
    }
    expect(swapsIn(logs, [])).toEqual([]);
    expect(swapsIn([deployed(POOL, FAKE), ...logs], [])).toEqual([]);
    expect(swapsIn([deployed(), ...logs], [])).toMatchObject([PAID]);
  });

  it.each([
    ["euler-swap-v1", FACTORY],
    ["euler-swap-v2", REGISTRY],
  ] as const)("of %s is one that is in the list of its tokens", (family, to) => {
    const candidate = { address: POOL, family };
    expect(poolCalls([candidate], ethereum)).toEqual([{ to: POOL, data: "0x67e4ac2c" }]);
    const { followUps } = judgePools([candidate], [assets], ethereum);
    const data = `0x4b4409cb${addressWord(WETH)}${addressWord(USDT)}`;
    expect(followUps.map(({ call }) => call)).toEqual([{ to, data }]);
    const confirmed = (answer: Hex | null) => confirmPools(followUps, [answer]).get(POOL);
    expect(confirmed(list(FAKE, POOL))).toMatchObject({ family, token0: WETH, token1: USDT });
    expect(confirmed(list(FAKE))).toBeNull();
    expect(confirmed(`0x${uintWord(1)}`)).toBeNull();
    expect(confirmed(null)).toBeNull();
    expect(judgePools([candidate], [null], ethereum).followUps).toEqual([]);
  });
});
