import { encodeTransaction } from "../../../src/sources/verify/transaction.ts";
import { parseBlock } from "../../../src/sources/wire/parse.ts";
import {
  type CellOf,
  columnsOf,
  field,
  type JsonBlock,
  type JsonRow,
  number,
  rowsOf,
  type TableOfFile,
} from "./table-rows.ts";

const CHAIN: CellOf = ["u64", (row) => BigInt((row.chainIdOfFile as number | undefined) ?? 1)];

const word = (hex: unknown) =>
  hex == null
    ? null
    : `0x${BigInt(hex as string)
        .toString(16)
        .padStart(64, "0")}`;

const BLOCKS: Record<string, CellOf> = {
  block_hash: ["bytes", field("hash")],
  parent_hash: ["bytes", field("parentHash")],
  // cryo writes the hashes of the uncles here. These blocks have none.
  uncles_hash: ["bytes", () => "0x"],
  author: ["bytes", field("miner")],
  state_root: ["bytes", field("stateRoot")],
  transactions_root: ["bytes", field("transactionsRoot")],
  receipts_root: ["bytes", field("receiptsRoot")],
  block_number: ["u32", number("number")],
  gas_used: ["u64", number("gasUsed")],
  gas_limit: ["u64", number("gasLimit")],
  extra_data: ["bytes", field("extraData")],
  logs_bloom: ["bytes", field("logsBloom")],
  timestamp: ["u32", number("timestamp")],
  difficulty: ["u64", number("difficulty")],
  size: ["u64", number("size")],
  mix_hash: ["bytes", field("mixHash")],
  nonce: ["bytes", field("nonce")],
  base_fee_per_gas: ["u64", number("baseFeePerGas")],
  withdrawals_root: ["bytes", field("withdrawalsRoot")],
  chain_id: CHAIN,
};

const receipt = (name: string) => (row: JsonRow) => (row.receipt as JsonRow)[name];

/** The price that a transaction paid, as cryo computes it. */
function gasPrice(row: JsonRow): bigint {
  if (Number(row.type ?? "0x0") < 2) return BigInt(row.gasPrice as string);
  const base = BigInt((row.block as JsonRow).baseFeePerGas as string);
  const tip = BigInt(row.maxPriorityFeePerGas as string);
  const most = BigInt(row.maxFeePerGas as string) - base;
  return base + (tip < most ? tip : most);
}

function parity(row: JsonRow): bigint {
  const v = BigInt(row.v as string);
  return v <= 1n ? v : v >= 35n ? (v - 35n) % 2n : v - 27n;
}

const TRANSACTIONS: Record<string, CellOf> = {
  block_number: ["u32", number("blockNumber")],
  transaction_index: ["u64", number("transactionIndex")],
  transaction_hash: ["bytes", field("hash")],
  nonce: ["u64", number("nonce")],
  from_address: ["bytes", field("from")],
  to_address: ["bytes", field("to")],
  value_binary: ["bytes", (row) => word(row.value)],
  value_string: ["text", (row) => String(BigInt(row.value as string))],
  value_f64: ["double", (row) => Number(row.value)],
  input: ["bytes", field("input")],
  gas_limit: ["u64", number("gas")],
  gas_used: ["u64", (row) => BigInt(receipt("gasUsed")(row) as string)],
  gas_price: ["u64", gasPrice],
  transaction_type: ["u32", (row) => BigInt((row.type as string | undefined) ?? 0)],
  max_priority_fee_per_gas: ["u64", number("maxPriorityFeePerGas")],
  max_fee_per_gas: ["u64", number("maxFeePerGas")],
  success: ["flag", (row) => receipt("status")(row) === "0x1"],
  n_input_bytes: ["u32", (row) => BigInt(((row.input as string).length - 2) / 2)],
  n_rlp_bytes: ["u32", (row) => row.encodedBytes as bigint],
  block_hash: ["bytes", field("blockHash")],
  chain_id: CHAIN,
  timestamp: ["u32", (row) => BigInt((row.block as JsonRow).timestamp as string)],
  r: ["bytes", (row) => word(row.r)],
  s: ["bytes", (row) => word(row.s)],
  v: ["flag", (row) => parity(row) === 1n],
};

const topic = (i: number) => (row: JsonRow) => (row.topics as string[])[i];

const LOGS: Record<string, CellOf> = {
  block_number: ["u32", number("blockNumber")],
  block_hash: ["bytes", field("blockHash")],
  transaction_index: ["u32", number("transactionIndex")],
  log_index: ["u32", number("logIndex")],
  transaction_hash: ["bytes", field("transactionHash")],
  address: ["bytes", field("address")],
  topic0: ["bytes", topic(0)],
  topic1: ["bytes", topic(1)],
  topic2: ["bytes", topic(2)],
  topic3: ["bytes", topic(3)],
  data: ["bytes", field("data")],
  n_data_bytes: ["u32", (row) => BigInt(((row.data as string).length - 2) / 2)],
  chain_id: CHAIN,
};

/** Columns that `cryo` writes without `--columns all`. */
export const CRYO_DEFAULT: Record<keyof TableOfFile, readonly string[]> = {
  blocks: [
    ...["block_number", "block_hash", "timestamp", "author", "gas_used", "extra_data"],
    ...["base_fee_per_gas", "chain_id"],
  ],
  transactions: Object.keys(TRANSACTIONS).filter(
    (name) => !["n_rlp_bytes", "block_hash", "timestamp", "r", "s", "v"].includes(name),
  ),
  receipts: [],
  logs: Object.keys(LOGS).filter((name) => name !== "block_hash"),
};

/** Makes the rows of `cryo blocks transactions logs --columns all`. */
export function cryoTables(blocks: readonly JsonBlock[], chainId = 1): TableOfFile {
  const rows = rowsOf(blocks);
  const lengths = blocks.flatMap(({ block }) =>
    parseBlock(block, Number(block.number)).transactions.map((one) =>
      BigInt(encodeTransaction(one, chainId).length),
    ),
  );
  const withChain = <R extends JsonRow>(row: R) => ({ ...row, chainIdOfFile: chainId });
  return {
    blocks: columnsOf(rows.blocks.map(withChain), BLOCKS),
    transactions: columnsOf(
      rows.transactions.map((row, i) => withChain({ ...row, encodedBytes: lengths[i] })),
      TRANSACTIONS,
    ),
    logs: columnsOf(rows.logs.map(withChain), LOGS),
  };
}
