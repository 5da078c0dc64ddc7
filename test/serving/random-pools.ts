import { type Hex, isHex } from "../../src/lib/hex.ts";
import { hashOf, hexOf } from "../../src/reads/support/market.ts";
import {
  isVaultFamily,
  randomVaultLog,
  registration,
  VAULT_FACTORIES,
  type VaultFamily,
} from "../../src/reads/support/vault-logs.ts";
import { SYNC_TOPIC } from "../../src/schema/events/sync-event.ts";
import { isLogged, isMarked, isSingleton } from "../../src/schema/pool-families.ts";
import { recordIndexOf } from "../../src/schema/record-index.ts";
import { SINGLETON_EVENTS } from "../../src/schema/singleton-events.ts";
import type { RowOf, Rows } from "../../src/schema/tables.ts";
import { Random } from "./random.ts";

export const TOKENS = Array.from({ length: 12 }, (_, i) => hexOf(0xa00 + i));

const FAMILIES = ["uniswap-v2", "uniswap-v3", "uniswap-v4", "curve-stable"] as const;

/** Families of some pools, by the number of the pool. */
const OTHERS: Record<number, VaultFamily | "pancake-infinity-cl"> = {
  ...{ 10: "balancer-v2", 11: "balancer-v2", 12: "pancake-infinity-cl", 13: "pancake-infinity-cl" },
  ...{ 14: "balancer-v3", 15: "balancer-v3", 16: "ekubo", 17: "ekubo" },
  ...{ 18: "pancake-infinity-bin", 19: "pancake-infinity-bin" },
};

export interface RandomPool {
  pool: Hex;
  family: (typeof FAMILIES)[number] | VaultFamily | "pancake-infinity-cl";
  tokens: readonly [Hex, Hex, ...Hex[]];
  /** Underlying tokens, which the pool's trades may have instead of its own. */
  underlying: readonly Hex[];
  /**
   * True if the pool was created before the first block, so that it has rows before it is known as a pool.
   */
  isOld: boolean;
}

/** The factory of all pools except the pools of the vault families. */
export const FACTORY = hexOf(0xfa);

/** Pools of each family. Together they contain all tokens but the last. */
export const RANDOM_POOLS: readonly RandomPool[] = Array.from({ length: 20 }, (_, i) => {
  const family = OTHERS[i] ?? FAMILIES[i % 4] ?? "uniswap-v2";
  const more = TOKENS.slice(i + 2, i + 4);
  return {
    pool: hexOf(0xb1 + i, isSingleton(family) ? 32 : 20),
    family,
    tokens: [
      TOKENS[i % 10] ?? "0x",
      TOKENS[(i % 10) + 1] ?? "0x",
      ...(family === "curve-stable" ? more.slice(0, 1) : []),
    ],
    underlying: family === "curve-stable" ? more.slice(1) : [],
    isOld: (i > 5 && i !== 10 && i < 12) || [15, 17, 19].includes(i),
  };
});

export interface BlockPlace {
  number: number;
  /** Time of the block, in Unix seconds. */
  at: number;
}

const UNIT = 10n ** 18n;
const amount = (random: Random) => BigInt(random.below(1e9)) * UNIT + BigInt(random.below(1e9));

/** Makes the rows of pools in random blocks: their creation, reserves, balances and liquidity. */
export class RandomPools {
  readonly #random: Random;
  /** Separate sequences for the pools in the Vaults, so that the draws for other pools do not depend on them. */
  readonly #vaultRandom = {
    ...{ "balancer-v2": new Random(11), "balancer-v3": new Random(13) },
    ...{ ekubo: new Random(14), "pancake-infinity-bin": new Random(15) },
  };
  /** A separate sequence for the pools of Infinity. */
  readonly #infinityRandom = new Random(12);
  /** The block in which each pool became known. */
  readonly #known = new Map<Hex, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  rollbackTo(block: number): void {
    for (const [pool, known] of this.#known) if (known > block) this.#known.delete(pool);
  }

  rowsOf(blocks: readonly BlockPlace[]): Rows {
    const created = blocks.flatMap((place) => this.#create(place));
    const events = blocks.flatMap((place) =>
      RANDOM_POOLS.filter((one) => this.#hasRows(one, place)).map((one) => ({ one, place })),
    );
    const contracts = events.filter(({ one }) => !isLogged(one.family));
    const singletons = events.filter(({ one }) => isLogged(one.family));
    return {
      pool_metadata: numbered(created),
      logs: numbered(contracts.flatMap(({ one, place }) => this.#contractLogs(one, place))),
      token_balances: numbered(contracts.flatMap(({ one, place }) => this.#balances(one, place))),
      singleton_logs: numbered(singletons.flatMap(({ one, place }) => this.#singletonLogs(one, place))),
    };
  }

  #hasRows({ pool, family, isOld }: RandomPool, { number }: BlockPlace): boolean {
    const isRegistered = isVaultFamily(family) && this.#known.get(pool) === number;
    return (
      (isRegistered || this.#randomOf(family).below(3) === 0) &&
      (isOld || (this.#known.get(pool) ?? Infinity) <= number)
    );
  }

  #create({ number, at }: BlockPlace): Unnumbered<"pool_metadata">[] {
    const born = RANDOM_POOLS.filter(
      ({ pool, family }) => !this.#known.has(pool) && this.#randomOf(family).below(12) === 0,
    );
    return born.map(({ pool, family, tokens, underlying, isOld }) => {
      const [token_0_address, token_1_address] = tokens;
      this.#known.set(pool, number);
      return {
        ...{ pool_address: pool, family, token_0_address, token_1_address, fee: 3000, protocol: "some" },
        ...{
          token_addresses: tokens.join(","),
          underlying_token_addresses: underlying.join(","),
          hooks_address: null,
          hooks_flags: null,
          factory_address: isVaultFamily(family) ? VAULT_FACTORIES[family] : FACTORY,
          first_seen_block_number: number,
        },
        ...{ block_number_created: isOld ? null : number, timestamp_created: isOld ? null : at },
      };
    });
  }

  #randomOf(family: RandomPool["family"]): Random {
    if (family === "pancake-infinity-cl") return this.#infinityRandom;
    return isVaultFamily(family) ? this.#vaultRandom[family] : this.#random;
  }

  #contractLogs(one: RandomPool, place: BlockPlace): Unnumbered<"logs">[] {
    const { pool, family, tokens, isOld } = one;
    if (!isVaultFamily(family)) return this.#logs(one, place);
    const isNew = !isOld && this.#known.get(pool) === place.number;
    const inVault = { pool, family, tokens };
    const log = randomVaultLog(inVault, place, (limit) => this.#vaultRandom[family].below(limit));
    return isNew ? [registration(inVault, place), log] : [log];
  }

  /** Returns a Sync log, a log of another event, a log of another length, or none. */
  #logs({ pool }: RandomPool, { number, at }: BlockPlace): Unnumbered<"logs">[] {
    const kind = this.#random.below(4);
    if (kind === 0) return [];
    const words = [amount(this.#random), amount(this.#random), ...(kind === 1 ? [1n] : [])];
    return [
      {
        ...{ block_number: number, timestamp: at, address: pool, block_hash: hashOf(number) },
        ...{ data: wordsOf(words), topic_0: kind === 2 ? hexOf(1, 32) : SYNC_TOPIC, log_index: 0 },
        ...{ topic_1: null, topic_2: null, topic_3: null },
        ...{ transaction_hash: hexOf(7, 32), transaction_index: 0 },
      },
    ];
  }

  /** Returns the pool's balance of one of its tokens, and of another token. */
  #balances(
    { pool, family, tokens }: RandomPool,
    { number, at }: BlockPlace,
  ): Unnumbered<"token_balances">[] {
    if (!isHex(pool, 20)) return [];
    const random = this.#randomOf(family);
    return [random.pick(tokens), hexOf(0xee)].map((token) => ({
      ...{ wallet_address: pool, token_address: token, token_symbol: null, balance_token: null },
      ...{ balance_base: random.below(8) === 0 ? null : amount(random) },
      ...{ block_number: number, timestamp: at },
    }));
  }

  #singletonLogs(
    { pool, family, isOld }: RandomPool,
    { number }: BlockPlace,
  ): Unnumbered<"singleton_logs">[] {
    const random = this.#randomOf(family);
    const [created, swapped] = isMarked(family)
      ? (["infinityInitialize", "infinitySwap"] as const)
      : (["initialize", "swap"] as const);
    const event = (name: keyof typeof SINGLETON_EVENTS, words: bigint[]) => ({
      ...{ topic_1: pool, topic_0: SINGLETON_EVENTS[name], block_number: number, data: wordsOf(words) },
    });
    const root = BigInt(2 ** 39 + random.below(2 ** 40)) << 56n;
    const lower = 60n * BigInt(random.below(20) - 10);
    const size = (random.below(3) === 0 ? -1n : 1n) * BigInt(1 + random.below(5)) * UNIT;
    const isNew = !isOld && this.#known.get(pool) === number;
    return [
      ...(isNew || random.below(9) === 0 ? [event(created, [0n, 60n, 0n, root, 0n])] : []),
      ...(random.below(2) === 0 ? [event(swapped, [1n, -2n, root + 5n, 3n, 4n, 5n])] : []),
      ...(random.below(2) === 0
        ? [event("modifyLiquidity", [lower, lower + 60n * BigInt(1 + random.below(9)), size, 0n])]
        : []),
    ];
  }
}

type Unnumbered<N extends keyof Rows> = Omit<RowOf<N>, "record_index">;

/** Returns the rows with record indexes, which number them within their blocks. */
function numbered<R extends { block_number: number } | { first_seen_block_number: number }>(
  rows: readonly R[],
): (R & { record_index: number })[] {
  const counts = new Map<number, number>();
  return rows.map((row) => {
    const block = "block_number" in row ? row.block_number : row.first_seen_block_number;
    const ordinal = counts.get(block) ?? 0;
    counts.set(block, ordinal + 1);
    return { ...row, record_index: recordIndexOf("wide", block, ordinal) };
  });
}

function wordsOf(values: readonly bigint[]): Hex {
  const words = values.map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, "0"));
  return `0x${words.join("")}`;
}
