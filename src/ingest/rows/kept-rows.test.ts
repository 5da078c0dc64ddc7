import { describe, expect, it } from "vitest";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { FAN_OUT_RECIPIENTS } from "../../schema/scope.ts";
import type { RowOf } from "../../schema/tables.ts";
import { keptRows } from "./kept-rows.ts";

const [row] = batchOf({ first: 1, last: 1, rowsPerTable: 1 }).rows.erc20 ?? [];

function payouts(recipients: number, token: "a" | "b"): RowOf<"erc20">[] {
  if (row === undefined) throw new Error("no row");
  return Array.from({ length: recipients }, (_, i) => ({
    ...row,
    token_address: `0x${token.repeat(40)}` as const,
    to_address: `0x${String(i).padStart(40, "0")}` as const,
    record_index: i,
  }));
}

describe("kept rows", () => {
  it("of transfers are those of airdrops, with their own record_index, if transfers are not kept", () => {
    const [airdrop, payout] = [payouts(FAN_OUT_RECIPIENTS, "a"), payouts(FAN_OUT_RECIPIENTS - 1, "b")];
    const raw = { transactions: [], logs: [], erc20: [...payout, ...airdrop], erc721: [] };
    expect(keptRows(raw, { keep: "trades", rawFrom: 0 }).erc20).toEqual(airdrop);
    expect(keptRows(raw, { keep: "no-logs", rawFrom: 0 }).erc20).toEqual(raw.erc20);
  });
});
