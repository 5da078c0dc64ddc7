import { column } from "../column.ts";

const ROW_PLACE =
  "position of the row in its table: unique, ascending in chain order, and the same in every index of the chain that began with data format 10 or later";

export const recordIndex = column("integer", ROW_PLACE);
export const blockNumber = column("integer", "block number");
export const blockHash = column("hash", "block hash");
export const timestamp = column("time", "block time", "unix seconds");
export const transactionHash = column("hash", "transaction hash");
export const transactionIndex = column("integer", "position of the transaction in its block, from 0");
export const logIndex = column("integer", "position of the log in its block, from 0");
