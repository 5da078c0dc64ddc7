import { expect, it } from "vitest";
import { missingRowsReason, type StoredRows } from "./stored-rows.ts";

const PRUNED: StoredRows = { keep: "all", first_block: 100, raw_first_block: 150 };

it("has no reason if the rows are stored", () => {
  expect(missingRowsReason(PRUNED, "transactions", 150)).toBe(null);
  expect(missingRowsReason({ ...PRUNED, raw_first_block: 100 }, "logs", 100)).toBe(null);
  expect(missingRowsReason({ ...PRUNED, keep: "no-logs" }, "erc20", 150)).toBe(null);
});

it("names the first block whose rows were not pruned", () => {
  expect(missingRowsReason(PRUNED, "transactions", 149)).toBe(
    "The transactions of blocks before 150 were pruned.",
  );
  expect(missingRowsReason(PRUNED, "erc20", 149)).toMatch(/^The ERC-20 transfers of/);
});

it("names the setting that left out the rows", () => {
  const trades: StoredRows = { keep: "trades", first_block: 100, raw_first_block: null };
  for (const table of ["transactions", "logs", "erc20", "erc721"] as const)
    expect(missingRowsReason(trades, table, 150)).toMatch(/does not store .*: .* --keep trades\.$/);
  expect(missingRowsReason({ ...PRUNED, keep: "no-logs" }, "logs", 100)).toMatch(/--keep no-logs/);
});
