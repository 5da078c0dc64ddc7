import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXCERPT } from "../../../../test/support/nodes/bundles.ts";
import { decodeBlocks } from "../../../../test/support/nodes/decoded-blocks.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressWord } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { HASHES_PER_PROOF, poolOfSwap } from "../../pools/key-proof.ts";

const CORE_V2: Hex = "0xe0e0e08a6a4b9dc7bd67bcb7aade5cf48157d444";
const CORE_V3: Hex = "0x00000000000014aa86c5d3c41765bb24e11bd701";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const CREATED: Hex = "0x5e4688b340694b7c7fd30047fd082117dc46e32acfbf81a44bb1fac0ae65154d";
/** No extension, a fee of 0.0005 % (encoded as a fraction of 2^64), and tick spacing 50. */
const CONFIG = "0000000000000000000000000000000000000000000053e2d6238da300000032";
const ID: Hex = "0xca5b3ef9770bb95940bd4e0bff5ead70a5973d904a8b370b52147820e61a2ff6";
const ZERO: Hex = `0x${"0".repeat(40)}`;

/** A transaction of block 22,434,160 of Ethereum, in which a router swaps 100 USDT for USDC. */
const real: Transaction[] = [JSON.parse(readFileSync(join(EXCERPT, "ekubo/transaction.json"), "utf8"))];

const blockOf = (...transactions: Transaction[]) => ({ number: 9, timestamp: 90, transactions }) as Block;
const emittedBy = (address: Hex, transaction: Transaction): Transaction => ({
  ...transaction,
  hash: `${transaction.hash}${address.slice(-2)}`,
  logs: transaction.logs.map((log) => (log.topics.length === 0 ? { ...log, address } : log)),
});

function decode(transactions: readonly Transaction[], pools = new Map<Hex, Pool | null>()) {
  const [decoded] = decodeBlocks([blockOf(...transactions)], pools, ethereum);
  const events = decoded?.transactions.flatMap((one) => one.events) ?? [];
  return {
    swaps: events.filter((event): event is Swap => event.kind === "swap"),
    leftOut: [...(decoded?.leftOut ?? [])],
  };
}

const keyOf = (token0: Hex, token1: Hex, config: string) =>
  addressWord(token0) + addressWord(token1) + config;

function initialized(core: Hex, key: string, id = keccak(`0x${key}`)): Log {
  const data: Hex = `${id}${key}${"0".repeat(128)}`;
  return { address: core, topics: [CREATED], data, logIndex: 3 };
}

describe("Ekubo", () => {
  it("reads a real anonymous swap, in a pool whose key its transaction proves, as its transfers say", () => {
    const { swaps } = decode(real);
    expect(swaps).toMatchObject([
      {
        pool: { address: ID, protocol: "ekubo_v2", factory: CORE_V2, fee: 5 },
        ...{ token0: USDC, token1: USDT, amount0: -100_006_976n, amount1: 100_000_000n },
      },
    ]);
    const transfers = real.flatMap(({ logs }) => logs.filter(({ topics }) => topics.length === 3));
    const amounts = transfers.map(({ address, data }) => [address, BigInt(data)]);
    for (const { token0, token1, amount0, amount1 } of swaps) {
      expect(amounts).toContainEqual([token0, -amount0]);
      expect(amounts).toContainEqual([token1, amount1]);
    }
  });

  it("reads nothing of the same log from another contract or of another length", () => {
    expect(decode(real.map((one) => emittedBy(ZERO, one)))).toEqual({ swaps: [], leftOut: [] });
    const longer = real.map((transaction) => ({
      ...transaction,
      logs: transaction.logs.map((log) => ({ ...log, data: `${log.data}00` as Hex })),
    }));
    expect(decode(longer)).toEqual({ swaps: [], leftOut: [] });
  });

  it("accepts a created pool whose id is the hash of its key, only from a listed Core", () => {
    const key = keyOf(ZERO, USDC, CONFIG);
    const pool = createdPool(initialized(CORE_V3, key), ethereum, { number: 9, timestamp: 90 }, []);
    expect(pool).toMatchObject({ protocol: "ekubo_v3", token0: ethereum.wrappedNative, token1: USDC });
    expect(createdPool(initialized(CORE_V3, key, ID), ethereum, null, [])).toBeNull();
    expect(createdPool(initialized(USDT, key), ethereum, null, [])).toBeNull();
  });

  it("gives each swap the Core that emitted it, if both Cores have a pool with the same id", () => {
    const inV3 = real.map((one) => emittedBy(CORE_V3, one));
    const { swaps, leftOut } = decode([...inV3, ...real]);
    expect(swaps.map(({ pool }) => [pool.address, pool.protocol, pool.factory])).toEqual([
      [ID, "ekubo_v3", CORE_V3],
      [ID, "ekubo_v2", CORE_V2],
    ]);
    expect(leftOut).toEqual([]);
  });

  it("keeps a known pool when the other Core announces one with the same id", () => {
    const created = (core: Hex): Transaction => ({
      ...(real[0] as Transaction),
      hash: `0xc0${core.slice(-2)}`,
      logs: [initialized(core, keyOf(USDC, USDT, CONFIG))],
    });
    const inV3 = real.map((one) => ({ ...emittedBy(CORE_V3, one), input: "0x" as const }));
    const inV2 = real.map((one) => ({ ...one, input: "0x" as const }));
    for (const cores of [
      [CORE_V2, CORE_V3],
      [CORE_V3, CORE_V2],
    ] as const) {
      const pools = new Map<Hex, Pool | null>();
      decode(cores.map(created), pools);
      const [first] = cores;
      expect(pools.get(ID)).toMatchObject({ factory: first, createdBlock: 9 });
      const { swaps } = decode([...inV3, ...inV2], pools);
      expect(swaps.map(({ pool }) => pool.protocol)).toEqual(["ekubo_v3", "ekubo_v2"]);
      expect(swaps.map(({ pool }) => pool.createdBlock)).toEqual(first === CORE_V3 ? [9, null] : [null, 9]);
    }
  });
});

describe("a swap that an extension of Ekubo made", () => {
  const EXTENSION: Hex = "0x5555ff9ff2757500bf4ee020dcfd0210cffa41be";
  const [fromBefore] = decode(real).swaps.map(({ pool }) => pool);
  const known = (hooks: Hex | null) =>
    new Map<Hex, Pool | null>([[ID, fromBefore ? { ...fromBefore, hooks } : null]]);
  const events = real.flatMap(({ logs }) => logs.filter(({ topics }) => topics.length === 0));
  const byExtension = events.map((log) => ({ ...log, data: `${EXTENSION}${log.data.slice(42)}` as Hex }));
  const moved = (token: Hex, [from, to]: [Hex, Hex], value: bigint): Log => ({
    address: token,
    topics: [TRANSFER, `0x${addressWord(from)}`, `0x${addressWord(to)}`],
    data: `0x${value.toString(16).padStart(64, "0")}`,
    logIndex: 1,
  });
  const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const ROUTER: Hex = `0x${"e".repeat(40)}`;
  const paid = (value = 100_000_000n) => moved(USDT, [ROUTER, CORE_V2], value);
  const got = (value = 100_006_976n) => moved(USDC, [CORE_V2, ROUTER], value);
  const swapsOf = (logs: Log[], hooks: Hex | null = EXTENSION) =>
    decode([{ ...(real[0] as Transaction), logs }], known(hooks)).swaps.map(
      ({ amount0, amount1, amountsUnknown }) => [amount0, amount1, amountsUnknown],
    );

  it("has the amounts of transfers that show one fee, which no log reports", () => {
    expect(swapsOf([paid(), ...byExtension, got(99_000_000n)])).toEqual([[-99_000_000n, 100_000_000n, null]]);
    expect(swapsOf([paid(101_000_000n), ...byExtension, got()])).toEqual([
      [-100_006_976n, 101_000_000n, null],
    ]);
    expect(swapsOf([paid(), ...byExtension, got()])).toEqual([[-100_006_976n, 100_000_000n, null]]);
  });

  it.each<[string, Log[]]>([
    ["no transfers", byExtension],
    ["one side only, as with the native coin", [paid(), ...byExtension]],
    ["more received than the pool gave", [paid(), ...byExtension, got(100_006_977n)]],
    ["two changed amounts", [paid(101_000_000n), ...byExtension, got(99_000_000n)]],
    ["two transfers of a token", [paid(), ...byExtension, got(99_000_000n), got(1n)]],
    ["a transfer against the swap", [got(), ...byExtension, moved(USDT, [CORE_V2, ROUTER], 100_000_000n)]],
  ])("has no amounts if there are %s", (_, logs) => {
    expect(swapsOf(logs)).toEqual([[-1n, 1n, "hook_may_change_amounts"]]);
  });

  it("has no amounts if the transaction has another swap", () => {
    const unknown = [-1n, 1n, "hook_may_change_amounts"];
    expect(swapsOf([paid(), ...byExtension, ...byExtension, got()])).toEqual([unknown, unknown]);
  });

  it("has the event's amounts if another locker made it", () => {
    const exact = [[-100_006_976n, 100_000_000n, null]];
    expect(swapsOf(events)).toEqual(exact);
    for (const hooks of [ZERO, null]) expect(swapsOf(byExtension, hooks)).toEqual(exact);
  });

  it("is in a pool whose key names the extension", () => {
    const key = keyOf(USDC, USDT, `${EXTENSION.slice(2)}${CONFIG.slice(40)}`);
    expect(createdPool(initialized(CORE_V3, key), ethereum, null, [])).toMatchObject({ hooks: EXTENSION });
    const plain = keyOf(USDC, USDT, CONFIG);
    expect(createdPool(initialized(CORE_V3, plain), ethereum, null, [])).toMatchObject({ hooks: ZERO });
  });
});

describe("keys of Ekubo's pools", () => {
  const extension = "5555ff9ff2757500bf4ee020dcfd0210cffa41be";
  const [log] = real.flatMap(({ logs }) => logs.filter(({ topics }) => topics.length === 0));
  const prove = (config: string, input: Hex, id = keccak(`0x${keyOf(USDC, USDT, config)}`)) => {
    const transaction = { input, logs: [] } as unknown as Transaction;
    const transfers = [USDC, USDT].map((token) => ({ ...TRANSFER, token }));
    const swap = { id, family: "ekubo" as const, log: log as Log, transaction, transfers };
    return poolOfSwap(swap, ethereum, HASHES_PER_PROOF);
  };
  const TRANSFER = { kind: "erc20" as const, logIndex: 1, from: ZERO, to: CORE_V2, value: 1n };

  it.each([
    ["ticks", CONFIG],
    ["ticks and an extension, of version 3", `${extension}00c49ba5e353f7ce80001760`],
    ["an amplification", `${"0".repeat(40)}000346dc5d6388651affffff`],
    ["no ticks, and an extension", `${extension}${"0".repeat(24)}`],
  ])("are found with %s: as words, and packed after a token", (_, config) => {
    const words = prove(config, `0x12345678${keyOf(USDC, USDT, config)}`);
    expect(words.pool?.address).toBe(keccak(`0x${keyOf(USDC, USDT, config)}`));
    expect(words.hashes).toBe(1);
    const packed = prove(config, `0x12345678${"7".repeat(62)}${USDT.slice(2)}${config}01`);
    expect(packed.pool?.tokens).toEqual([USDC, USDT]);
    expect(packed.hashes).toBeLessThan(64);
  });

  it("are not looked for beyond the limit, whatever the calldata is", () => {
    const noise = Array.from({ length: 3_000 }, (_, i) => CONFIG.replace("32", `${(i % 89) + 10}`)).join("");
    expect(prove(CONFIG, `0x${noise}`, ZERO)).toMatchObject({ pool: null });
    const many = Array.from(
      { length: 2_000 },
      (_, i) => `${CONFIG.slice(0, 56)}${(i + 1).toString(16).padStart(8, "0")}`,
    );
    expect(prove(CONFIG, `0x12345678${many.join("")}`, ZERO).hashes).toBeLessThanOrEqual(HASHES_PER_PROOF);
  });
});
