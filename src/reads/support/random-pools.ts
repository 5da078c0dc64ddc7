import { seeded } from "../../../test/support/seeded.ts";
import { type Hex, isHex } from "../../lib/hex.ts";
import { isLogged, isMarked } from "../../schema/pool-families.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import { SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import type { RowOf, Rows } from "../../schema/tables.ts";
import { commitTrades, ETH, hashOf, hexOf, type Market, openMarket, type Trade } from "./market.ts";
import {
  isVaultFamily,
  randomVaultLog,
  registration,
  VAULT_FACTORIES,
  type VaultFamily,
  type VaultLog,
} from "./vault-logs.ts";

/** Three days before the end of a month; the blocks are minutes to days apart. */
const START = 1_706_486_400;
const BLOCKS = 150;
/** The blocks of two batches; most blocks of the first batch are final. */
const BATCHES = [
  { from: 0, until: 120, finalized: 1110 },
  { from: 120, until: BLOCKS, finalized: null },
] as const;
const FIRST_BLOCK = 1000;
const UNIT = 10n ** 18n;
const SYNC: Hex = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";

const [TOKEN, RARE, ODD] = [hexOf(0xe1), hexOf(0xe2), hexOf(0xe3)] as const;
const COIN = ETH.wrappedNative;

export interface RandomPool {
  pool: Hex;
  family: "uniswap-v2" | "uniswap-v3" | "uniswap-v4" | "pancake-infinity-cl" | "curve-stable" | VaultFamily;
  tokens: readonly [Hex, Hex, ...Hex[]];
  /** Index of the block of its creation; null if it was created before the first block. */
  born: number | null;
  /** Index of the block of its first log. */
  active: number;
}

/**
 * Pools of several families, created in one of the blocks or earlier, and one whose token has no decimals.
 */
export const POOLS: readonly RandomPool[] = [
  { pool: hexOf(0xb1), family: "uniswap-v2", tokens: [COIN, TOKEN], born: 20, active: 25 },
  { pool: hexOf(0xb2), family: "uniswap-v2", tokens: [TOKEN, RARE], born: null, active: 40 },
  { pool: hexOf(0xb3), family: "uniswap-v3", tokens: [COIN, TOKEN], born: 5, active: 5 },
  { pool: hexOf(0xb4), family: "uniswap-v3", tokens: [COIN, RARE], born: null, active: 40 },
  { pool: hexOf(0xb5), family: "uniswap-v3", tokens: [COIN, ODD], born: 60, active: 90 },
  { pool: hexOf(0xb6, 32), family: "uniswap-v4", tokens: [COIN, TOKEN], born: 8, active: 8 },
  { pool: hexOf(0xb7, 32), family: "uniswap-v4", tokens: [TOKEN, RARE], born: 100, active: 100 },
  { pool: hexOf(0xb8, 32), family: "uniswap-v4", tokens: [COIN, RARE], born: null, active: 0 },
  { pool: hexOf(0xb9), family: "curve-stable", tokens: [COIN, TOKEN, RARE], born: 30, active: 35 },
  { pool: hexOf(0xba), family: "balancer-v2", tokens: [COIN, TOKEN, RARE], born: 12, active: 12 },
  { pool: hexOf(0xbc), family: "balancer-v2", tokens: [COIN, TOKEN], born: null, active: 0 },
  { pool: hexOf(0xbd, 32), family: "pancake-infinity-cl", tokens: [COIN, TOKEN], born: 40, active: 40 },
  { pool: hexOf(0xbe, 32), family: "pancake-infinity-cl", tokens: [COIN, TOKEN], born: 10, active: 10 },
  { pool: hexOf(0xbf), family: "balancer-v3", tokens: [COIN, TOKEN, RARE], born: 14, active: 14 },
  { pool: hexOf(0xc0), family: "balancer-v3", tokens: [COIN, TOKEN], born: null, active: 0 },
  { pool: hexOf(0xc1, 32), family: "ekubo", tokens: [COIN, TOKEN], born: 16, active: 16 },
  { pool: hexOf(0xc2, 32), family: "ekubo", tokens: [COIN, RARE], born: null, active: 0 },
  { pool: hexOf(0xc3, 32), family: "pancake-infinity-bin", tokens: [COIN, TOKEN], born: 18, active: 18 },
  { pool: hexOf(0xc4, 32), family: "pancake-infinity-bin", tokens: [COIN, RARE], born: null, active: 0 },
];

/** The factory of all pools except those in a Vault. */
const FACTORY = hexOf(0xfa);
/**
 * Indexes of blocks without the logs of the marked singleton. Changes of the older of its two pools are
 * missing.
 */
const UNLOGGED = new Set([15, 16, 30]);

/** Returns whether all changes of a pool's balances are stored. */
export function isKnown({ family, born }: RandomPool): boolean {
  return born !== null && !(isMarked(family) && born <= Math.max(...UNLOGGED));
}

export interface PoolMarket {
  market: Market;
  /** Times of the blocks. */
  times: readonly number[];
}

/** Opens a market with these pools, and with random trades and states that are the same in every run. */
export async function openPoolMarket(): Promise<PoolMarket> {
  const random = seeded(7);
  const times = [START];
  for (let index = 1; index < BLOCKS; index++)
    times.push((times.at(-1) ?? START) + 1 + Math.floor((random() < 0.1 ? 400_000 : 9_000) * random()));
  const market = await openMarket([], { summarized: true });
  for (const { from, until, finalized } of BATCHES) {
    const span = times.slice(from, until);
    const trades = span.flatMap((at, i) => tradesAt(at, from + i, random));
    const blocks = span.map((at, i) => blockRows({ index: from + i, at }, random));
    await commitTrades(market.store, trades, {
      ...{ firstBlock: FIRST_BLOCK + from, finalized, named: from === 0 ? [TOKEN, RARE, COIN] : [] },
      logged: (block) => (UNLOGGED.has(block - FIRST_BLOCK) ? "" : FACTORY),
      rows: { ...merged(blocks), pool_metadata: poolRows(times, from, until) },
    });
  }
  return { market, times };
}

/** Returns the trades of a block, at least one. RARE has prices in one block only, ODD never. */
function tradesAt(at: number, index: number, random: () => number): Trade[] {
  const priceOf = (token: Hex) => {
    if (token === ODD || random() < 0.2) return null;
    if (token === RARE) return index === 33 ? 7 : null;
    return (token === COIN ? 2000 : 3) * (1 + random());
  };
  const count = index === 33 ? 12 : 1 + Math.floor(2 * random());
  return Array.from({ length: count }, () => {
    const { pool, tokens } = POOLS[Math.floor(random() * POOLS.length)] ?? { tokens: [TOKEN] };
    const token = tokens[Math.floor(random() * tokens.length)] ?? TOKEN;
    return { token, at, price: priceOf(token), robust: priceOf(token), ...(pool && { pool }) };
  });
}

interface Place {
  index: number;
  /** Unix seconds. */
  at: number;
}

function blockRows(place: Place, random: () => number): Required<Pick<Rows, (typeof STATES)[number]>> {
  const active = POOLS.filter((one) => one.active <= place.index);
  const of = (family: RandomPool["family"]) => active.filter((one) => one.family === family);
  const some = <T>(rows: T[]) => rows.filter(() => random() < 0.4);
  const holders = active.filter(({ pool }) => isHex(pool, 20));
  return {
    logs: [
      ...some(of("uniswap-v2")).map((one, i) => syncRow(one, place, { ordinal: i, random })),
      ...active
        .flatMap((one) => vaultRows(one, place, random))
        .map((log, i) => ({ ...log, ...placeOf(place, 10 + i) })),
    ],
    token_balances: some(holders.flatMap(({ pool, tokens }) => tokens.map((token) => ({ pool, token })))).map(
      (held, i) => balanceRow(held, place, { ordinal: i, random }),
    ),
    singleton_logs: active
      .filter(({ family }) => isLogged(family))
      .flatMap((one) => singletonEvents(one, place, random))
      .map((event, i) => ({ ...event, ...placeOf(place, i) })),
  };
}

const STATES = ["logs", "token_balances", "singleton_logs"] as const;

function merged(blocks: Required<Pick<Rows, (typeof STATES)[number]>>[]): Rows {
  return {
    logs: blocks.flatMap(({ logs }) => logs),
    token_balances: blocks.flatMap(({ token_balances }) => token_balances),
    singleton_logs: blocks.flatMap(({ singleton_logs }) => singleton_logs),
  };
}

function placeOf({ index }: Place, ordinal: number) {
  const block_number = FIRST_BLOCK + index;
  return { block_number, record_index: recordIndexOf("wide", block_number, ordinal) };
}

function poolRows(times: readonly number[], from: number, until: number): RowOf<"pool_metadata">[] {
  const seen = POOLS.filter(({ born }) => (born ?? 0) >= from && (born ?? 0) < until);
  return seen.map(({ pool, family, tokens, born }, i) => {
    const [token_0_address, token_1_address] = tokens;
    const { block_number, record_index } = placeOf({ index: born ?? 0, at: 0 }, i);
    return {
      ...{ pool_address: pool, family, token_0_address, token_1_address, record_index, fee: 3000 },
      ...{
        token_addresses: tokens.join(","),
        underlying_token_addresses: "",
        hooks_address: null,
        hooks_flags: null,
        protocol: family.replace("-", "_"),
        factory_address: isVaultFamily(family) ? VAULT_FACTORIES[family] : FACTORY,
      },
      block_number_created: born === null ? null : block_number,
      timestamp_created: born === null ? null : (times[born] ?? null),
      first_seen_block_number: block_number,
    };
  });
}

interface Draw {
  ordinal: number;
  random: () => number;
}

const amount = (random: () => number) => BigInt(Math.floor(random() * 1e9)) * UNIT + 7n;

function syncRow({ pool }: RandomPool, place: Place, { ordinal, random }: Draw): RowOf<"logs"> {
  return {
    ...placeOf(place, ordinal),
    ...{ timestamp: place.at, address: pool, block_hash: hashOf(FIRST_BLOCK + place.index) },
    ...{ data: wordsOf([amount(random), amount(random)]), log_index: ordinal },
    ...{ topic_0: SYNC, topic_1: null, topic_2: null, topic_3: null },
    ...{ transaction_hash: hexOf(7, 32), transaction_index: 0 },
  };
}

/** Returns the logs of a pool in a Vault; none for other pools. */
function vaultRows(
  { pool, family, tokens, born }: RandomPool,
  { index, at }: Place,
  random: () => number,
): VaultLog[] {
  if (!isVaultFamily(family)) return [];
  const [place, one] = [
    { number: FIRST_BLOCK + index, at },
    { pool, family, tokens },
  ];
  const logs = born === index ? [registration(one, place)] : [];
  if (random() < 0.4) logs.push(randomVaultLog(one, place, (limit) => Math.floor(random() * limit)));
  return logs;
}

function balanceRow(
  { pool, token }: { pool: Hex; token: Hex },
  place: Place,
  { ordinal, random }: Draw,
): RowOf<"token_balances"> {
  return {
    ...placeOf(place, ordinal),
    ...{ wallet_address: pool, token_address: token, token_symbol: null, timestamp: place.at },
    ...{ balance_base: random() < 0.1 ? null : amount(random), balance_token: null },
  };
}

type SingletonEvent = Pick<RowOf<"singleton_logs">, "topic_0" | "topic_1" | "data">;

/**
 * Returns a pool's events in a block: an Initialize in its first block, and random swaps and position
 * changes.
 */
function singletonEvents(
  { pool, family, active }: RandomPool,
  { index }: Place,
  random: () => number,
): SingletonEvent[] {
  const [created, swapped] = isMarked(family)
    ? (["infinityInitialize", "infinitySwap"] as const)
    : (["initialize", "swap"] as const);
  const event = (name: keyof typeof SINGLETON_EVENTS, words: bigint[]) => ({
    ...{ topic_0: SINGLETON_EVENTS[name], topic_1: pool, data: wordsOf(words) },
  });
  const root = BigInt(Math.floor((0.5 + random()) * 2 ** 40)) << 56n;
  const events: SingletonEvent[] = [];
  if (index === active) events.push(event(created, [0n, 60n, 0n, root, 0n]));
  if (random() < 0.3) events.push(event(swapped, [1n, 2n, root, 3n, 4n, 5n]));
  if (random() < 0.3) {
    const lower = 60n * BigInt(Math.floor(random() * 200) - 100);
    const size = random() < 0.3 ? -UNIT : amount(random);
    events.push(event("modifyLiquidity", [lower, lower + 60n * BigInt(1 + (index % 9)), size, 0n]));
  }
  return events;
}

function wordsOf(values: readonly bigint[]): Hex {
  const words = values.map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, "0"));
  return `0x${words.join("")}`;
}
