import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Chain } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/hex.ts";
import { SYNC_TOPIC, TRIDENT_SYNC_TOPIC } from "../../../schema/events/sync-event.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import type { RowOf } from "../../../schema/tables.ts";
import { Pools } from "../../../serving/pools/pools.ts";
import { readSnapshot, type Snapshot } from "../../snapshot/snapshot.ts";
import { commitTrades, ETH, hashOf, hexOf, type Market, openMarket } from "../../support/market.ts";
import { poolRow } from "../../support/metadata-rows.ts";
import { readPoolRows } from "../pool-state.ts";
import { readPoolTvls } from "../pool-tvl.ts";
import { readPoolTvlHistory } from "../pool-tvl-history.ts";
import { stableTridentPools } from "./trident-pools.ts";

const START = 1_704_412_800;
const [TOKEN, COIN] = [hexOf(0xe1), hexOf(0xe2)];
const [MASTER, STABLE_FACTORY, FACTORY, IMITATOR] = [hexOf(0xf1), hexOf(0xf2), hexOf(0xf3), hexOf(0xf4)];
const DEPLOY_POOL: Hex = "0xe469f9471ac1d98222517eb2cdff1ef4df5f7880269173bb782bb78e499d9de3";
/** Pools of stable and other factories, one that only an imitator announces, and one without an announcement. */
const [STABLE, PRODUCT, IMITATED, SILENT] = [hexOf(0xb1), hexOf(0xb2), hexOf(0xb3), hexOf(0xb4)];
const POOLS = [STABLE, PRODUCT, IMITATED, SILENT];

const CHAIN: Chain = {
  ...ETH,
  deployments: [
    {
      ...{ protocol: "sushiswap_trident", family: "trident", factory: MASTER, initCodeHash: null, fee: null },
      ...{ firstBlock: 0, stableFactories: [STABLE_FACTORY] },
    },
  ],
};

/**
 * The data of the Sync in the swap of the pool of USDC and USDT in block 107,353,722 of OP Mainnet: 32,081.03
 * USDC and 35,445.15 USDT.
 */
const REAL_SYNC: Hex =
  "0x00000000000000000000000000000000000000000000000000000007782db5d80000000000000000000000000000000000000000000000000000000840b223ea";
const REAL = [32_081_032_664n, 35_445_154_794n];

const wordOf = (address: Hex): Hex => `0x${address.slice(2).padStart(64, "0")}`;
const dataOf = (...values: bigint[]): Hex =>
  `0x${values.map((value) => value.toString(16).padStart(64, "0")).join("")}`;

type Some = Pick<RowOf<"logs">, "address" | "topic_0" | "data"> & Partial<RowOf<"logs">>;

function logsAt(block: number, logs: readonly Some[]): RowOf<"logs">[] {
  return logs.map((log, i) => ({
    ...{ block_number: block, timestamp: START + block, block_hash: hashOf(block), log_index: i },
    ...{
      record_index: recordIndexOf("wide", block, i),
      transaction_hash: hexOf(7, 32),
      transaction_index: 0,
    },
    ...{ topic_1: null, topic_2: null, topic_3: null },
    ...log,
  }));
}

const deployed = (address: Hex, factory: Hex, pool: Hex): Some => ({
  ...{ address, topic_0: DEPLOY_POOL, data: dataOf(32n, 96n, 1n, 2n, 3n) },
  ...{ topic_1: wordOf(factory), topic_2: wordOf(pool) },
});
const sync = (address: Hex, data = REAL_SYNC, topic_0 = TRIDENT_SYNC_TOPIC): Some => ({
  address,
  topic_0,
  data,
});

let market: Market;

const append = (block: number, logs: readonly Some[], fork = 0) =>
  commitTrades(market.store, [{ token: TOKEN, at: START + block, price: 2 }], {
    ...{ firstBlock: block, fork, named: block === 1001 ? [TOKEN, COIN] : [] },
    rows: {
      logs: logsAt(block, logs),
      pool_metadata:
        block > 1001
          ? []
          : POOLS.map((pool, i) =>
              poolRow(pool, [TOKEN, COIN], [block, i], {
                ...{ family: "trident", factory_address: MASTER, protocol: "sushiswap_trident" },
                ...{ block_number_created: block, timestamp_created: START + block },
              }),
            ),
    },
  });

function read<T>(run: (snapshot: Snapshot) => Promise<T>, chain = CHAIN): Promise<T> {
  const reader = { engine: market.engine, chains: [{ chain, store: market.store }] };
  return readSnapshot(reader, "eth", {}, run).then(({ answer }) => answer);
}

const PRICE = "price_token_usd_tick_1";

/** Returns the balances of the pools after a block, in tokens. */
async function balancesAt(block: number, chain = CHAIN) {
  const tvls = await read((snapshot) => readPoolTvls(snapshot, POOLS, PRICE, START + block), chain);
  return POOLS.map((pool) => tvls.get(pool)?.sides.map(({ balance }) => balance));
}

const UNKNOWN = [null, null];
const inTokens = (amounts: readonly bigint[]) => amounts.map((amount) => Number(amount) / 1e18);

beforeAll(async () => {
  market = await openMarket([]);
  await append(1001, [
    deployed(MASTER, STABLE_FACTORY, STABLE),
    deployed(MASTER, FACTORY, PRODUCT),
    deployed(IMITATOR, STABLE_FACTORY, IMITATED),
    sync(STABLE, dataOf(5n, 6n)),
  ]);
  await append(
    1002,
    POOLS.map((pool) => sync(pool)),
  );
  // A Sync of another length, one of Uniswap V2, and one of a contract that is not the pool.
  await append(1003, [
    sync(STABLE, dataOf(1n, 2n, 3n)),
    sync(STABLE, dataOf(3n, 4n), SYNC_TOPIC),
    sync(IMITATOR, dataOf(7n, 8n)),
  ]);
  await append(1004, [sync(STABLE, dataOf(10n ** 18n, 2n ** 130n))]);
});

afterAll(() => market.close());

describe("the reserves of Trident pools", () => {
  it("are amounts in the pools that the MasterDeployer created with a listed factory of stable pools", async () => {
    const stable = await read(async (snapshot) =>
      stableTridentPools(snapshot, await readPoolRows(snapshot, POOLS)),
    );
    expect(stable).toEqual([STABLE]);
    expect(await balancesAt(1001)).toEqual([inTokens([5n, 6n]), UNKNOWN, UNKNOWN, UNKNOWN]);
    expect(await balancesAt(1002)).toEqual([inTokens(REAL), UNKNOWN, UNKNOWN, UNKNOWN]);
    expect(await balancesAt(1003)).toEqual(await balancesAt(1002));
    expect((await balancesAt(1004))[0]).toEqual(inTokens([10n ** 18n, 2n ** 130n]));
  });

  it("are unknown on a chain that lists no factory of stable pools", async () => {
    const [{ stableFactories: _, ...deployment }] = CHAIN.deployments as [Chain["deployments"][number]];
    const balances = await balancesAt(1004, { ...CHAIN, deployments: [deployment] });
    expect(balances).toEqual(POOLS.map(() => UNKNOWN));
  });

  it("are the same over time", async () => {
    const query = { priceType: PRICE, intervalSeconds: 1, from: START + 1001, until: START + 1004 } as const;
    for (const [i, pool] of POOLS.entries()) {
      const history = await read((snapshot) =>
        readPoolTvlHistory(snapshot, { ...query, pool, maxSize: 10, order: "asc" }),
      );
      const expected = [1001, 1002, 1003, 1004].map(async (block) => (await balancesAt(block))[i]);
      const points = history?.points.map(({ sides }) => sides.map(({ balance }) => balance));
      expect(points).toEqual(await Promise.all(expected));
      const [last] =
        (
          await read((snapshot) =>
            readPoolTvlHistory(snapshot, { ...query, pool, from: START + 1003, maxSize: 1, order: "asc" }),
          )
        )?.points ?? [];
      expect(last?.sides.map(({ balance }) => balance)).toEqual((await balancesAt(1003))[i]);
    }
  });

  it("are those before a block that is rolled back", async () => {
    await market.store.rollback({ number: 1003, hash: hashOf(1003), timestamp: START + 1003 });
    expect((await balancesAt(1004))[0]).toEqual(inTokens(REAL));
    await append(1004, [sync(STABLE, dataOf(9n, 9n))], 1);
    expect((await balancesAt(1004))[0]).toEqual(inTokens([9n, 9n]));
  });

  it("are read again after each Sync, because memory does not know whether they are amounts", () => {
    const pools = new Pools(10 ** 6, []);
    const { cache } = pools;
    const fill = cache.startFill(POOLS);
    const state = { family: "trident", tokens: [TOKEN, COIN], underlying: [], held: [] };
    fill.complete(new Map(POOLS.map((pool) => [pool, state as never])), 1004);
    pools.extend({ logs: logsAt(1005, [sync(STABLE), sync(PRODUCT, dataOf(1n))]) });
    expect(cache.get(STABLE)).toBeUndefined();
    expect(cache.get(PRODUCT)).toBeDefined();
  });
});
