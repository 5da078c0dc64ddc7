import { afterAll, beforeAll, expect, it } from "vitest";
import { seeded } from "../../../../test/support/seeded.ts";
import type { Hex } from "../../../lib/hex.ts";
import { isSingleton } from "../../../schema/pool-families.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import {
  poolAmounts,
  type VaultBalances,
  withVaultLog,
} from "../../../serving/pools/vaults/vault-balances.ts";
import { readSnapshot } from "../../snapshot/snapshot.ts";
import { commitTrades, ETH, hexOf, type Market, openMarket } from "../../support/market.ts";
import {
  randomVaultLog,
  registration,
  VAULT_FACTORIES,
  type VaultFamily,
  type VaultLog,
} from "../../support/vault-logs.ts";
import { readVaultBalances, wholeVaultPools } from "./vault-pools.ts";

const START = 1_704_412_800;
const BLOCK = 1001;
const TOKENS = [hexOf(0xe1), hexOf(0xe2)] as const;
const PLACE = { number: BLOCK, at: START };
const FAMILIES = Object.keys(VAULT_FACTORIES) as VaultFamily[];
/** Pools of each family. Few enough logs each that most of the pools have no log that cannot be read. */
const POOLS_PER_FAMILY = 40;
const LOGS_PER_POOL = 15;

const random = seeded(21);
const below = (limit: number) => Math.floor(random() * limit);

const POOLS = FAMILIES.flatMap((family, i) =>
  Array.from({ length: POOLS_PER_FAMILY }, (_, n) => ({
    ...{ pool: hexOf(0x1000 * (i + 1) + n, isSingleton(family) ? 32 : 20), family, tokens: TOKENS },
    ...{ token0: TOKENS[0], token1: TOKENS[1], underlying: [], factory: VAULT_FACTORIES[family] },
    ...{ createdBlock: BLOCK, createdAt: START },
  })),
);
const LOGS = new Map<Hex, VaultLog[]>(
  POOLS.map((one) => {
    const logs = Array.from({ length: LOGS_PER_POOL }, () => randomVaultLog(one, PLACE, below));
    return [one.pool, [registration(one, PLACE), ...logs]];
  }),
);

let market: Market;

beforeAll(async () => {
  market = await openMarket([]);
  const logs = [...LOGS.values()]
    .flat()
    .map((log, i) => ({ ...log, record_index: recordIndexOf("wide", BLOCK, i) }));
  await commitTrades(market.store, [{ token: TOKENS[0], at: START, price: 1 }], {
    ...{ firstBlock: BLOCK, rows: { logs } },
  });
});

afterAll(() => market.close());

it.each(FAMILIES)("are the same from the store and in memory, after random logs of %s", async (family) => {
  const pools = wholeVaultPools(
    POOLS.filter((one) => one.family === family),
    ETH,
  );
  expect(pools.length).toBe(POOLS_PER_FAMILY);
  const reader = { engine: market.engine, chains: market.chains };
  const { answer } = await readSnapshot(reader, "eth", {}, (snapshot) =>
    readVaultBalances(snapshot, pools, BLOCK),
  );
  const inMemory = (pool: Hex) => {
    const none: VaultBalances = { emitters: [], byToken: new Map() };
    return (LOGS.get(pool) ?? []).reduce((known, log) => withVaultLog(known, log), none).byToken;
  };
  const known = pools.filter((one) => {
    const amounts = poolAmounts(one, inMemory(one.pool));
    expect([one.pool, poolAmounts(one, answer.get(one.pool)?.byToken ?? new Map())]).toEqual([
      one.pool,
      amounts,
    ]);
    return amounts !== undefined;
  });
  expect(known.length).toBeGreaterThan(POOLS_PER_FAMILY / 5);
  expect(known.length).toBeLessThan(POOLS_PER_FAMILY);
});
