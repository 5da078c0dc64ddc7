import { encodeAbiParameters, type Hex as ViemHex } from "viem";
import { describe, expect, it } from "vitest";
import { decodeBlocks } from "../../../../test/support/nodes/decoded-blocks.ts";
import { NATIVE_COIN } from "../../../chains/chain.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressWord, uintWord } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { transferLog } from "../../support/published-logs.ts";

const DEX_LITE: Hex = "0xbbcb91440523216e2b87052a99f69c604a7b6e00";
const SWAPPED: Hex = "0xfbce846c23a724e6e61161894819ec46c90a8d3dd96e90e7342c6ef49ffb539c";
const INITIALIZED: Hex = "0x0f3c8652ed6961216fd2437ded3dd9abbdf4661d9c3e37fad5e62e335d99f682";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const DAI: Hex = "0x6b175474e89094c44da98b954eedeac495271d0f";
const TRADER: Hex = "0x7264a62ae2f2bbe5fe003f29108afb3c3da0bc16";
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const NO_SALT = "0".repeat(64);
const SALT = "5".repeat(64);

/** Decimals of a pool's tokens. */
type Decimals = [number, number];
const SIX: Decimals = [6, 6];
/** DAI has 18 decimals and USDC has 6. */
const MIXED: Decimals = [18, 6];

const keyOf = (token0: Hex, token1: Hex, salt = NO_SALT) => addressWord(token0) + addressWord(token1) + salt;
const idOf = (key: string): Hex => `0x${keccak(`0x${key}`).slice(2, 18).padEnd(64, "0")}`;

/** Returns the packed event of a swap. Its amounts have nine decimals. */
function swapLog(
  key: string,
  isToken0In: boolean,
  [amountIn, amountOut]: [bigint, bigint],
  [decimals0, decimals1]: Decimals,
  logIndex = 9,
): Log {
  const id = BigInt(`0x${idOf(key).slice(2, 18)}`);
  const swap = id | ((isToken0In ? 1n : 0n) << 64n) | (amountIn << 65n) | (amountOut << 125n);
  const variables = (7n << 136n) | (BigInt(decimals1) << 131n) | (BigInt(decimals0) << 126n) | 5n;
  const data = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [swap, variables]);
  return { address: DEX_LITE, topics: [SWAPPED], data, logIndex };
}

function decode(logs: Log[], { input = "0x" as ViemHex, known = new Map<Hex, Pool | null>() } = {}) {
  const transaction = { hash: "0x01", input, logs } as unknown as Transaction;
  const [decoded] = decodeBlocks(
    [{ number: 9, timestamp: 90, transactions: [transaction] } as Block],
    known,
    ethereum,
  );
  const events = decoded?.transactions.flatMap((one) => one.events) ?? [];
  return {
    swaps: events.filter((event): event is Swap => event.kind === "swap"),
    leftOut: [...(decoded?.leftOut ?? [])],
  };
}

// No recorded block has a swap of DexLite, so the tests build logs like those of the contract.
describe("Fluid DexLite", () => {
  const stable = keyOf(USDC, USDT);
  const moves = (paid: bigint, received: bigint): Log[] => [
    transferLog(USDC, DEX_LITE, TRADER, received, 1),
    transferLog(USDT, TRADER, DEX_LITE, paid, 2),
  ];
  // The contract rounds its payment down. It pays 999.801234 USDC for an amount of 999.801234567.
  const swap = swapLog(stable, false, [1_000_000_000_000n, 999_801_234_567n], SIX);

  it("reads a swap in a pool whose id begins the hash of its key, as the transfers say", () => {
    const { swaps } = decode([...moves(1_000_000_000n, 999_801_234n), swap]);
    expect(swaps).toMatchObject([
      {
        pool: { address: idOf(stable), protocol: "fluid_dex_lite", factory: DEX_LITE, fee: null },
        ...{ token0: USDC, token1: USDT, amount0: -999_801_234n, amount1: 1_000_000_000n },
        amountsUnknown: null,
      },
    ]);
  });

  it("finds a key with a salt in the calldata", () => {
    const salted = keyOf(USDC, USDT, SALT);
    const logs = [
      ...moves(1_000_000_000n, 999_801_234n),
      swapLog(salted, true, [10n ** 12n, 10n ** 12n], SIX),
    ];
    expect(decode(logs)).toEqual({ swaps: [], leftOut: [[idOf(salted), 1]] });
    const { swaps } = decode(logs, { input: `0x7fc9d4ad${salted}${uintWord(1)}` });
    expect(swaps).toMatchObject([{ amount0: 10n ** 9n, amount1: -(10n ** 9n) }]);
  });

  it("takes the digits that the event has lost from the only transfer that rounds to it", () => {
    const key = keyOf(DAI, USDC);
    // The trader pays 1000 DAI plus some units of 10^-18, and receives 999.5 USDC.
    const paid = 1_000n * 10n ** 18n + 123_456_789n;
    const log = swapLog(key, true, [1_000n * 10n ** 9n, 999_500_000_000n], MIXED);
    const received = transferLog(USDC, DEX_LITE, TRADER, 999_500_000n, 1);
    const pay = (value: bigint, index = 2) => transferLog(DAI, TRADER, DEX_LITE, value, index);
    expect(decode([received, pay(paid), log]).swaps).toMatchObject([
      { token0: DAI, token1: USDC, amount0: paid, amount1: -999_500_000n, amountsUnknown: null },
    ]);
    const unknown = [{ amount0: 1n, amount1: -1n, amountsUnknown: "event_is_inexact" }];
    const known = { input: `0x7fc9d4ad${key}` as const };
    for (const transfers of [
      [],
      [pay(paid + 10n ** 9n)],
      [pay(paid), pay(paid + 1n, 3)],
      [transferLog(DAI, DEX_LITE, TRADER, paid, 2)],
      [transferLog(DAI, TRADER, FAKE, paid, 2)],
    ]) {
      expect(decode([received, ...transfers, log], known).swaps).toMatchObject(unknown);
    }
  });

  it("counts the native coin as its wrapped token, without amounts: it moves without transfers", () => {
    const key = keyOf(USDC, NATIVE_COIN);
    const log = swapLog(key, false, [10n ** 9n, 3_000n * 10n ** 9n], [6, 18]);
    const { swaps } = decode([transferLog(USDC, DEX_LITE, TRADER, 3_000_000_000n, 1), log]);
    expect(swaps).toMatchObject([
      {
        ...{ token0: USDC, token1: ethereum.wrappedNative, amount0: -1n, amount1: 1n },
        amountsUnknown: "event_is_inexact",
      },
    ]);
  });

  it("makes no swap of the same log from another contract, or of a pool whose key is unknown", () => {
    const logs = moves(1_000_000_000n, 999_801_234n);
    expect(decode([...logs, { ...swap, address: FAKE }])).toEqual({ swaps: [], leftOut: [] });
    const foreign = swapLog(keyOf(FAKE, USDT), false, [10n ** 12n, 10n ** 12n], SIX);
    expect(decode([...logs, foreign])).toEqual({ swaps: [], leftOut: [[idOf(keyOf(FAKE, USDT)), 1]] });
  });

  it("accepts a created pool whose id begins its key's hash, only from DexLite", () => {
    const created = (address: Hex, id = idOf(stable)): Log => ({
      ...{ address, topics: [INITIALIZED], logIndex: 1 },
      data: `0x${stable}${id.slice(2)}${uintWord(1).repeat(2)}${stable}${uintWord(1).repeat(14)}`,
    });
    const block = { number: 9, timestamp: 90 };
    const pool = createdPool(created(DEX_LITE), ethereum, block, []);
    expect(pool).toMatchObject({ address: idOf(stable), token0: USDC, token1: USDT, createdBlock: 9 });
    expect(createdPool(created(DEX_LITE, idOf(keyOf(DAI, USDC))), ethereum, block, [])).toBeNull();
    expect(createdPool(created(FAKE), ethereum, block, [])).toBeNull();
    const known = new Map(pool && [[pool.address, pool]]);
    expect(decode([swap], { known }).swaps).toMatchObject([{ amount0: -999_801_234n }]);
  });
});
