import { poolTokensText } from "../../schema/pool-tokens.ts";
import { type RecordNumbering, recordIndexOf } from "../../schema/record-index.ts";
import type { Pool } from "../../schema/swap.ts";
import type { RowOf } from "../../schema/tables.ts";
import type { NewToken } from "../caches/record-block.ts";

/** Makes the rows of pools that are first seen in a block. */
export function poolRows(
  numbering: RecordNumbering,
  firstSeenBlock: number,
  pools: readonly Pool[],
): RowOf<"pool_metadata">[] {
  return pools.map((pool, i) => ({
    block_number_created: pool.createdBlock,
    pool_address: pool.address,
    protocol: pool.protocol,
    timestamp_created: pool.createdTimestamp,
    token_0_address: pool.token0,
    token_1_address: pool.token1,
    token_addresses: poolTokensText(pool.tokens),
    underlying_token_addresses: poolTokensText(pool.underlying),
    fee: pool.fee,
    hooks_address: pool.hooks,
    hooks_flags: pool.hookFlags,
    factory_address: pool.factory,
    record_index: recordIndexOf(numbering, firstSeenBlock, i),
    family: pool.family,
    first_seen_block_number: firstSeenBlock,
  }));
}

/** Makes the rows of tokens that are first seen in a block. */
export function tokenRows(
  numbering: RecordNumbering,
  firstSeenBlock: number,
  tokens: readonly NewToken[],
): RowOf<"token_metadata">[] {
  return tokens.map(({ token, wasCreated }, i) => ({
    token_address: token.address,
    token_symbol: token.symbol,
    token_name: token.name,
    decimals: token.decimals,
    first_seen_block_number: firstSeenBlock,
    record_index: recordIndexOf(numbering, firstSeenBlock, i),
    is_born: wasCreated ? 1 : 0,
  }));
}
