import { afterAll, beforeAll, expect, it } from "vitest";
import { MEMORY_INVARIANT } from "../../src/doctor/invariants/store/answers-in-memory.ts";
import type { Sql } from "../../src/engine-sql/sql-text.ts";
import { checkFollowing } from "../../src/reads/served/check-following.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import type { Commit, Engine } from "../../src/storage/store.ts";
import { openFreshEngine } from "../support/engine/fresh-engine.ts";
import { Random } from "./random.ts";
import { ETH, RandomChain } from "./random-chain.ts";

const STEPS = 12;
const CHAIN = { ...ETH, name: "checked" };

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

const check = () => checkFollowing({ engine }, CHAIN, {});

it("finds no difference on a chain with reorgs, which it follows from an earlier commit", async () => {
  const store = await openChainStore(engine, CHAIN.name, { checkpointBlocks: 8 });
  expect(await check()).toBe(null);
  const blocks = new RandomChain(store, new Random(3));
  const commits: Commit[] = [];
  for (let step = 0; step < STEPS; step++) commits.push(await blocks.step());
  const followed = await check();
  expect(followed?.mismatches).toEqual([]);
  const start = commits.findIndex(({ sequence }) => sequence === followed?.start.sequence);
  const later = commits.slice(start + 1);
  const isRollback = ({ blockNumber }: Commit, i: number) => blockNumber < (later[i - 1]?.blockNumber ?? 0);
  expect([later.length > 2, later.some(isRollback)]).toEqual([true, true]);
});

const NEWEST_TRADE = "record_index = (SELECT max(record_index) FROM checked_dex_trades)";

it.each([
  {
    damage: "a price of the summary seems newer than all trades",
    statement: `INSERT INTO checked_price_extremes SELECT * REPLACE (price * 2 AS price,
      bitShiftLeft(toUInt128(1), 120) AS rank) FROM checked_price_extremes WHERE extreme = 'closed'`,
    example: /^tick prices: the data in memory for 0x[0-9a-f]{40}, followed from block \d+, differs/,
  },
  {
    damage: "a trade has another value",
    statement: `ALTER TABLE checked_dex_trades UPDATE amount_usd = 1 WHERE ${NEWEST_TRADE} SETTINGS mutations_sync = 1`,
    example: /^wallets: the data in memory for 0x[0-9a-f]{40}, followed from block \d+, differs/,
  },
  {
    damage: "a trade is lost",
    statement: `ALTER TABLE checked_dex_trades DELETE WHERE ${NEWEST_TRADE} SETTINGS mutations_sync = 1`,
    example: /^rows that contradict each other cannot be read into memory$/,
  },
])("the doctor reports that memory differs from the store when $damage", async ({ statement, example }) => {
  await engine.execute(statement as Sql);
  const commit = (await chainCommits(engine, CHAIN.name).committed()) as Commit;
  const damage = await MEMORY_INVARIANT.find({ engine, chain: CHAIN, commit });
  expect(damage.map((found) => found.example)).toContainEqual(expect.stringMatching(example));
});
