import { column, hidden, nullable } from "../column.ts";
import { table } from "../table.ts";
import { recordIndex } from "./shared-columns.ts";

export const tokenMetadata = table({
  name: "token_metadata",
  doc: "Token contracts, as they describe themselves.",
  columns: {
    token_address: column("address", "token contract"),
    token_symbol: nullable("text", "symbol(); null when the contract does not answer"),
    token_name: nullable("text", "name(); null when the contract does not answer"),
    decimals: nullable("small", "decimals(); null when the contract does not answer"),
    first_seen_block_number: column("integer", "first indexed block in which the token moved or got a pool"),
    record_index: recordIndex,
    is_born: hidden(column("small", "1: its contract was created in the block in which it was first seen")),
  },
  key: ["token_address"],
  order: ["token_address"],
  blockColumn: "first_seen_block_number",
});
