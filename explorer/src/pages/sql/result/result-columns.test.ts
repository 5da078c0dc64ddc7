import { expect, it } from "vitest";
import { columnsOf } from "./result-columns.ts";

const HASH = `0x${"ab".repeat(32)}`;
const ADDRESS = `0x${"cd".repeat(20)}`;

const kinds = (row: Record<string, string | number | boolean | null>) =>
  Object.fromEntries(columnsOf([row], undefined).map(({ name, kind }) => [name, kind]));

it("determines a column's kind by its name and values", () => {
  expect(
    kinds({
      timestamp: "2026-01-01T00:00:00.000Z",
      token_address: ADDRESS,
      trader_address: ADDRESS,
      pool_address: HASH,
      transaction_hash: HASH,
      block_hash: HASH,
      block_number: 5,
      total: "115792089237316195423570985008687907853269984665640564039457584007913129639935",
      data: "0x12",
      is_large: true,
      side: "buy",
      nothing: null,
    }),
  ).toEqual({
    timestamp: "time",
    token_address: "token",
    trader_address: "wallet",
    pool_address: "pool",
    transaction_hash: "transaction",
    block_hash: "hash",
    block_number: "block",
    total: "number",
    data: "hex",
    is_large: "boolean",
    side: "text",
    nothing: "text",
  });
});

it("does not link an alias with other values", () => {
  expect(kinds({ token_address: 12, block_number: "none" })).toEqual({
    token_address: "number",
    block_number: "text",
  });
});
