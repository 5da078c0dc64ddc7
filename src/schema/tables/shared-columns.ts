import { column } from "../column.ts";

const ROW_PLACE =
  "place of the row in its table: ascending in chain order, unique, the same in every index of the chain";

export const recordIndex = column("integer", ROW_PLACE);
export const blockNumber = column("integer", "number of the block");
export const blockHash = column("hash", "hash of the block");
export const timestamp = column("time", "time of the block", "unix seconds");
export const transactionHash = column("hash", "hash of the transaction");
export const transactionIndex = column("integer", "place of the transaction in its block, from 0");
export const logIndex = column("integer", "place of the log in its block, from 0");
