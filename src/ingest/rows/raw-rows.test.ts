import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../test/support/nodes/recording.ts";
import { base } from "../../chains/base.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { scanBlock } from "../../decode/blocks/scan-block.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import { SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import { TABLES } from "../../schema/tables.ts";
import { blockRow, logRows, singletonLogRows, transactionRows } from "./raw-rows.ts";

const log: Log = {
  address: "0xdac17f958d2ee523a2206206994597c13d831ec7",
  topics: [`0x${"aa".repeat(32)}`, `0x${"bb".repeat(32)}`],
  data: "0x05",
  logIndex: 1,
};
const transaction: Transaction = {
  hash: `0x${"11".repeat(32)}`,
  transactionIndex: 2,
  from: `0x${"22".repeat(20)}`,
  to: null,
  contractAddress: `0x${"33".repeat(20)}`,
  value: 1_500_000_000_000_000_001n,
  nonce: 4,
  input: "0x60806040aa",
  type: 2,
  gasLimit: 2n ** 63n - 1n,
  gasUsed: 21_000,
  gasPrice: 30_000_000_000n,
  maxFeePerGas: 40_000_000_000n,
  maxPriorityFeePerGas: 1n,
  fee: 630_000_000_000_000n,
  status: 1,
  logs: [log, { ...log, topics: [], logIndex: 3 }],
};
const block: Block = {
  number: 7,
  hash: `0x${"44".repeat(32)}`,
  parentHash: `0x${"55".repeat(32)}`,
  timestamp: 1_700_000_000,
  miner: `0x${"66".repeat(20)}`,
  gasLimit: 30_000_000n,
  gasUsed: 21_000,
  baseFeePerGas: null,
  size: 999,
  extraData: "0x",
  proof: "block",
  origin: "rpc",
  transactions: [
    transaction,
    { ...transaction, transactionIndex: 3, to: transaction.from, input: "0x608060", logs: [] },
  ],
};

const counts = {
  log_count: 5,
  erc20_count: 4,
  erc721_count: 3,
  trade_count: 2,
  pool_count: 1,
  token_count: 0,
  balance_count: 6,
  singleton_log_count: 7,
  logged_singletons: "",
};

describe("raw rows", () => {
  it("fill exactly the columns of their tables", () => {
    const columns = (name: "blocks" | "transactions" | "logs") => Object.keys(TABLES[name].columns).sort();
    expect(Object.keys(blockRow("wide", block, counts)).sort()).toEqual(columns("blocks"));
    expect(Object.keys(transactionRows("wide", block, [])[0] ?? {}).sort()).toEqual(columns("transactions"));
    expect(Object.keys(logRows("wide", block)[0] ?? {}).sort()).toEqual(columns("logs"));
  });

  it("have one row of a block", () => {
    expect(blockRow("wide", block, counts)).toEqual({
      timestamp: 1_700_000_000,
      block_number: 7,
      block_hash: block.hash,
      parent_hash: block.parentHash,
      miner: block.miner,
      gas_limit: 30_000_000n,
      gas_used: 21_000,
      base_fee_per_gas: null,
      transaction_count: 2,
      size: 999,
      extra_data: "0x",
      proof: "block",
      origin: "rpc",
      record_index: 7 * 2 ** 22,
      ...counts,
    });
  });

  it("have amounts in coins and the selector of transactions", () => {
    const [creation, call] = transactionRows("wide", block, [1.25]);
    expect(creation).toMatchObject({
      to_address: null,
      contract_address: transaction.contractAddress,
      value_base: 1_500_000_000_000_000_001n,
      value_eth: 1.5,
      method_id: "0x60806040",
      transaction_fee_eth: 0.00063,
      transaction_fee_usd: 1.25,
      status: 1,
      record_index: 7 * 2 ** 22 + 2,
    });
    expect(call).toMatchObject({ method_id: null, transaction_fee_usd: null, record_index: 7 * 2 ** 22 + 3 });
  });

  it("have null for absent topics of logs", () => {
    const rows = logRows("wide", block);
    expect(rows.map(({ log_index, record_index }) => [log_index, record_index])).toEqual([
      [1, 7 * 2 ** 22 + 1],
      [3, 7 * 2 ** 22 + 3],
    ]);
    expect(rows[0]).toMatchObject({
      topic_0: log.topics[0],
      topic_1: log.topics[1],
      topic_2: null,
      topic_3: null,
      transaction_hash: transaction.hash,
      transaction_index: 2,
    });
    expect(rows[1]?.topic_0).toBeNull();
  });

  it.each([
    { singleton: "Uniswap V4", address: "0x000000000004444c5dc75cb358380d2e3de08a90", chain: ethereum },
    { singleton: "Infinity", address: "0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b", chain: base },
  ] as const)("repeat the logs that determine the state of pools of $singleton", ({ address, chain }) => {
    const [id, other]: [Hex, Hex] = [`0x${"a".repeat(64)}`, `0x${"b".repeat(64)}`];
    const topicsOf = [...Object.values(SINGLETON_EVENTS), other].map((topic) => [topic, id]);
    const logOf = (from: Hex, topics: Hex[], logIndex: number) => ({
      address: from,
      topics,
      data: "0x12",
      logIndex,
    });
    const logs = [
      ...topicsOf.map((topics, i) => logOf(address, topics as Hex[], i)),
      logOf(log.address, topicsOf[0] as Hex[], topicsOf.length),
      logOf(address, [SINGLETON_EVENTS.swap], topicsOf.length + 1),
    ] as Log[];
    const scanned = scanBlock({ ...block, transactions: [{ ...transaction, logs }] }, chain);
    const rows = singletonLogRows("wide", block, scanned.singletonLogs);
    expect(rows.map(({ topic_0, topic_1 }) => [topic_0, topic_1])).toEqual(topicsOf.slice(0, -1));
    expect(rows[2]).toMatchObject({ record_index: 7 * 2 ** 22 + 2, block_number: 7, data: "0x12" });
  });

  it("are refused if there are too many, with an error that pauses indexing and does not end the process", () => {
    const many: Block = {
      ...block,
      transactions: [{ ...transaction, logs: [{ ...log, logIndex: 2 ** 22 }] }],
    };
    const message = "block 7 has more than 4194304 rows of one table, which cannot be stored";
    expect(() => logRows("wide", many)).toThrow(expect.objectContaining({ message, retryable: true }));
  });

  it("have every log and transaction of real blocks, in ascending order", () => {
    const blocks = recordedBlocks(MAINNET);
    const logs = blocks.flatMap((real) => logRows("wide", real));
    for (const rows of [logs, blocks.flatMap((real) => transactionRows("wide", real, []))]) {
      const indexes = rows.map(({ record_index }) => record_index);
      expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
    }
    expect(logs).toHaveLength(bundleCounts(MAINNET).logs);
    expect(blocks.flatMap((real) => transactionRows("wide", real, []))).toHaveLength(
      bundleCounts(MAINNET).transactions,
    );
  });
});
