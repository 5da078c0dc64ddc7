import { expect, it } from "vitest";
import { hasTradesOnly } from "../../queries/chain/stored-rows.ts";
import { missingTransactionText } from "./missing-transaction.ts";

const STATUS = {
  ...{ chain: "eth", first_block: 100, indexed_block: 200, raw_first_block: 100 },
  keep: "all" as const,
};

it("names the searched blocks, and the possible reason", () => {
  expect(missingTransactionText(STATUS)).toMatch(
    /^No transaction with this hash in blocks 100 to 200 of eth\. It may be pending/,
  );
  expect(hasTradesOnly(STATUS)).toBe(false);
  const empty = { ...STATUS, first_block: null, indexed_block: null, raw_first_block: null };
  expect(missingTransactionText(empty)).toBe("No block of eth is indexed yet.");
});

it("says that transactions were pruned", () => {
  const pruned = { ...STATUS, raw_first_block: 150 };
  expect(missingTransactionText(pruned)).toMatch(
    /in blocks 150 to 200 of eth\. Transactions in earlier blocks were/,
  );
  expect(hasTradesOnly(pruned)).toBe(true);
});

it("says that the index does not store transactions", () => {
  const trades = { ...STATUS, keep: "trades" as const, raw_first_block: null };
  expect(missingTransactionText(trades)).toMatch(/does not store transactions: .* no trade with this hash/);
  expect(hasTradesOnly(trades)).toBe(true);
});
