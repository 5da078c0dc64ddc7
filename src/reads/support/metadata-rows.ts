import type { Hex } from "../../lib/hex.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import type { RowOf } from "../../schema/tables.ts";

const FACTORY: Hex = `0x${"fa".padStart(40, "0")}`;

/** The block of a row, and its position among the block's records. */
type Place = [block: number, ordinal: number];

/** Returns the metadata row of a token with 18 decimals. */
export function tokenRow(
  address: Hex,
  [block, ordinal]: Place,
  more: Partial<RowOf<"token_metadata">> = {},
): RowOf<"token_metadata"> {
  return {
    token_address: address,
    token_symbol: `T${Number(address)}`,
    token_name: `Token ${Number(address)}`,
    decimals: 18,
    first_seen_block_number: block,
    record_index: recordIndexOf("wide", block, ordinal),
    is_born: 0,
    ...more,
  };
}

/** Returns the metadata row of a Uniswap V3 pool that is older than the first indexed block. */
export function poolRow(
  address: Hex,
  tokens: readonly Hex[],
  [block, ordinal]: Place,
  more: Partial<RowOf<"pool_metadata">> = {},
): RowOf<"pool_metadata"> {
  return {
    block_number_created: null,
    timestamp_created: null,
    pool_address: address,
    protocol: "uniswap_v3",
    token_0_address: tokens[0] ?? "0x",
    token_1_address: tokens[1] ?? "0x",
    token_addresses: tokens.join(),
    underlying_token_addresses: "",
    fee: 3000,
    hooks_address: null,
    hooks_flags: null,
    factory_address: FACTORY,
    record_index: recordIndexOf("wide", block, ordinal),
    family: "uniswap-v3",
    first_seen_block_number: block,
    ...more,
  };
}

/** Returns the row of a wallet's balance of a token with 18 decimals. */
export function balanceRow(
  [wallet, token]: [wallet: Hex, token: Hex],
  units: number,
  [block, ordinal]: Place,
  timestamp: number,
): RowOf<"token_balances"> {
  return {
    ...{ wallet_address: wallet, token_address: token, token_symbol: null },
    ...{ balance_base: BigInt(units) * 10n ** 18n, balance_token: units },
    ...{ block_number: block, timestamp, record_index: recordIndexOf("wide", block, ordinal) },
  };
}
