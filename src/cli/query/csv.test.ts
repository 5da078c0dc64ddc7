import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCsv } from "./csv.ts";

describe("parseCsv", () => {
  it.each([
    ["", []],
    ['"a","b"\n', [["a", "b"]]],
    ['"a"\n1\n', [["a"], ["1"]]],
    [
      '"a","b"\n,""\n',
      [
        ["a", "b"],
        [null, ""],
      ],
    ],
    ['"a"\n\n"x"\n', [["a"], [null], ["x"]]],
    ['"two\nlines","a ""quoted"" one"\n', [["two\nlines", 'a "quoted" one']]],
  ])("%j", (text, records) => {
    expect(parseCsv(text)).toEqual(records);
  });

  it("reads any written records back", () => {
    const field = fc.option(fc.string({ unit: "binary" }));
    const written = (value: string | null) => (value === null ? "" : `"${value.replaceAll('"', '""')}"`);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(field), (width, fields) => {
        const count = Math.floor(fields.length / width);
        const rows = Array.from({ length: count }, (_, i) => fields.slice(i * width, (i + 1) * width));
        const text = rows.map((row) => `${row.map(written).join(",")}\n`).join("");
        expect(parseCsv(text)).toEqual(rows);
      }),
    );
  });
});
