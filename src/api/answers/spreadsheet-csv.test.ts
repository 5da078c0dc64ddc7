import { expect, it } from "vitest";
import { spreadsheetCsv } from "./spreadsheet-csv.ts";

async function converted(csv: string, pieceBytes: number): Promise<string> {
  const bytes = Buffer.from(csv);
  async function* pieces() {
    for (let i = 0; i < bytes.length; i += pieceBytes) yield bytes.subarray(i, i + pieceBytes);
  }
  const parts: Uint8Array[] = [];
  for await (const part of spreadsheetCsv(pieces())) parts.push(part);
  return Buffer.concat(parts).toString();
}

it.each([1, 2, 3, 1000])(
  "strings that start like a formula get an apostrophe, in pieces of %i bytes",
  async (size) => {
    for (const start of ["=", "+", "-", "@", "\t", "\r"]) {
      expect(await converted(`"${start}1"\n1,"${start}2","x"\n`, size)).toBe(
        `"'${start}1"\n1,"'${start}2","x"\n`,
      );
    }
  },
);

it.each([1, 1000])("all else stays as it is, in pieces of %i bytes", async (size) => {
  const csv = `"n","text"\n-1,"a=b"\n+2,"a,""=b"""\n,"a\n=b"\n-3e-7,""\n1,"""=c"\n2,"x"",-y"\n`;
  expect(await converted(csv, size)).toBe(csv);
});
