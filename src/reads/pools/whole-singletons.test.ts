import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import { SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import type { RowOf } from "../../schema/tables.ts";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.ts";
import { commitTrades, hashOf, hexOf, type Market, openMarket } from "../support/market.ts";
import { poolRow } from "../support/metadata-rows.ts";
import { readPoolRows } from "./pool-state.ts";
import { readPoolTvls } from "./pool-tvl.ts";
import { wholeSingletons } from "./whole-singletons.ts";

const START = 1_704_412_800;
const FIRST_BLOCK = 1001;
const [TOKEN, COIN] = [hexOf(0xe1), hexOf(0xe2)];
const [CL, OTHER_CL] = [hexOf(0xfa), hexOf(0xfb)];

interface Born {
  pool: Hex;
  factory: Hex;
  created: number | null;
  family?: string;
}

const POOLS: Born[] = [
  { pool: hexOf(0xb1, 32), factory: CL, created: 1001 },
  { pool: hexOf(0xb2, 32), factory: CL, created: 1003 },
  { pool: hexOf(0xb3, 32), factory: CL, created: 1004 },
  { pool: hexOf(0xb4, 32), factory: CL, created: null },
  { pool: hexOf(0xb5, 32), factory: OTHER_CL, created: 1004 },
  { pool: hexOf(0xb6, 32), factory: hexOf(0xfc), created: 1001, family: "uniswap-v4" },
  { pool: hexOf(0xb7, 32), factory: hexOf(0xfd), created: 1004, family: "pancake-infinity-bin" },
];
const [OLD, UNLOGGED, NEW, , OTHER, V4] = POOLS.map(({ pool }) => pool);

const poolRows = (block: number) =>
  POOLS.filter(({ created }) => (created ?? 1001) === block).map(
    ({ pool, factory, created, family = "pancake-infinity-cl" }, i) =>
      poolRow(pool, [TOKEN, COIN], [block, i], {
        ...{ family, factory_address: factory, block_number_created: created },
        timestamp_created: created === null ? null : START + created,
      }),
  );

/** Returns the logs of a new pool with a price of 1 and a position of 10^18 from tick -60 to 60. */
function logsOf(pool: Hex, block: number): RowOf<"singleton_logs">[] {
  const log = (event: keyof typeof SINGLETON_EVENTS, words: bigint[], ordinal: number) => ({
    ...{ topic_1: pool, topic_0: SINGLETON_EVENTS[event], block_number: block },
    record_index: recordIndexOf("wide", block, ordinal),
    data: `0x${words.map((word) => BigInt.asUintN(256, word).toString(16).padStart(64, "0")).join("")}` as Hex,
  });
  const first = 10 * Number(BigInt(pool) % 16n);
  return [
    log("infinityInitialize", [0n, 500n, 0n, 2n ** 96n, 0n], first),
    log("modifyLiquidity", [-60n, 60n, 10n ** 18n, 0n], first + 1),
  ];
}

let market: Market;

/** Appends a block with the given `logged_singletons`, and the pools created in it with their logs. */
const append = (block: number, logged: string, fork = 0) =>
  commitTrades(market.store, [{ token: TOKEN, at: START + block, price: 2 }], {
    ...{ firstBlock: block, fork, logged: () => logged, named: block === FIRST_BLOCK ? [TOKEN, COIN] : [] },
    rows: {
      pool_metadata: poolRows(block),
      singleton_logs: POOLS.filter(({ created }) => created === block).flatMap(({ pool }) =>
        logsOf(pool, block),
      ),
    },
  });

function read<T>(run: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return readSnapshot({ engine: market.engine, chains: market.chains }, "eth", {}, run).then(
    ({ answer }) => answer,
  );
}

const whole = () =>
  read(async (snapshot) => {
    const rows = await readPoolRows(
      snapshot,
      POOLS.map(({ pool }) => pool),
    );
    return (await wholeSingletons(snapshot, rows)).sort();
  });

beforeAll(async () => {
  market = await openMarket([]);
  await append(1001, CL);
  await append(1002, `${CL},${OTHER_CL}`);
  await append(1003, OTHER_CL);
  await append(1004, `${CL},${OTHER_CL}`);
});

afterAll(() => market.close());

describe("the pools of singletons with all changes of liquidity", () => {
  it("are those created after the newest block that does not name their singleton", async () => {
    expect(await whole()).toEqual([NEW, OTHER, V4]);
  });

  it("have balances, the others do not", async () => {
    const tvls = await read((snapshot) =>
      readPoolTvls(
        snapshot,
        POOLS.map(({ pool }) => pool),
        "price_token_usd_tick_1",
        START + 1004,
      ),
    );
    const balances = POOLS.map(({ pool }) => tvls.get(pool)?.sides[0].balance);
    const held = 0.00299535495591078;
    expect(balances).toEqual([null, null, held, null, held, held, null]);
    expect([OLD, UNLOGGED].map((pool) => tvls.get(pool ?? "0x")?.tvlUsd)).toEqual([null, null]);
  });

  it("change with the blocks: none is left after one without logs, until a rollback removes it", async () => {
    await append(1005, "");
    expect(await whole()).toEqual([V4]);
    await market.store.rollback({ number: 1004, hash: hashOf(1004), timestamp: START + 1004 });
    expect(await whole()).toEqual([NEW, OTHER, V4]);
    await append(1005, `${CL},${OTHER_CL}`, 1);
    expect(await whole()).toEqual([NEW, OTHER, V4]);
  });
});
