import { column, nullable } from "../column.ts";
import { table } from "../table.ts";
import {
  blockHash,
  blockNumber,
  recordIndex,
  timestamp,
  transactionHash,
  transactionIndex,
} from "./shared-columns.ts";

export const transactions = table({
  name: "transactions",
  doc: "Transactions with their execution results, including failed ones.",
  columns: {
    timestamp,
    transaction_hash: transactionHash,
    transaction_index: transactionIndex,
    block_number: blockNumber,
    block_hash: blockHash,
    from_address: column("address", "sender"),
    to_address: nullable("address", "recipient; null if the transaction creates a contract"),
    contract_address: nullable("address", "contract created by the transaction"),
    value_base: column("amount", "native coin sent", "wei"),
    value_eth: column("double", "native coin sent", "native coin"),
    nonce: column("integer", "number of earlier transactions of the sender"),
    input: column("bytes", "call data"),
    method_id: nullable("bytes", "first four bytes of the call data; null if there are fewer"),
    type: column("small", "transaction type (EIP-2718); 0 for legacy"),
    gas_limit: column("uint64", "gas limit of the transaction", "gas"),
    gas_used: column("integer", "gas used", "gas"),
    gas_price: column("wei", "effective gas price", "wei per gas"),
    max_fee_per_gas: nullable("wei", "fee cap (EIP-1559)", "wei per gas"),
    max_priority_fee_per_gas: nullable("wei", "tip cap (EIP-1559)", "wei per gas"),
    transaction_fee_eth: column(
      "double",
      "total fee paid by the sender: gas, blob gas and, on rollups, the L1 data and operator fees",
      "native coin",
    ),
    transaction_fee_usd: nullable(
      "double",
      "total fee at the reference price before the transaction; null if there is no such price",
      "USD",
    ),
    status: nullable("small", "1 success, 0 failed; null before Byzantium"),
    record_index: recordIndex,
  },
  key: ["transaction_hash"],
  order: ["block_number", "transaction_index"],
  blockColumn: "block_number",
  partitionBy: "timestamp",
  skipIndexes: ["transaction_hash", "from_address", "to_address"],
});
