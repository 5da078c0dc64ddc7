import { column, nullable } from "../column.ts";
import { type Row, table } from "../table.ts";

/**
 * Which balances from before the first indexed block are searched for: the balances that TVL needs, the
 * balances of all holders that transfers name, or none.
 */
export const OPENING_MODES = ["pools", "all", "none"] as const;

export type OpeningMode = (typeof OPENING_MODES)[number];

/**
 * Status of a holding's balance before the first indexed block:
 *
 * - `waiting`: read, but not confirmed yet
 * - `confirmed`: found, and confirmed by a second reading after further transfers
 * - `rejected`: transfers do not explain the balance, or the contract does not report one
 */
export const OPENING_STATUSES = ["waiting", "confirmed", "rejected"] as const;

export type OpeningStatus = (typeof OPENING_STATUSES)[number];

/**
 * Maximum amount that is summed. Sums of larger amounts could exceed the engine's signed integers. No honest
 * token moves that many units.
 */
export const MAX_SUMMED = 2n ** 224n;

/** Why a balance is not known. docs/balances.md explains each. */
export const NULL_REASONS = {
  awaitingTransfer: "awaiting_transfer",
  notAsTransferred: "not_as_transferred",
  noBalance: "no_balance_reported",
  tooLarge: "transfers_too_large",
} as const;

export type NullReason = (typeof NULL_REASONS)[keyof typeof NULL_REASONS];

/**
 * What is known about balances before the first indexed block: one row for each holding that was read. It is
 * not a table of blocks: a rollback does not change what was true before the first block. A row with a later
 * `version` replaces an earlier one.
 */
export const openingBalances = table({
  name: "opening_balances",
  doc: "Balances before the first indexed block.",
  columns: {
    wallet_address: column("address", "holder"),
    token_address: column("address", "token contract"),
    first_block: column("integer", "first block of the index; rows with another first block are ignored"),
    status: column("label", "waiting, confirmed or rejected"),
    reason: nullable("label", "why the balance is unknown; null if it is known"),
    balance_base: nullable("amount", "balance before the first block; null unless confirmed", "base units"),
    observed_block: nullable("integer", "block of the reading that a later reading must agree with"),
    observed_base: nullable("amount", "what balanceOf() returned in that block", "base units"),
    checked_at: column("integer", "time of the last change of status, or of the last check", "unix seconds"),
    is_rechecked: column("small", "1: a confirmed balance was checked again after a day"),
    is_applied: column("small", "1: token_balances agrees with this row"),
    version: column("integer", "order of the rows of one holding"),
  },
  key: ["wallet_address", "token_address"],
  order: ["wallet_address", "token_address"],
  blockColumn: "first_block",
});

export type OpeningRow = Row<typeof openingBalances>;
