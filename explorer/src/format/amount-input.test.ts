import { expect, it } from "vitest";
import { parseAmount } from "./amount-input.ts";

it.each([
  ["1000", 1_000],
  ["1,000", 1_000],
  ["1k", 1_000],
  ["12.5k", 12_500],
  ["$1,234,567.5", 1_234_567.5],
  ["16.1k", 16_100],
  ["4M", 4_000_000],
  [".5", 0.5],
  [" 7 ", 7],
  ["0", 0],
])("reads %s as %s", (text, sum) => expect(parseAmount(text)).toBe(sum));

it.each(["", "$", "k", "0x10", "1e3", "1,00", "-5", "Infinity", "1k2", "ten"])(
  "does not read %s as an amount",
  (text) => expect(parseAmount(text)).toBeUndefined(),
);
