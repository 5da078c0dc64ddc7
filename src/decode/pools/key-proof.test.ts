import { describe, expect, it } from "vitest";
import { bundlePath, readBundleJson } from "../../../test/support/nodes/bundles.ts";
import { decodeBlocks } from "../../../test/support/nodes/decoded-blocks.ts";
import { recordedBlocks } from "../../../test/support/nodes/recording.ts";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import { SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import type { Erc20Transfer } from "../../schema/swap.ts";
import { addressWord, uintWord } from "../abi/abi.ts";
import { keccak } from "../abi/keccak.ts";
import { ID, MANAGER, POOL, SWAP, USDC, ZERO } from "../support/v4-logs.ts";
import { decodeTransfer } from "../transfers/transfers.ts";
import { HASHES_PER_PROOF, poolOfSwap } from "./key-proof.ts";

const TOKEN: Hex = `0x${"7a".repeat(20)}`;
const ROUTER: Hex = `0x${"66".repeat(20)}`;
const HOOKS: Hex = `0x${"5c".repeat(19)}80`;
const DYNAMIC_FEE = 0x800000;

interface Key {
  currency0?: Hex;
  currency1?: Hex;
  fee?: number;
  tickSpacing?: number;
  hooks?: Hex;
}

/** Returns the ABI words of a key. The default is the key of Ethereum's pool of ether and USDC. */
const wordsOf = ({ currency0 = ZERO, currency1 = USDC, fee = 500, tickSpacing = 10, hooks = ZERO }: Key) => [
  ...[addressWord(currency0), addressWord(currency1)],
  ...[uintWord(fee), uintWord(tickSpacing), addressWord(hooks)],
];
const idOf = (key: Key) => keccak(`0x${wordsOf(key).join("")}`);
const digits = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, "0");

const transfer = (token: Hex, value = 300n): Erc20Transfer => ({
  ...{ kind: "erc20", logIndex: 1, token, from: MANAGER, to: ROUTER, value },
});

interface Made {
  calldata?: string;
  transfers?: Erc20Transfer[];
  emitters?: Hex[];
  /** Fee in the event. */
  fee?: number;
}

function swapOf(key: Key, { calldata = "", transfers = [], emitters = [], fee = key.fee ?? 500 }: Made) {
  const log: Log = { ...SWAP, data: `0x${SWAP.data.slice(2, -6)}${digits(fee, 3)}` };
  const logs = emitters.map((address) => ({ address, topics: [], data: "0x", logIndex: 0 }));
  const transaction = { hash: "0x01", input: `0x12345678${calldata}`, logs } as unknown as Transaction;
  return { id: idOf(key), family: "uniswap-v4" as const, log, transaction, transfers };
}

const prove = (key: Key, made: Made) => poolOfSwap(swapOf(key, made), ethereum, HASHES_PER_PROOF);

const KEYS = Object.entries(readBundleJson<Record<Hex, Hex>>(bundlePath("eth-covalent"), "v4keys.json"));
const swapsIn = (block: Block) =>
  block.transactions.flatMap((transaction) =>
    transaction.logs
      .filter(({ address, topics }) => address === MANAGER && topics[0] === SINGLETON_EVENTS.swap)
      .map((log) => ({ transaction, log })),
  );

describe("poolOfSwap", () => {
  it.each([
    ["with its calldata", (input: Hex) => input],
    ["without calldata, if its key is usual", (): Hex => "0x"],
  ])("finds the key of every real pool from a swap %s", (_, inputOf) => {
    const proven = new Set<string>();
    for (const { transaction, log } of recordedBlocks(bundlePath("eth-covalent")).flatMap(swapsIn)) {
      const transfers = transaction.logs.map(decodeTransfer).filter((found) => found?.kind === "erc20");
      const [, id = "0x"] = log.topics;
      const given = { ...transaction, input: inputOf(transaction.input) };
      const swap = { id, family: "uniswap-v4" as const, log, transaction: given, transfers };
      const { pool, hashes } = poolOfSwap(swap, ethereum, HASHES_PER_PROOF);
      expect(hashes).toBeLessThan(32);
      expect(pool?.address).toBe(id);
      proven.add(id);
    }
    expect(proven.size).toBeGreaterThan(0);
    expect([...proven].sort()).toEqual(KEYS.map(([id]) => id).sort());
  });

  it("finds a usual key from the token that moved, and the native coin", () => {
    expect(idOf({})).toBe(ID);
    expect(prove({}, { transfers: [transfer(USDC)] }).pool).toEqual(POOL);
    expect(prove({}, { transfers: [] }).pool).toBeNull();
  });

  const odd = { currency1: TOKEN, fee: 777, tickSpacing: 37, hooks: HOOKS };

  it.each<[string, Key, Made]>([
    ["a whole key, with any fee in the event", odd, { calldata: wordsOf(odd).join(""), fee: 800 }],
    [
      "a whole key in calldata inside calldata",
      odd,
      { calldata: ["a".repeat(64), "9abcdef0", ...wordsOf(odd)].join("") },
    ],
    [
      "one currency, fee, tick spacing and hooks (PathKey)",
      { ...odd, currency0: TOKEN, currency1: USDC },
      { calldata: wordsOf(odd).slice(1).join(""), transfers: [transfer(USDC)] },
    ],
    [
      "a dynamic fee",
      { ...odd, fee: DYNAMIC_FEE },
      {
        calldata: wordsOf({ ...odd, fee: DYNAMIC_FEE })
          .slice(1)
          .join(""),
        fee: 12_345,
      },
    ],
    [
      "packed parts",
      odd,
      {
        calldata: `01${TOKEN.slice(2)}${digits(777, 3)}${digits(37, 3)}${HOOKS.slice(2)}02`,
      },
    ],
    [
      "packed parts without hooks",
      { ...odd, hooks: ZERO },
      { calldata: `${digits(777, 3)}${digits(37, 3)}${"9".repeat(40)}`, transfers: [transfer(TOKEN)] },
    ],
    [
      "addresses only",
      { currency0: USDC, currency1: ethereum.wrappedNative, fee: 3000, tickSpacing: 60 },
      { calldata: [USDC, ethereum.wrappedNative].map(addressWord).join("") },
    ],
  ])("finds a key of which calldata shows %s", (_, key, made) => {
    expect(prove(key, made).pool?.address).toBe(idOf(key));
  });

  it("finds hooks among the contracts that emit logs, with a static and with a dynamic fee", () => {
    const made = { transfers: [transfer(USDC)], emitters: [MANAGER, USDC, ROUTER, HOOKS] };
    expect(prove({ hooks: HOOKS }, made).pool).toMatchObject({ fee: 500 });
    expect(
      prove({ hooks: HOOKS, fee: DYNAMIC_FEE, tickSpacing: 60 }, { ...made, fee: 4321 }).pool,
    ).toMatchObject({
      fee: null,
    });
  });

  it("finds a usual fee to which the protocol's fee is added", () => {
    expect(prove({}, { transfers: [transfer(USDC)], fee: 625 }).pool?.address).toBe(ID);
  });

  it("tries the tokens that moved in the swap's amounts first", () => {
    const others = Array.from({ length: 40 }, (_, i) => transfer(`0x${digits(0xabc000 + i, 20)}`));
    const exact = transfer(USDC, BigInt(`0x${SWAP.data.slice(66, 130)}`));
    const { pool, hashes } = prove({}, { transfers: [...others, exact] });
    expect(pool?.address).toBe(ID);
    expect(hashes).toBe(1);
  });

  it("stops at the limit of hashes, whatever the calldata is", () => {
    const parts = Array.from({ length: 400 }, (_, i) =>
      wordsOf({ currency0: `0x${digits(2 ** 40 + i, 20)}`, currency1: TOKEN }),
    );
    const emitters = Array.from({ length: 100 }, (_, i): Hex => `0x${digits(2 ** 45 + i, 20)}`);
    const transfers = emitters.slice(50).map((token) => transfer(token));
    const made = { calldata: parts.flat().join(""), emitters, transfers };
    const { pool, hashes } = prove({ tickSpacing: 12_345 }, made);
    expect(pool).toBeNull();
    expect(hashes).toBeLessThanOrEqual(HASHES_PER_PROOF);
    expect(poolOfSwap(swapOf({ tickSpacing: 12_345 }, made), ethereum, 5).hashes).toBe(5);
    const zeros = prove({ tickSpacing: 12_345 }, { calldata: "0".repeat(500_000), fee: 0 });
    expect(zeros.hashes).toBeLessThan(HASHES_PER_PROOF);
  });
});

describe("decodeBlock on a swap in an unknown V4 pool", () => {
  const proving = { input: `0x12345678${wordsOf({}).join("")}`, logs: [SWAP] };
  const mute = { input: "0x", logs: [SWAP] };
  const decode = (transactions: object[], pools = new Map()) => {
    const block = { transactions: transactions.map((given, i) => ({ ...given, hash: `0x${i}` })) };
    const [decoded] = decodeBlocks([block as unknown as Block], pools, ethereum);
    return {
      swaps: decoded?.transactions.map(({ events }) => events.filter(({ kind }) => kind === "swap").length),
      leftOut: [...(decoded?.leftOut ?? [])],
    };
  };

  it("decodes swaps from the first transaction that proves the key, and counts those before it", () => {
    const pools = new Map();
    expect(decode([mute, mute, proving, mute], pools)).toEqual({ swaps: [0, 0, 1, 1], leftOut: [[ID, 2]] });
    expect(pools.get(ID)).toEqual(POOL);
  });

  it("stops trying in a block full of pools that nothing proves", () => {
    const odd = Array.from({ length: 60 }, (_, i) => ({
      input: `0x12345678${[1, 2, 3, 4, 5, 6].map((n) => addressWord(`0x${digits(2 ** 44 + 100 * i + n, 20)}`)).join("")}`,
      logs: [{ ...SWAP, topics: [SWAP.topics[0], idOf({ tickSpacing: 100 + i }), SWAP.topics[2]] }],
    }));
    expect(decode([...odd.slice(0, 3), proving]).swaps).toEqual([0, 0, 0, 1]);
    expect(decode([...odd, proving]).swaps?.at(-1)).toBe(0);
  });
});
