import { describe, expect, it } from "vitest";
import {
  childOf,
  contractAnswer,
  type FakeBlock,
  fakeChainFacts,
  genesis,
} from "../../../test/support/simulation/fake-chain.ts";
import { ethereum } from "../../chains/ethereum.ts";
import type { TokenList } from "../../chains/token-list.ts";
import { readTokens, tokenCalls } from "../../decode/discovery/token-metadata.ts";
import { ID, initialize, SWAP, USDC } from "../../decode/support/v4-logs.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import type { Rows } from "../../schema/tables.ts";
import type { Source } from "../../sources/source.ts";
import type { Engine } from "../../storage/store.ts";
import { BlockPipeline } from "./block-pipeline.ts";

const CHAIN = fakeChainFacts("listed", { kind: "depth", blocks: 12 });
const LAST = 30;
const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** The newest block that a reorg keeps. */
const KEPT = 12;

function fakeBlocks(): Block[] {
  const made: FakeBlock[] = [genesis()];
  for (let number = 1; number <= LAST; number++)
    made.push(childOf(made.at(-1) ?? null, { number, salt: "a" }));
  return made.map(({ block }) => block);
}

const BLOCKS = fakeBlocks() as [Block, ...Block[]];

/** An engine that stores nothing: every value comes from blocks, calls and the list. */
const EMPTY_ENGINE = { query: async () => [] } as unknown as Engine;

type Call = Source["call"];
const called: Call = async (calls) => calls.map(contractAnswer);
const SELECTORS = tokenCalls([{ address: "0x01", block: { number: 0 } }]).map(({ data }) => data);
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
      addresses.flatMap((to) => SELECTORS.map((data) => contractAnswer({ to, data, block: { number: 0 } }))),
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

describe("a token whose pool was created before its contract", () => {
  const DECIMALS: Hex = "0x313ce567";
  const DEPLOYED = 3;
  const call: Call = async (calls) =>
    calls.map(({ data, block }): Hex | null =>
      data === DECIMALS && (block?.number ?? LAST) >= DEPLOYED ? `0x${"6".padStart(64, "0")}` : null,
    );
  const transfer: Log = {
    address: USDC,
    topics: [TRANSFER, `0x${"a".padStart(64, "0")}`, `0x${"b".padStart(64, "0")}`],
    data: `0x${(299_830_000).toString(16).padStart(64, "0")}`,
    logIndex: 0,
  };

  /** Returns blocks: block 1 creates the pool, and block `DEPLOYED` moves the token and swaps. */
  function blocks(): Block[] {
    const [first] = BLOCKS.flatMap(({ transactions }) => transactions);
    const logs = new Map([
      [1, [initialize(ID, 500)]],
      [DEPLOYED, [transfer, SWAP]],
    ]);
    return BLOCKS.slice(0, DEPLOYED + 1).map((block) => ({
      ...block,
      transactions: first === undefined ? [] : [{ ...first, status: 1, logs: logs.get(block.number) ?? [] }],
    }));
  }

  it.each([1, 4])("has its decimals, with batches of %d", async (size) => {
    const source = { call, pastLogs: async () => null };
    const pipeline = new BlockPipeline({ chain: ethereum, engine: EMPTY_ENGINE, source });
    const all = blocks();
    const tokens: unknown[] = [];
    for (let from = 0; from < all.length; from += size) {
      const { token_metadata = [], dex_trades = [] } = await rowsOf(pipeline, all.slice(from, from + size));
      tokens.push(
        ...token_metadata.map((row) => [row.token_address, row.first_seen_block_number, row.decimals]),
        ...dex_trades.filter(({ token_address }) => token_address === USDC).map((row) => row.amount_token),
      );
    }
    expect(tokens).toContainEqual([USDC, DEPLOYED, 6]);
    expect(tokens).toContain(299.833585);
    expect(tokens.flat()).not.toContain(null);
  });
});

describe("a token with a swap before its contract is deployed", () => {
  const DEPLOYED = 2;
  const call: Call = async (calls) =>
    calls.map(({ to, block }): Hex | null =>
      to !== USDC || (block?.number ?? LAST) >= DEPLOYED ? `0x${"6".padStart(64, "0")}` : "0x",
    );
  const transfer: Log = {
    address: USDC,
    topics: [TRANSFER, `0x${"a".padStart(64, "0")}`, `0x${"b".padStart(64, "0")}`],
    data: `0x${(299_830_000).toString(16).padStart(64, "0")}`,
    logIndex: 0,
  };

  /** Prepares blocks with these logs of one transaction each, from block 1 on. Returns the rows of all. */
  async function prepared(
    size: number,
    ...logsOf: Log[][]
  ): Promise<Required<Pick<Rows, "dex_trades" | "token_metadata">>> {
    const [first] = BLOCKS.flatMap(({ transactions }) => transactions);
    if (first === undefined) expect.fail();
    const source = { call, pastLogs: async () => null };
    const pipeline = new BlockPipeline({ chain: ethereum, engine: EMPTY_ENGINE, source });
    const blocks = BLOCKS.slice(1, 1 + logsOf.length).map((block, i) => ({
      ...block,
      transactions: [{ ...first, status: 1 as const, logs: logsOf[i] ?? [] }],
    }));
    const rows: Rows[] = [];
    for (let from = 0; from < blocks.length; from += size)
      rows.push(await rowsOf(pipeline, blocks.slice(from, from + size)));
    return {
      dex_trades: rows.flatMap(({ dex_trades = [] }) => dex_trades),
      token_metadata: rows
        .flatMap(({ token_metadata = [] }) => token_metadata)
        .filter(({ token_address }) => token_address === USDC),
    };
  }

  it.each([1, 2, 3])(
    "gets its decimals when it exists, and no trade before, with batches of %d",
    async (size) => {
      const later = { ...SWAP, logIndex: 5 };
      const { dex_trades, token_metadata } = await prepared(
        size,
        [initialize(ID, 500), SWAP],
        [later],
        [transfer],
      );
      expect(dex_trades.map((trade) => trade.block_number)).toEqual([DEPLOYED, DEPLOYED]);
      expect(token_metadata).toMatchObject([{ decimals: 6, first_seen_block_number: DEPLOYED }]);
    },
  );

  it.each([1, 2])(
    "exists if it emits a log, although calls return nothing, with batches of %d",
    async (size) => {
      const logs = [initialize(ID, 500), transfer, SWAP];
      const { dex_trades, token_metadata } = await prepared(size, logs, [SWAP]);
      expect(dex_trades).toHaveLength(4);
      expect(token_metadata).toMatchObject([{ decimals: null, first_seen_block_number: 1 }]);
    },
  );
});

describe("a swap through a buffer of Balancer V3", () => {
  const VAULT: Hex = "0xba1333333333a1ba1108e8412f11850a5c319ba9";
  const POOL_OF_BLOCK: Hex = "0x85b2b559bc2d21104c4defdd6efca8a20343361d";
  const [WRAPPED, OTHER, FORGED] = ["a1", "b2", "c3"].map((byte): Hex => `0x${byte.repeat(20)}`) as [
    Hex,
    Hex,
    Hex,
  ];
  const BUFFER_ASSET = "0x4afbaf5a";
  const word = (hex: Hex): Hex => `0x${hex.slice(2).padStart(64, "0")}`;
  const words = (...values: number[]): Hex =>
    `0x${values.map((value) => value.toString(16).padStart(64, "0")).join("")}`;
  const logs: Log[] = [
    { address: FORGED, topics: [TRANSFER, word(OTHER), word(VAULT)], data: words(7_000_000), logIndex: 0 },
    {
      ...{ address: VAULT, data: words(7_000_000, 6_000_000, 0), logIndex: 1 },
      topics: ["0x3771d13c67011e31e12031c54bb59b0bf544a80b81d280a3711e172aa8b7f47b", word(WRAPPED)],
    },
    {
      ...{ address: VAULT, data: words(6_000_000, 5_000_000, 0, 0), logIndex: 2 },
      topics: [
        "0x0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db",
        ...[POOL_OF_BLOCK, WRAPPED, OTHER].map(word),
      ],
    },
  ];
  const [first] = BLOCKS.flatMap(({ transactions }) => transactions);
  const block = {
    ...BLOCKS[0],
    transactions: first === undefined ? [] : [{ ...first, status: 1 as const, logs }],
  };

  async function quotesWith(asset: Hex | null): Promise<unknown[]> {
    const asked: object[] = [];
    const call: Call = async (calls) =>
      calls.map((one) => {
        if (one.to !== VAULT || !one.data.startsWith(BUFFER_ASSET)) return null;
        asked.push(one);
        return asset;
      });
    const source = { call, pastLogs: async () => null };
    const pipeline = new BlockPipeline({ chain: ethereum, engine: EMPTY_ENGINE, source });
    const { dex_trades = [] } = await rowsOf(pipeline, [block]);
    const { number, hash } = block;
    expect(asked).toEqual([
      { to: VAULT, data: `${BUFFER_ASSET}${word(WRAPPED).slice(2)}`, block: { number, hash } },
    ]);
    return dex_trades.map(({ token_address, quote_address }) => [token_address, quote_address]);
  }

  it("is a trade of the token that the Vault names, whatever transfers the transaction has", async () => {
    expect(await quotesWith(word(USDC))).toEqual([[OTHER, USDC]]);
  });

  it("is a trade of the wrapped token if the Vault names none", async () => {
    const own = [
      [OTHER, WRAPPED],
      [WRAPPED, OTHER],
    ];
    expect(await quotesWith(null)).toEqual(own);
    expect(await quotesWith(word("0x00"))).toEqual(own);
  });
});
