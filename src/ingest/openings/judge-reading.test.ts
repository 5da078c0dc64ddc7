import { describe, expect, it } from "vitest";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { MAX_SUMMED, type OpeningRow } from "../../schema/tables/opening-balances.ts";
import type { TransferSums } from "../../storage/openings/transfer-sums.ts";
import { holdingOf } from "../../storage/stored-balances.ts";
import { type JudgedRow, judgeReading } from "./judge-reading.ts";

const HOLDING = holdingOf(`0x${"01".repeat(20)}`, `0x${"02".repeat(20)}`);
const NO_TRANSFERS: TransferSums = { atBase: 0n, newest: 0n, lowest: 0n, highest: 0n, largest: 0n };

function judge(known: JudgedRow | null, block: number, balance: bigint | null, sums?: Partial<TransferSums>) {
  const row: OpeningRow | null = known === null ? null : { ...known, version: 1 };
  return judgeReading(row, {
    reading: { holding: HOLDING, block, balance },
    sums: sums === undefined ? undefined : { ...NO_TRANSFERS, ...sums },
    firstBlock: 100,
    now: 5_000 + block,
  });
}

const readOnce = (balance: bigint | null) => judge(null, 110, balance);

describe("judgeReading", () => {
  it("only remembers a first reading", () => {
    const row = { status: "waiting", balance_base: null, observed_block: 110, observed_base: 70n };
    expect(readOnce(70n)).toMatchObject({ ...row, reason: "awaiting_transfer", is_applied: 1 });
  });

  it("waits from the newer reading on, while transfers have not changed the balance", () => {
    const again = judge(readOnce(70n), 120, 70n);
    expect(again).toMatchObject({ status: "waiting", observed_block: 120, checked_at: 5_120 });
  });

  it("confirms a balance whose two readings differ by exactly the transfers between them", () => {
    const sums = { atBase: 20n, newest: -5n, lowest: -5n, highest: 30n, largest: 30n };
    const row = judge(readOnce(70n), 120, 45n, sums);
    expect(row).toMatchObject({ status: "confirmed", reason: null, balance_base: 50n, is_applied: 0 });
  });

  it.each([44n, 46n])("rejects a balance that transfers do not explain: %s", (balance) => {
    const sums = { atBase: 20n, newest: -5n, lowest: -5n, highest: 30n, largest: 30n };
    const row = judge(readOnce(70n), 120, balance, sums);
    expect(row).toMatchObject({ status: "rejected", reason: "not_as_transferred", balance_base: null });
  });

  it("rejects a change without any transfer", () => {
    expect(judge(readOnce(70n), 120, 71n)).toMatchObject({
      status: "rejected",
      reason: "not_as_transferred",
    });
  });

  it("rejects a balance that would have been negative meanwhile, or before the first block", () => {
    const dipped = judge(readOnce(10n), 120, 15n, { newest: 5n, lowest: -11n, largest: 16n });
    expect(dipped).toMatchObject({ status: "rejected", reason: "not_as_transferred" });
    const before = judge(readOnce(10n), 120, 5n, { atBase: 20n, newest: 15n, largest: 20n });
    expect(before).toMatchObject({ status: "rejected", reason: "not_as_transferred" });
  });

  it("rejects amounts whose sums the engine could not hold", () => {
    const row = judge(readOnce(0n), 120, MAX_SUMMED, { newest: MAX_SUMMED, largest: MAX_SUMMED });
    expect(row).toMatchObject({ status: "rejected", reason: "transfers_too_large" });
  });

  it("rejects a contract that twice reports no balance, and waits if it did so once", () => {
    expect(judge(readOnce(null), 120, null)).toMatchObject({
      status: "rejected",
      reason: "no_balance_reported",
    });
    for (const [first, second] of [
      [null, 5n],
      [5n, null],
    ] as const)
      expect(judge(readOnce(first), 120, second)).toMatchObject({ status: "waiting", observed_block: 120 });
  });

  it("checks a confirmed balance again, and rejects it if it no longer fits", () => {
    const sums = { atBase: 0n, newest: 5n, highest: 5n, largest: 5n };
    const confirmed = { ...judge(readOnce(70n), 120, 75n, sums), is_applied: 1 };
    expect(confirmed).toMatchObject({ status: "confirmed", balance_base: 70n });
    const later = { ...sums, newest: 9n, highest: 9n };
    const early = judge(confirmed, 130, 79n, later);
    expect(early).toMatchObject({ status: "confirmed", is_rechecked: 0, checked_at: 5_130 });
    const late = judge({ ...confirmed, checked_at: confirmed.checked_at - DAY_SECONDS }, 130, 79n, later);
    expect(late).toMatchObject({ status: "confirmed", is_rechecked: 1 });
    for (const wrong of [78n, null])
      expect(judge(confirmed, 130, wrong, later)).toMatchObject({
        ...{ status: "rejected", balance_base: null, is_applied: 0 },
      });
  });
});
