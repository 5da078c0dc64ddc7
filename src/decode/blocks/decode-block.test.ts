import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleCounts, MAINNET, readGzLines, USDC_WETH } from "../../../test/support/nodes/bundles.ts";
import { decodeBlocks, poolsOf } from "../../../test/support/nodes/decoded-blocks.ts";
import { recordedBlocks, recordedCalls } from "../../../test/support/nodes/recording.ts";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { DecodedEvent, Pool, ReserveSync, Swap } from "../../schema/swap.ts";
import { unknownPools } from "../discovery/unknown-pools.ts";
import { CREATION_EVENTS, POOL_EVENTS } from "../pools/swap-families.ts";
import { POOL as V4_POOL, SWAP as V4_SWAP, blockOf as v4BlockOf } from "../support/v4-logs.ts";
import { TRANSFER_TOPIC } from "../transfers/transfers.ts";
import { type DecodedTransaction, decodeBlock } from "./decode-block.ts";
import { scanBlock } from "./scan-block.ts";

const COUNTS = bundleCounts(MAINNET);
const FACTORIES = ethereum.deployments.map(({ factory }) => factory);

async function decodeBundle(bundle: string) {
  const blocks = recordedBlocks(bundle);
  const pools = await poolsOf(blocks, ethereum, recordedCalls(bundle));
  return { blocks, pools, decoded: decodeBlocks(blocks, pools, ethereum) };
}

function countKinds(transactions: DecodedTransaction[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of transactions.flatMap(({ events }) => events)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The independent counts cover these families. Each other family has its own tests. */
const COUNTED: readonly PoolFamily[] = ["uniswap-v2", "uniswap-v3", "uniswap-v4"];

function isCounted(event: DecodedEvent): boolean {
  return !("pool" in event) || COUNTED.includes(event.pool.family);
}

describe("whole blocks of Ethereum", () => {
  let run: Awaited<ReturnType<typeof decodeBundle>>;
  let all: DecodedTransaction[];

  beforeAll(async () => {
    run = await decodeBundle(MAINNET);
    all = run.decoded
      .flatMap(({ transactions }) => transactions)
      .map(({ events, ...transaction }) => ({ ...transaction, events: events.filter(isCounted) }));
  });

  it("returns every transaction, and every event of genuine pools", () => {
    const { transactions, logs, events, genuineEvents, createdPools } = COUNTS;
    expect(all).toHaveLength(transactions);
    expect(all.flatMap(({ transaction }) => transaction.logs)).toHaveLength(logs);
    const genuine = (kind: string) =>
      Object.entries(genuineEvents).reduce((sum, [name, n]) => (name.endsWith(kind) ? sum + n : sum), 0);
    expect(countKinds(all)).toEqual({
      erc20: events["erc20 Transfer"],
      erc721: events["erc721 Transfer"],
      swap: genuine("Swap"),
      sync: genuine("Sync"),
      mint: genuine("Mint"),
      burn: genuine("Burn"),
      collect: genuine("Collect"),
      "pool-creation": createdPools.length,
    });
  });

  it("knows the protocol of each swap's pool", () => {
    const protocols: Record<string, number> = {};
    for (const event of all.flatMap(({ events }) => events)) {
      if (event.kind !== "swap") continue;
      protocols[event.pool.protocol] = (protocols[event.pool.protocol] ?? 0) + 1;
    }
    expect(protocols).toEqual(COUNTS.swapsByProtocol);
  });

  it("returns failed transactions without events", () => {
    const failed = all.filter(({ transaction }) => transaction.status === 0);
    expect(failed).toHaveLength(COUNTS.failed);
    expect(failed.flatMap(({ events }) => events)).toEqual([]);
  });

  it("returns events in log order", () => {
    for (const { transactions } of run.decoded) {
      const indexes = transactions.flatMap(({ events }) => events.map(({ logIndex }) => logIndex));
      expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
    }
  });

  it("sets the creation block of pools that are created here, and of no other", () => {
    const dated = [...run.pools.values()].filter((pool) => pool?.createdBlock);
    expect(dated.map((pool) => pool?.address)).toEqual(COUNTS.createdPools);
    for (const pool of dated) {
      const block = run.blocks.find(({ number }) => number === pool?.createdBlock);
      expect(pool?.createdTimestamp).toBe(block?.timestamp);
      expect(pool?.protocol).toBe("uniswap_v2");
    }
  });

  it("keeps every V2 pair's reserves continuous", () => {
    const { checked, broken } = followReserves(run.decoded.flatMap(({ transactions }) => transactions));
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(COUNTS.swapsByProtocol.uniswap_v2! / 2);
  });
});

/**
 * Compares V2 swaps with reserves. Returns the number of swaps whose pair has an earlier Sync, and the swaps
 * that do not match. Each swap must directly follow its Sync. If the pair's previous Sync is known, its
 * reserves plus the swap's amounts must equal the new reserves. This proves that no log is missing,
 * duplicated or misread.
 */
function followReserves(transactions: DecodedTransaction[]): { checked: number; broken: DecodedEvent[] } {
  const syncs = new Map<Hex, ReserveSync[]>();
  const broken: DecodedEvent[] = [];
  let checked = 0;
  for (const event of transactions.flatMap(({ events }) => events)) {
    if (event.kind === "sync") {
      syncs.set(event.pool.address, [event, ...(syncs.get(event.pool.address) ?? [])]);
    }
    if (event.kind !== "swap" || event.pool.family !== "uniswap-v2") continue;
    const [after, before] = syncs.get(event.pool.address) ?? [];
    if (before !== undefined) checked++;
    if (!follows(event, after, before)) broken.push(event);
  }
  return { checked, broken };
}

function follows(swap: Swap, after: ReserveSync | undefined, before: ReserveSync | undefined): boolean {
  if (after?.logIndex !== swap.logIndex - 1) return false;
  if (before === undefined) return true;
  return (
    before.reserve0 + swap.amount0 === after.reserve0 && before.reserve1 + swap.amount1 === after.reserve1
  );
}

describe("a morning of USDC/WETH", () => {
  let run: Awaited<ReturnType<typeof decodeBundle>>;

  beforeAll(async () => {
    run = await decodeBundle(USDC_WETH);
  });

  it("decodes every swap", () => {
    expect(countKinds(run.decoded.flatMap(({ transactions }) => transactions)).swap).toBe(
      bundleCounts(USDC_WETH).events["v3 Swap"],
    );
  });

  it("decodes the 0.05 % pool exactly as the events oracle does", () => {
    const decoded = run.decoded.flatMap(({ block, transactions }) =>
      transactions.flatMap(({ transaction, events }) =>
        events
          .filter((event) => "pool" in event && event.pool.address.startsWith("0x88e6"))
          .map((event) => oracleLine(block, transaction, event)),
      ),
    );
    const [header = "", ...lines] = readGzLines(USDC_WETH, "oracle-events-0x88e6.csv.gz");
    expect(header.split(",").slice(0, 10)).toEqual(
      "block_number,block_timestamp,tx_type,transaction_hash,tx_index,log_index,sender,receipt,amount0,amount1".split(
        ",",
      ),
    );
    const oracle = lines.map((line) => {
      const fields = line.split(",");
      return [...fields.slice(0, 6), ...fields.slice(8, 10)].join(",");
    });
    expect(decoded).toEqual(oracle);
  });
});

function oracleLine(block: Block, { hash, transactionIndex }: Transaction, event: DecodedEvent): string {
  const time = new Date(block.timestamp * 1000).toISOString().slice(0, 19).replace("T", " ");
  const amounts = "amount0" in event ? [event.amount0, event.amount1] : [];
  return [
    block.number,
    time,
    event.kind.toUpperCase(),
    hash,
    transactionIndex,
    event.logIndex,
    ...amounts,
  ].join(",");
}

const PAIR_CREATED: Log = {
  address: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
  topics: [
    "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
    "0x000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    "0x000000000000000000000000c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  ],
  data: "0x000000000000000000000000b4e16d0168e52d35cacd2c6185b44281ec28c9dc0000000000000000000000000000000000000000000000000000000000000001",
  logIndex: 3,
};
const SYNC: Log = {
  address: "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
  topics: ["0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1"],
  data: `0x${"5".padStart(64, "0")}${"7".padStart(64, "0")}`,
  logIndex: 4,
};

function blockOf(logs: Log[]): Block {
  const transaction = { hash: `0x${"11".repeat(32)}`, input: "0x", logs } as unknown as Transaction;
  return { number: 10_008_355, timestamp: 1_588_710_145, transactions: [transaction] } as unknown as Block;
}

describe("decodeBlock", () => {
  const decode = (logs: Log[], pools = new Map<Hex, Pool | null>()) => ({
    pools,
    events: decodeBlocks([blockOf(logs)], pools, ethereum)[0]?.transactions[0]?.events ?? [],
  });

  it("finds a pool that is created in the same block, even if the address was not a pool before", () => {
    const pools = new Map<Hex, Pool | null>([[SYNC.address, null]]);
    const { events } = decode([PAIR_CREATED, SYNC], pools);
    expect(events.map(({ kind }) => kind)).toEqual(["pool-creation", "sync"]);
    expect(pools.get(SYNC.address)).toEqual({
      address: SYNC.address,
      family: "uniswap-v2",
      protocol: "uniswap_v2",
      factory: PAIR_CREATED.address,
      token0: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      token1: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      tokens: ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"],
      underlying: [],
      fee: 3000,
      hooks: null,
      hookFlags: null,
      createdBlock: 10_008_355,
      createdTimestamp: 1_588_710_145,
    });
  });

  it.each<[string, Log]>([
    ["by a factory that is not listed", { ...PAIR_CREATED, address: SYNC.address }],
    [
      "by a factory of another family",
      { ...PAIR_CREATED, address: "0x1f98431c8ad98523631ae4a59f267346ea31f984" },
    ],
    [
      "at an address that does not follow from the tokens",
      { ...PAIR_CREATED, data: `0x${"1".padStart(64, "0")}${"1".padStart(64, "0")}` },
    ],
    ["in another form", { ...PAIR_CREATED, data: `${PAIR_CREATED.data}00` }],
  ])("ignores a pool announced %s", (_, creation) => {
    const { events, pools } = decode([creation, SYNC]);
    expect(events).toEqual([]);
    expect(pools.size).toBe(0);
  });

  it("ignores events of contracts that are not pools, or are pools of another family", () => {
    const { pools } = decode([PAIR_CREATED]);
    const pool = pools.get(SYNC.address);
    expect(decode([SYNC], new Map([[SYNC.address, null]])).events).toEqual([]);
    expect(decode([SYNC]).events).toEqual([]);
    if (!pool) throw new Error("no pool");
    expect(decode([SYNC], new Map([[SYNC.address, pool]])).events).toHaveLength(1);
    expect(decode([SYNC], new Map([[SYNC.address, { ...pool, family: "uniswap-v3" }]])).events).toEqual([]);
    expect(decode([{ ...SYNC, data: "0x" }], new Map([[SYNC.address, pool]])).events).toEqual([]);
  });

  describe("a block with pools of unlisted factories, without calls that reveal them", () => {
    const addressOf = (i: number): Hex => `0x${i.toString(16).padStart(40, "0")}`;
    const wordOf = (address: Hex): Hex => `0x${address.slice(2).padStart(64, "0")}`;
    const transfer = (token: Hex, to: Hex): Log => ({
      address: token,
      topics: [TRANSFER_TOPIC, wordOf(addressOf(1)), wordOf(to)],
      data: `0x${"1".padStart(64, "0")}`,
      logIndex: 0,
    });
    const sync = (pool: Hex, tokens: readonly Hex[]) => [
      ...tokens.map((token) => transfer(token, pool)),
      { ...SYNC, address: pool },
    ];
    const [, token0, token1] = PAIR_CREATED.topics.map((topic): Hex => `0x${topic.slice(-40)}`) as [
      Hex,
      Hex,
      Hex,
    ];
    const unlisted = (count: number, tokens: number) =>
      Array.from({ length: count }, (_, i) =>
        sync(
          addressOf(1_000 + i),
          Array.from({ length: tokens }, (_, token) => addressOf(100_000 + 3 * i + token)),
        ),
      ).flat();
    const isFound = (before: Log[]) =>
      decode([...before, ...sync(SYNC.address, [token0, token1])]).pools.has(SYNC.address);

    it("proves the listed pool after hundreds of others", () => {
      expect(isFound(unlisted(300, 2))).toBe(true);
    });

    it("stops when their proofs take too long, however few tokens move", () => {
      expect([isFound(unlisted(3_000, 3)), isFound(unlisted(3_000, 0))]).toEqual([false, false]);
    });
  });

  it("never throws, whatever contracts emit", () => {
    const topics = [...POOL_EVENTS.keys(), ...CREATION_EVENTS.keys(), TRANSFER_TOPIC];
    const hex = (maxLength: number) =>
      fc.uint8Array({ maxLength }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
    const word = fc
      .tuple(fc.constantFrom("00", "ff", "01"), fc.uint8Array({ minLength: 20, maxLength: 20 }))
      .map(([padding, bytes]): Hex => `0x${padding.repeat(12)}${Buffer.from(bytes).toString("hex")}`);
    const data = fc.oneof(
      hex(300),
      fc.array(word, { maxLength: 8 }).map((words): Hex => `0x${words.map((w) => w.slice(2)).join("")}`),
    );
    const log = fc.record({
      address: fc.constantFrom<Hex>(SYNC.address, ...FACTORIES),
      topics: fc
        .tuple(fc.constantFrom(...topics), fc.array(fc.oneof(word, hex(40)), { maxLength: 5 }))
        .map(([topic, rest]): Hex[] => [topic, ...rest]),
      data,
      logIndex: fc.nat(),
    });
    const { pools } = decode([PAIR_CREATED]);
    const known = pools.get(SYNC.address) ?? null;
    fc.assert(
      fc.property(fc.array(log, { maxLength: 10 }), fc.boolean(), (logs, isV3) => {
        const pool: Pool | null = known && { ...known, family: isV3 ? "uniswap-v3" : "uniswap-v2" };
        const pools = new Map<Hex, Pool | null>([[SYNC.address, pool]]);
        unknownPools([scanBlock(blockOf(logs), ethereum)], new Map());
        for (const event of decode(logs, pools).events) {
          // If a pool's address cannot be derived from its tokens, the decoder trusts the log of a listed
          // factory.
          if (event.kind === "pool-creation") expect(FACTORIES).toContain(event.pool.factory);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Wraps a list so that reads of its items are counted. */
function countingReads<T>(items: readonly T[]): { list: T[]; reads: () => number } {
  let reads = 0;
  const get = (target: T[], key: string | symbol) => {
    if (typeof key === "string" && /^\d+$/.test(key)) reads++;
    return Reflect.get(target, key);
  };
  return { list: new Proxy([...items], { get }), reads: () => reads };
}

it("does not read all logs of a transaction again for each of its swaps in pools with hooks", () => {
  const swaps = Array.from({ length: 500 }, (_, logIndex) => ({ ...V4_SWAP, logIndex }));
  const hooks: Hex = `0x${"5".repeat(36)}00cc`;
  const pool: Pool = { ...V4_POOL, hooks, hookFlags: 0xcc };
  const scanned = scanBlock(v4BlockOf(...swaps), ethereum);
  const [transaction] = scanned.transactions;
  if (transaction === undefined) expect.fail();
  const raw = countingReads(transaction.transaction.logs);
  const classified = countingReads(transaction.logs);
  transaction.transaction.logs = raw.list;
  transaction.logs = classified.list;
  const decoded = decodeBlock(scanned, new Map([[pool.address, pool]]), ethereum);
  expect(decoded.transactions[0]?.events).toHaveLength(swaps.length);
  expect(raw.reads()).toBeLessThan(10 * swaps.length);
  expect(classified.reads()).toBeLessThan(10 * swaps.length);
});
