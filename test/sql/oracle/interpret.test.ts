import { describe, expect, it } from "vitest";
import { differenceFromInterpreter } from "../support/interpreted-fixture.ts";
import { interpret, type TableSource } from "./interpret.ts";

const blocks = [
  { block_number: 1, timestamp: 1_709_164_800, size: 30, base_fee_per_gas: null },
  { block_number: 2, timestamp: 1_709_251_200, size: 10, base_fee_per_gas: 2n ** 60n },
  { block_number: 3, timestamp: 1_709_251_201, size: 20, base_fee_per_gas: 7n },
];

const source: TableSource = {
  rows: (chain, table) => (chain === "base" && table === "blocks" ? blocks : []),
  chains: ["eth", "base"],
  now: 1_709_251_202,
};

describe("the interpreter", () => {
  it("returns rows as JSON values in the order of the answer", () => {
    const query =
      "SELECT timestamp AS t, base_fee_per_gas AS fee, size / 4 AS s FROM base_blocks ORDER BY size DESC";
    expect(interpret(query, source)).toEqual([
      { t: "2024-02-29T00:00:00.000Z", fee: null, s: 7.5 },
      { t: "2024-03-01T00:00:01.000Z", fee: 7, s: 5 },
      { t: "2024-03-01T00:00:00.000Z", fee: "1152921504606846976", s: 2.5 },
    ]);
  });

  it("uses the time of the query", () => {
    const query = "SELECT block_number FROM base_blocks WHERE timestamp >= NOW() - INTERVAL 1 SECOND";
    expect(interpret(query, source)).toEqual([{ block_number: 3 }]);
  });

  it("limits the rows of queries without LIMIT", () => {
    const bounded = { ...source, maxRows: 2 };
    expect(interpret("SELECT size FROM base_blocks", bounded)).toHaveLength(2);
    expect(interpret("SELECT size FROM base_blocks LIMIT 3", bounded)).toHaveLength(3);
  });

  it("returns one row for aggregates of no rows, and none for groups of no rows", () => {
    const total = "SELECT COUNT(*) AS n, SUM(size) AS s FROM eth_blocks";
    expect(interpret(total, source)).toEqual([{ n: 0, s: null }]);
    expect(interpret(`${total} GROUP BY size`, source)).toEqual([]);
  });

  it.each([
    ["table", "SELECT 1 FROM eth_tokens", "Unknown table: eth_tokens"],
    ["column", "SELECT sizes FROM eth_blocks", "Unknown column: sizes"],
    ["hidden column", "SELECT log_count FROM eth_blocks", "Unknown column: log_count"],
    ["function", "SELECT SOUNDEX('a') FROM eth_blocks", "Unknown function: SOUNDEX"],
    ["clause", "SELECT size FROM eth_blocks b WINDOW w", "Unknown clause: WINDOW"],
  ])("throws for an unknown %s", (_, query, message) => {
    expect(() => interpret(query, source)).toThrow(message);
  });
});

describe("the difference between an answer and the interpreter's answer", () => {
  const two = "SELECT log_index AS i FROM eth_dex_trades ORDER BY side LIMIT 2";
  const sum = "SELECT SUM(amount_eth) AS s FROM eth_dex_trades";
  const largest = "SELECT MAX(amount_eth) AS m FROM eth_dex_trades";

  it.each([
    ["some rows of many that ORDER BY leaves equal", two, ['{"i":12}', '{"i":3}']],
    ["the last digit of a sum of doubles", sum, ['{"s":0.09100000000000001}']],
    ["no row after the last", `${largest} LIMIT 5 OFFSET 1`, []],
  ])("is none for %s", (_, query, lines) => {
    expect(differenceFromInterpreter(query, lines)).toBeNull();
  });

  it.each([
    ["a row twice", two, ['{"i":12}', '{"i":12}']],
    [
      "rows in another order",
      "SELECT size FROM eth_blocks ORDER BY size LIMIT 2",
      ['{"size":501}', '{"size":500}'],
    ],
    ["a row too few", two, ['{"i":12}']],
    ["the last digit of a column", largest, ['{"m":0.013000000000000001}']],
    ["another sum", sum, ['{"s":0.0910000001}']],
    ["another name", sum, ['{"S":0.091}']],
    ["a text for a number", "SELECT COUNT(*) AS n FROM eth_blocks", ['{"n":"7"}']],
  ])("reports %s", (_, query, lines) => {
    expect(differenceFromInterpreter(query, lines)).toMatch(/instead of/);
  });
});
