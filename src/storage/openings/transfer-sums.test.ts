import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { batchOf, rowOf } from "../../../test/support/engine/random-rows.ts";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { DEPOSIT_TOPIC, WITHDRAWAL_TOPIC } from "../../schema/events/wrapping-events.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import type { TableName } from "../../schema/tables.ts";
import { openChainStore } from "../clickhouse-store.ts";
import { holdingOf } from "../stored-balances.ts";
import { sumTransfers } from "./transfer-sums.ts";

const CHAIN = { ...BARE_CHAIN, name: "wrapped" };
const COIN = CHAIN.wrappedNative;
const WALLET: Hex = `0x${"a1".repeat(20)}`;
const ZERO: Hex = `0x${"0".repeat(40)}`;
const TRANSACTIONS = [`0x${"01".repeat(32)}`, `0x${"02".repeat(32)}`] as const;

let position = 0;

function row(table: TableName, transaction: string, values: object): never {
  const [sample] = fc.sample(rowOf(table), { numRuns: 1, seed: 3 });
  const block = {
    block_number: 10,
    timestamp: 1_700_000_000,
    record_index: recordIndexOf("wide", 10, ++position),
  };
  return { ...sample, ...block, transaction_hash: transaction, ...values } as never;
}

function transfer(transaction: string, from_address: Hex, to_address: Hex, value_base: bigint): never {
  return row("erc20", transaction, { token_address: COIN, from_address, to_address, value_base });
}

function wrapping(transaction: string, topic_0: Hex, amount: number): never {
  const topics = { topic_0, topic_1: `0x${WALLET.slice(2).padStart(64, "0")}`, topic_2: null, topic_3: null };
  const data = `0x${amount.toString(16).padStart(64, "0")}`;
  return row("logs", transaction, { address: COIN, data, ...topics });
}

it("a Transfer of the wrapped coin reports one wrap or unwrap of its transaction, as in decoding", async () => {
  const { engine, close } = await openFreshEngine();
  onTestFinished(() => close());
  const store = await openChainStore(engine, CHAIN.name);
  const [first, second] = TRANSACTIONS;
  const erc20 = [
    transfer(first, WALLET, ZERO, 5n),
    transfer(first, ZERO, WALLET, 70n),
    transfer(first, WALLET, ZERO, 300n),
  ];
  const logs = [
    ...[5, 5, 5].map((amount) => wrapping(first, WITHDRAWAL_TOPIC, amount)),
    wrapping(second, WITHDRAWAL_TOPIC, 5),
    ...[70, 70].map((amount) => wrapping(first, DEPOSIT_TOPIC, amount)),
    wrapping(second, DEPOSIT_TOPIC, 1000),
  ];
  await store.commit({ ...batchOf({ first: 10, last: 10, rowsPerTable: 0 }), rows: { erc20, logs } });
  const holding = holdingOf(WALLET, COIN);
  const sums = await sumTransfers(engine, CHAIN, [{ holding, base: 10 }], 10);
  const transferred = -5n + 70n - 300n;
  expect(sums.get(holding)?.newest).toBe(transferred - 3n * 5n + 70n + 1000n);
  expect(sums.get(holding)?.largest).toBe(1000n);
});
