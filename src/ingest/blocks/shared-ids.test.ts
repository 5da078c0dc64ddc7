import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { checksums } from "../../../test/support/engine/table-checksums.ts";
import {
  contractAnswer,
  type FakeBlock,
  genesis,
  grow,
} from "../../../test/support/simulation/fake-chain.ts";
import type { Chain } from "../../chains/chain.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { addressWord } from "../../decode/abi/abi.ts";
import { keccak } from "../../decode/abi/keccak.ts";
import { checkChain } from "../../doctor/check/check-chain.ts";
import type { Sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import type { Source } from "../../sources/source.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { BlockPipeline } from "./block-pipeline.ts";

const CORE_V2: Hex = "0xe0e0e08a6a4b9dc7bd67bcb7aade5cf48157d444";
const CORE_V3: Hex = "0x00000000000014aa86c5d3c41765bb24e11bd701";
const INITIALIZED: Hex = "0x5e4688b340694b7c7fd30047fd082117dc46e32acfbf81a44bb1fac0ae65154d";
const TOKEN: Hex = "0x04c46e830bb56ce22735d5d8fc9cb90309317d0f";
const ZERO: Hex = `0x${"0".repeat(40)}`;
/** No extension, no ticks, and a fee of 0.05 %: a config that both versions accept. */
const CONFIG = `${"0".repeat(40)}0020c49ba5e353f700000000`;
const KEY = `${addressWord(ZERO)}${addressWord(TOKEN)}${CONFIG}`;
const ID = keccak(`0x${KEY}`);

type Event = Omit<Log, "logIndex">;
const signed128 = (value: bigint) => BigInt.asUintN(128, value).toString(16).padStart(32, "0");

function created(core: Hex): Event {
  return { address: core, topics: [INITIALIZED], data: `${ID}${KEY}${"0".repeat(128)}` };
}

function swapped(core: Hex): Event {
  const amounts = `${signed128(10n ** 18n)}${signed128(-5n * 10n ** 21n)}`;
  return {
    address: core,
    topics: [],
    data: `0x${"11".repeat(20)}${ID.slice(2)}${amounts}${"0".repeat(64)}`,
  };
}

/** Returns the blocks of a fake chain, with these events in place of their own. */
function blocksWith(events: readonly Event[][]): Block[] {
  const fakes: FakeBlock[] = grow([genesis()], 3 * events.length + 3);
  const full = fakes.map(({ block }) => block).filter((block) => block.transactions.length > 0);
  const used = new Map(full.slice(0, events.length).map(({ number }, i) => [number, events[i] ?? []]));
  const last = [...used.keys()].at(-1) ?? 0;
  return fakes.slice(0, last + 1).map(({ block }) => {
    const [first] = block.transactions;
    const logs = (used.get(block.number) ?? []).map((event, logIndex) => ({ ...event, logIndex }));
    return { ...block, transactions: first === undefined ? [] : [{ ...first, status: 1, logs }] };
  });
}

const source: Pick<Source, "call" | "pastLogs"> = {
  call: async (calls) => calls.map(contractAnswer),
  pastLogs: async () => null,
};

describe("pools of two Cores with the same id", () => {
  let engine: Engine;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ engine, close } = await openFreshEngine());
  });
  afterAll(() => close());

  /**
   * Indexes blocks in batches of `size`. If `again` is given, each batch except the first is prepared twice,
   * and `again` runs in between.
   */
  async function index(
    name: string,
    blocks: readonly Block[],
    size: number,
    again?: (pipeline: BlockPipeline, committed: Commit) => void,
  ): Promise<Chain> {
    const chain: Chain = { ...ethereum, name };
    const store = await openChainStore(engine, name);
    const pipeline = new BlockPipeline({ chain, engine, source });
    for (let first = 0; first < blocks.length; first += size) {
      const part = blocks.slice(first, first + size) as [Block, ...Block[]];
      const committed = await store.committed();
      let batch = await pipeline.prepare(part, committed);
      if (again !== undefined && committed !== null) {
        again(pipeline, committed);
        batch = await pipeline.prepare(part, committed);
      }
      await store.commit(batch);
    }
    return chain;
  }

  const rows = (text: string) => engine.query<Record<string, unknown>>(text as Sql);

  it.each([
    ["the other Core's creation comes later", [CORE_V3, CORE_V2], "ekubo_v3"],
    ["the other Core's creation comes first", [CORE_V2, CORE_V3], "ekubo_v2"],
  ] as const)(
    "have their own trades, and one row, if %s",
    async (_, [first, second], protocol) => {
      const name = `shared${first.slice(-1)}`;
      const blocks = blocksWith([
        [created(first)],
        [swapped(first)],
        [created(second)],
        [swapped(first), swapped(second)],
        [swapped(first)],
      ]);
      const chain = await index(name, blocks, blocks.length);
      const pools = await rows(`SELECT protocol, block_number_created AS at FROM ${name}_pool_metadata`);
      expect(pools).toEqual([{ protocol, at: blocks[0]?.number }]);
      const of = (core: Hex) => (core === CORE_V3 ? "ekubo_v3" : "ekubo_v2");
      const trades = await rows(
        `SELECT toString(protocol_name) AS protocol FROM ${name}_dex_trades ORDER BY record_index`,
      );
      expect(trades.map((trade) => trade.protocol)).toEqual([first, first, second, first].map(of));

      const expected = await checksums(engine, name);
      const repeats = [
        (pipeline: BlockPipeline) => pipeline.clear(),
        (pipeline: BlockPipeline, { blockNumber: number, timestamp }: Commit) =>
          pipeline.rollbackTo({ number, timestamp }),
      ];
      await index(`${name}parts`, blocks, 2, (pipeline, committed) => repeats.pop()?.(pipeline, committed));
      expect(repeats).toEqual([]);
      expect(await checksums(engine, `${name}parts`)).toEqual(expected);

      const commit = await (await openChainStore(engine, name)).committed();
      if (commit === null) throw new Error("nothing is committed");
      const findings = await checkChain({ engine, chain, commit, wholeStore: false });
      const checked = ["trades as logged", "swaps traded", "pools known"];
      expect(findings.filter(({ invariant }) => checked.includes(invariant))).toEqual([]);
    },
    180_000,
  );
});
