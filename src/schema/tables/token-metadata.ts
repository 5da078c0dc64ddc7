import { column, hidden, nullable } from "../column.ts";
import { table } from "../table.ts";
import { recordIndex } from "./shared-columns.ts";
import { spamVerdict } from "./verdict-columns.ts";

export const tokenMetadata = table({
  name: "token_metadata",
  doc: "Token contracts with the metadata they report.",
  columns: {
    token_address: column("address", "token contract"),
    token_symbol: nullable("text", "from symbol() or a token list; null if neither has it"),
    token_name: nullable("text", "from name() or a token list; null if neither has it"),
    decimals: nullable("small", "from decimals() or a token list; null if neither has it"),
    first_seen_block_number: column(
      "integer",
      "first indexed block with a transfer or a new pool of the token",
    ),
    record_index: recordIndex,
    is_born: hidden(column("small", "1: its contract was created in the block in which it was first seen")),
  },
  verdicts: spamVerdict,
  key: ["token_address"],
  order: ["token_address"],
  blockColumn: "first_seen_block_number",
});
