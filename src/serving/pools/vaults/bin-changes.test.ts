import fc from "fast-check";
import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../../lib/hex.ts";
import { BIN_EVENTS } from "../../../schema/events/bin-events.ts";
import { vaultPoolOf } from "../../../schema/events/vault-events.ts";
import type { RowOf } from "../../../schema/tables.ts";
import { type PoolState, withLogOfVault } from "../pool-state.ts";
import { protocolFeeOf } from "./bin-changes.ts";
import { poolAmounts, type VaultBalances, withVaultLog } from "./vault-balances.ts";

const MANAGER: Hex = "0xc697d2898e0d09264376196696c51d7abbbaa4a9";
const ID: Hex = `0x${"ab".repeat(32)}`;
const [A, B] = ["0a", "0b"].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex];
const POOL = { pool: ID, family: "pancake-infinity-bin", tokens: [A, B] };
const ACTIVE = 8_388_608;

/** The events as in IBinPoolManager.sol. */
const ABI = parseAbi([
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks, uint24 fee, bytes32 parameters, uint24 activeId)",
  "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 activeId, uint24 fee, uint16 protocolFee)",
  "event Mint(bytes32 indexed id, address indexed sender, uint256[] ids, bytes32 salt, bytes32[] amounts, bytes32 compositionFeeAmount, bytes32 feeAmountToProtocol)",
  "event Burn(bytes32 indexed id, address indexed sender, uint256[] ids, bytes32 salt, bytes32[] amounts)",
  "event Donate(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 binId)",
]);

const packed = (amount0: bigint, amount1: bigint): Hex =>
  `0x${((amount1 << 128n) | amount0).toString(16).padStart(64, "0")}`;

function logOf(name: keyof typeof BIN_EVENTS, data: Hex) {
  return { topic_0: BIN_EVENTS[name], topic_1: ID, topic_2: null, topic_3: null, data };
}

function swap(amount0: bigint, amount1: bigint, fee: number, protocolFee: number) {
  const types = parseAbiParameters("int128, int128, uint24, uint24, uint16");
  return logOf("swap", encodeAbiParameters(types, [amount0, amount1, ACTIVE, fee, protocolFee]));
}

function minted(amounts: Hex[], fee: Hex, protocolFee: Hex) {
  const types = parseAbiParameters("uint256[], bytes32, bytes32[], bytes32, bytes32");
  const ids = amounts.map((_, i) => BigInt(ACTIVE + i));
  return logOf("minted", encodeAbiParameters(types, [ids, packed(0n, 7n), amounts, fee, protocolFee]));
}

function burned(amounts: Hex[]) {
  const types = parseAbiParameters("uint256[], bytes32, bytes32[]");
  const ids = amounts.map((_, i) => BigInt(ACTIVE + i));
  return logOf("burned", encodeAbiParameters(types, [ids, packed(0n, 0n), amounts]));
}

function donated(amount0: bigint, amount1: bigint) {
  const types = parseAbiParameters("int128, int128, uint24");
  return logOf("donated", encodeAbiParameters(types, [amount0, amount1, ACTIVE]));
}

function balancesAfter(...logs: ReturnType<typeof logOf>[]) {
  let known: VaultBalances = { emitters: [MANAGER], byToken: new Map() };
  for (const log of logs) known = withVaultLog(known, log);
  return poolAmounts(POOL, known.byToken);
}

describe("the changes that the logs of the BinPoolManager report", () => {
  const deposit = minted(
    [packed(1_000_000n, 0n), packed(500n, 300n), packed(0n, 2_000_000n)],
    packed(9n, 0n),
    packed(4n, 0n),
  );

  it("have the topics of the contract's events", () => {
    const names = {
      initialized: "Initialize",
      minted: "Mint",
      burned: "Burn",
      swap: "Swap",
      donated: "Donate",
    } as const;
    for (const [name, eventName] of Object.entries(names) as [keyof typeof names, "Mint"][])
      expect(encodeEventTopics({ abi: ABI, eventName })[0]).toBe(BIN_EVENTS[name]);
  });

  it("are the amounts of all bins of a deposit or withdrawal, whose fees are no changes", () => {
    expect(balancesAfter(deposit)).toEqual([1_000_500n, 2_000_300n]);
    expect(balancesAfter(deposit, burned([packed(1n, 2n), packed(10n, 20n)]))).toEqual([
      1_000_489n,
      2_000_278n,
    ]);
    const most = 2n ** 128n - 1n;
    expect(balancesAfter(minted([packed(most, 1n)], packed(0n, 0n), packed(0n, 0n)))).toEqual([most, 1n]);
  });

  it("are a donation, whose amounts the event gives as the donor's changes", () => {
    expect(balancesAfter(deposit, donated(-7n, 0n))).toEqual([1_000_507n, 2_000_300n]);
    expect(balancesAfter(deposit, donated(0n, -8n))).toEqual([1_000_500n, 2_000_308n]);
  });

  it("are what a swap pays minus the protocol's fee, and what it receives", () => {
    expect(balancesAfter(deposit, swap(-1000n, 900n, 3000, 0))).toEqual([1_001_500n, 1_999_400n]);
    // Of 100,001 with a fee of 0.4 %, 401 are the fee, of which a quarter, 100, is for the protocol.
    expect(balancesAfter(deposit, swap(-100_001n, 900n, 4000, 1000))).toEqual([1_100_401n, 1_999_400n]);
    expect(balancesAfter(deposit, swap(900n, -100_001n, 4000, 1000))).toEqual([999_600n, 2_100_201n]);
    // A pool whose only fee is the protocol's: 1 of 1 unit.
    expect(balancesAfter(deposit, swap(-1n, 0n, 4000, 4000))).toEqual([1_000_500n, 2_000_300n]);
    expect(balancesAfter(deposit, swap(0n, 0n, 0, 0))).toEqual([1_000_500n, 2_000_300n]);
  });

  it("are zero rather than below it in an empty pool, because rounded fees are estimates", () => {
    expect(balancesAfter(deposit, burned([packed(1_000_502n, 2_000_299n)]))).toEqual([0n, 1n]);
  });

  it("are unknown if a log cannot be read", () => {
    const list: string[] = deposit.data.slice(2).match(/.{64}/g) ?? [];
    const changedAt = (index: number, value: number): Hex =>
      `0x${list.with(index, value.toString(16).padStart(64, "0")).join("")}`;
    const broken = [
      ...[0, 2, 5, 9].map((index) => logOf("minted", changedAt(index, 31))),
      ...[logOf("minted", `${deposit.data}00`), logOf("minted", `${deposit.data}${"0".repeat(64)}`)],
      ...[logOf("burned", deposit.data), logOf("burned", "0x"), logOf("donated", packed(1n, 2n))],
      ...[swap(-5n, 5n, 1000, 1001), swap(-5n, 5n, 1_000_001, 0), logOf("swap", packed(1n, 1n))],
    ];
    for (const log of broken) expect([log, balancesAfter(deposit, log)]).toEqual([log, undefined]);
  });

  it("are only those of the manager, not those of another contract with the same logs", () => {
    const inVault: VaultBalances = { emitters: [MANAGER], byToken: new Map() };
    const state = { ...POOL, inVault } as unknown as PoolState;
    const logBy = (address: Hex) => ({ ...deposit, address }) as unknown as RowOf<"logs">;
    expect(withLogOfVault(state, logBy(A))).toBe(state);
    const known = withLogOfVault(state, logBy(MANAGER)).inVault?.byToken ?? new Map();
    expect(poolAmounts(POOL, known)).toEqual([1_000_500n, 2_000_300n]);
    const unknown = { ...state, inVault: undefined };
    expect(withLogOfVault(unknown, logBy(MANAGER))).toBe(unknown);
  });

  it("are those of the pool in the first topic", () => {
    expect(vaultPoolOf(deposit)).toBe(ID);
    expect(vaultPoolOf({ ...deposit, topic_1: null })).toBeNull();
  });

  it("are separate for a pool whose tokens are the native coin and its wrapped token", () => {
    const known = withVaultLog({ emitters: [MANAGER], byToken: new Map() }, deposit);
    expect(poolAmounts({ ...POOL, tokens: [A, A] }, known.byToken)).toEqual([1_000_500n, 2_000_300n]);
    expect(poolAmounts({ ...POOL, tokens: [A, null] }, known.byToken)).toBeUndefined();
  });
});

describe("the protocol's fee on a swap", () => {
  const millionth = 1_000_000n;
  const up = (a: bigint, b: bigint) => (a + b - 1n) / b;
  /** A fee and the protocol's part of it: ProtocolFeeLibrary.calculateSwapFee. */
  const fees = fc
    .tuple(fc.bigInt(0n, 4000n), fc.bigInt(0n, 100_000n))
    .map(([protocol, own]) => ({ protocol, fee: protocol + own - (protocol * own) / millionth }));

  it("is the manager's in one bin, whether the swap gives the amount with the fee or without it", () => {
    fc.assert(
      fc.property(fees, fc.bigInt(1n, 2n ** 120n), ({ fee, protocol }, without) => {
        // FeeHelper.getFeeAmount, of an amount without the fee
        const whole = up(without * fee, millionth - fee);
        const part = fee === 0n ? 0n : (whole * protocol) / fee;
        expect(protocolFeeOf(without + whole, fee, protocol)).toBe(part);
      }),
    );
  });

  it("differs from the sum over the bins by at most one unit for each bin after the first", () => {
    const bins = fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fees, bins, ({ fee, protocol }, paid) => {
        const inBins = paid.map((amount) =>
          fee === 0n ? 0n : (up(amount * fee, millionth) * protocol) / fee,
        );
        const total = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
        const difference = protocolFeeOf(total(paid), fee, protocol) - total(inBins);
        expect(difference <= paid.length - 1 && -difference <= paid.length - 1).toBe(true);
      }),
    );
  });
});
