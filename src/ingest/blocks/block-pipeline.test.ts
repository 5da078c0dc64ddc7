import { describe, expect, it } from "vitest";
import {
  childOf,
  contractAnswer,
  type FakeBlock,
  fakeChainFacts,
  genesis,
} from "../../../test/support/simulation/fake-chain.ts";
import type { TokenList } from "../../chains/token-list.ts";
import { readTokens, tokenCalls } from "../../decode/discovery/token-metadata.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import type { Rows } from "../../schema/tables.ts";
import type { Source } from "../../sources/source.ts";
import type { Engine } from "../../storage/store.ts";
import { BlockPipeline } from "./block-pipeline.ts";

const CHAIN = fakeChainFacts("listed", { kind: "depth", blocks: 12 });
const LAST = 30;
/** The newest block that a reorg keeps. */
const KEPT = 12;

function fakeBlocks(): Block[] {
  const made: FakeBlock[] = [genesis()];
  for (let number = 1; number <= LAST; number++)
    made.push(childOf(made.at(-1) ?? null, { number, salt: "a" }));
  return made.map(({ block }) => block);
}

const BLOCKS = fakeBlocks() as [Block, ...Block[]];

/** Nothing is stored: every value comes from blocks, calls and the list. */
const EMPTY_ENGINE = { query: async () => [] } as unknown as Engine;

type Call = Source["call"];
const called: Call = async (calls) => calls.map(contractAnswer);
const SELECTORS = tokenCalls([{ address: "0x01", block: 0 }]).map(({ data }) => data);
const withoutMetadata: Call = async (calls) =>
  calls.map((call) => (SELECTORS.includes(call.data) ? null : contractAnswer(call)));

function pipelineOf(call: Call, tokenList: TokenList): BlockPipeline {
  const source = { call, pastLogs: async () => null };
  return new BlockPipeline({ chain: CHAIN, engine: EMPTY_ENGINE, source, tokenList });
}

async function rowsOf(pipeline: BlockPipeline, blocks: readonly Block[]): Promise<Rows> {
  return (await pipeline.prepare(blocks as [Block, ...Block[]], null)).rows;
}

describe("BlockPipeline with a token list", () => {
  it("gives the rows that calls give, and again after a rollback, and after its caches were cleared", async () => {
    const expected = await rowsOf(pipelineOf(called, new Map()), BLOCKS);
    const addresses = (expected.token_metadata ?? []).map((row) => row.token_address as Hex);
    const metadata = readTokens(
      addresses,
      addresses.flatMap((to) => SELECTORS.map((data) => contractAnswer({ to, data, block: 0 }))),
    );
    const list: TokenList = new Map(metadata.map((token) => [token.address, token]));
    const later = (expected.token_metadata ?? []).filter((row) => row.first_seen_block_number > KEPT);
    expect(later.length).toBeGreaterThan(2);

    const pipeline = pipelineOf(withoutMetadata, list);
    await rowsOf(pipeline, BLOCKS.slice(0, KEPT + 1));
    const rolledBack = BLOCKS.slice(KEPT + 1);
    expect((await rowsOf(pipeline, rolledBack)).token_metadata).toEqual(later);
    const { number, timestamp } = BLOCKS[KEPT] ?? BLOCKS[0];
    pipeline.rollbackTo({ number, timestamp });
    expect((await rowsOf(pipeline, rolledBack)).token_metadata).toEqual(later);
    pipeline.clear();
    expect(await rowsOf(pipeline, BLOCKS)).toEqual(expected);
    expect(await rowsOf(pipelineOf(withoutMetadata, new Map()), BLOCKS)).not.toEqual(expected);
  });
});
