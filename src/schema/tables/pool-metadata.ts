import { column, hidden, nullable } from "../column.ts";
import { table } from "../table.ts";
import { recordIndex } from "./shared-columns.ts";

const OLDER = "null for a pool older than the first indexed block";

export const poolMetadata = table({
  name: "pool_metadata",
  doc: "Genuine DEX pools, created by a known factory.",
  columns: {
    block_number_created: nullable("integer", `block in which the pool was created; ${OLDER}`),
    pool_address: column("pool_id", "pool address; for Uniswap V4 the 32-byte pool id"),
    protocol: column("label", "protocol identifier"),
    timestamp_created: nullable("time", `time at which the pool was created; ${OLDER}`, "unix seconds"),
    token_0_address: column("address", "first token"),
    token_1_address: column("address", "second token"),
    token_addresses: column(
      "text",
      "all tokens, in the pool's order, separated by commas; a token that is not known yet is left empty",
    ),
    underlying_token_addresses: column(
      "text",
      "for lending pools and metapools (Curve): tokens that can be swapped in place of the pool's own, separated by commas; empty for other pools",
    ),
    fee: nullable("integer", "swap fee, if the pool has a fixed one", "millionths"),
    hooks_address: nullable(
      "address",
      "hook of a Uniswap V4 or PancakeSwap Infinity pool, extension of an Ekubo pool, or hook of a Balancer V3 pool that may change the amounts of swaps; the zero address if the pool has none, null if the protocol has no hooks",
    ),
    hooks_flags: nullable(
      "integer",
      "the hook's permissions, in the bits of Uniswap V4: in Uniswap V4, the lowest 14 bits of its address; in Ekubo and Balancer V3, 4 (may change the amounts of swaps); null if the protocol has no hooks",
    ),
    factory_address: column("address", "factory that created the pool"),
    record_index: recordIndex,
    family: hidden(column("label", "how the pool computes its price")),
    first_seen_block_number: hidden(
      column("integer", "block in which the pool was created or had its first swap"),
    ),
  },
  key: ["pool_address"],
  order: ["pool_address"],
  blockColumn: "first_seen_block_number",
});
