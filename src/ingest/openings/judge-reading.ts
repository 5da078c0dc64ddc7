import { DAY_SECONDS } from "../../lib/seconds.ts";
import {
  MAX_SUMMED,
  NULL_REASONS,
  type NullReason,
  type OpeningRow,
} from "../../schema/tables/opening-balances.ts";
import type { TransferSums } from "../../storage/openings/transfer-sums.ts";
import { type Holding, tokenOf, walletOf } from "../../storage/stored-balances.ts";

/**
 * The balance of a holding after a block, as reported by the token's contract. It is judged only once the
 * block is final.
 */
export interface Reading {
  holding: Holding;
  block: number;
  /** Base units; null if the contract reported no balance. */
  balance: bigint | null;
}

/** A row to store, without the version, which `storeOpenings` adds. */
export type JudgedRow = Omit<OpeningRow, "version">;

interface Evidence {
  reading: Reading;
  /** Sums of the stored transfers up to the reading's block; undefined if there are none. */
  sums: TransferSums | undefined;
  firstBlock: number;
  /** Unix seconds. */
  now: number;
}

/**
 * A confirmed balance is checked again once its last check is this old. With few exceptions, tokens that
 * rebase do so at least once a day.
 */
export const RECHECK_SECONDS = DAY_SECONDS;

const MAX_AMOUNT = 2n ** 256n - 1n;

/**
 * Judges a reading, given what is already known about the balance before the first block. Returns the
 * resulting row. A balance is confirmed only if two readings with transfers between them differ by exactly
 * those transfers, and if no transfer would have made the balance negative or too large.
 *
 * @param known null: this is the first reading
 */
export function judgeReading(known: OpeningRow | null, evidence: Evidence): JudgedRow {
  const { reading } = evidence;
  if (known === null) return waiting(evidence);
  if (known.status === "confirmed") return recheck(known, evidence);
  if (reading.balance === null || known.observed_base === null || known.observed_block === null) {
    const isSilent = reading.balance === null && known.observed_base === null;
    return isSilent ? rejected(evidence, NULL_REASONS.noBalance) : waiting(evidence);
  }
  const { atBase, newest } = evidence.sums ?? NO_TRANSFERS;
  if (known.observed_base - atBase !== reading.balance - newest)
    return rejected(evidence, NULL_REASONS.notAsTransferred);
  // Transfers that cancel each other out prove nothing. The later reading takes the place of the first.
  if (atBase === newest) return waiting(evidence);
  return confirmed(known.observed_base - atBase, evidence);
}

const NO_TRANSFERS: TransferSums = { atBase: 0n, newest: 0n, lowest: 0n, highest: 0n, largest: 0n };

function confirmed(opening: bigint, evidence: Evidence): JudgedRow {
  const { lowest, highest, largest } = evidence.sums ?? NO_TRANSFERS;
  if (largest >= MAX_SUMMED || opening >= MAX_SUMMED) return rejected(evidence, NULL_REASONS.tooLarge);
  if (opening < 0n || opening + lowest < 0n || opening + highest > MAX_AMOUNT)
    return rejected(evidence, NULL_REASONS.notAsTransferred);
  const row = { ...rowOf(evidence), status: "confirmed", reason: null, balance_base: opening };
  return { ...row, is_applied: 0 };
}

/**
 * Returns the row of a confirmed balance after a later reading: rejected if the reading contradicts the
 * balance. Some tokens occasionally change balances without a transfer, which only a later reading detects.
 */
function recheck(known: OpeningRow, evidence: Evidence): JudgedRow {
  const { balance } = evidence.reading;
  const { newest } = evidence.sums ?? NO_TRANSFERS;
  const isRight = balance !== null && known.balance_base !== null && known.balance_base + newest === balance;
  const isLate = evidence.now - known.checked_at >= RECHECK_SECONDS;
  if (isRight) return { ...known, checked_at: evidence.now, is_rechecked: isLate ? 1 : known.is_rechecked };
  return { ...rejected(evidence, NULL_REASONS.notAsTransferred), is_applied: 0 };
}

function waiting(evidence: Evidence): JudgedRow {
  return { ...rowOf(evidence), status: "waiting", reason: NULL_REASONS.awaitingTransfer };
}

function rejected(evidence: Evidence, reason: NullReason): JudgedRow {
  return { ...rowOf(evidence), status: "rejected", reason };
}

function rowOf({ reading, firstBlock, now }: Evidence): JudgedRow {
  return {
    wallet_address: walletOf(reading.holding),
    token_address: tokenOf(reading.holding),
    first_block: firstBlock,
    status: "waiting",
    reason: null,
    balance_base: null,
    observed_block: reading.block,
    observed_base: reading.balance,
    checked_at: now,
    is_rechecked: 0,
    is_applied: 1,
  };
}
