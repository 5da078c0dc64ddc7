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
  doc: "Transactions with the outcome of their execution, failed ones included.",
  columns: {
    timestamp,
    transaction_hash: transactionHash,
    transaction_index: transactionIndex,
    block_number: blockNumber,
    block_hash: blockHash,
    from_address: column("address", "sender"),
    to_address: nullable("address", "receiver; null when the transaction creates a contract"),
    contract_address: nullable("address", "contract that the transaction created"),
    value_base: column("amount", "native coin sent along", "wei"),
    value_eth: column("double", "native coin sent along", "native coin"),
    nonce: column("integer", "transactions that the sender had sent before"),
    input: column("bytes", "call data"),
    method_id: nullable("bytes", "first four bytes of the call data; null when there are fewer"),
    type: column("small", "transaction type (EIP-2718); 0 for legacy"),
    gas_limit: column("integer", "most gas the transaction may use", "gas"),
    gas_used: column("integer", "gas used", "gas"),
    gas_price: column("wei", "price paid for gas (effective gas price)", "wei per gas"),
    max_fee_per_gas: nullable("wei", "fee cap (EIP-1559)", "wei per gas"),
    max_priority_fee_per_gas: nullable("wei", "tip cap (EIP-1559)", "wei per gas"),
    transaction_fee_eth: column(
      "double",
      "all that the sender paid: gas, blob gas and, on rollups, the fees for L1 data and for the operator",
      "native coin",
    ),
    transaction_fee_usd: nullable(
      "double",
      "the fee at the reference price in force before the transaction; null while there is none",
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
