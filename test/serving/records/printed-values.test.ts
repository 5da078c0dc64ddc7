import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordPrinter } from "../../../src/engine-sql/record-printer.ts";
import { type Sql, sql } from "../../../src/engine-sql/sql-text.ts";
import { engineNumber } from "../../../src/lib/json/json-number.ts";
import { column } from "../../../src/schema/column.ts";
import { table } from "../../../src/schema/table.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { openFreshEngine } from "../../support/engine/fresh-engine.ts";

/** Number of doubles. For a longer run: PRINTED_DOUBLES=3000000. */
const COUNT = Number(process.env.PRINTED_DOUBLES ?? 40_000);

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

async function bytesOf(statement: Sql, format: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of engine.stream(statement, format)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Expressions with which the engine computes a double from a row's `number` or from its hash. */
const KINDS: Record<string, Sql> = {
  "of random bits": sql`reinterpretAsFloat64(cityHash64(number))`,
  denormal: sql`reinterpretAsFloat64(bitShiftRight(cityHash64(number), 12 + number % 52))`,
  whole: sql`toFloat64(bitShiftRight(cityHash64(number), number % 64))`,
  "whole and large": sql`toFloat64(cityHash64(number)) * pow(2, number % 80)`,
  halves: sql`toInt64(bitShiftRight(cityHash64(number), 12 + number % 52)) / 2`,
  "of few digits": sql`toInt64(cityHash64(number) % 100000) / pow(10, number % 30)`,
  "around powers of two": sql`reinterpretAsFloat64(bitShiftLeft(toUInt64(number % 2047), 52) + toUInt64(intDiv(number, 2047) % 9) - 4)`,
  "around powers of ten": sql`reinterpretAsFloat64(reinterpretAsUInt64(pow(10, toInt64(number % 632) - 323)) + toUInt64(intDiv(number, 632) % 9) - 4)`,
};

describe("a double in JSON", () => {
  it.each(Object.entries(KINDS))("%s has the engine's digits", async (_, expression) => {
    const values = sql`SELECT ${expression} AS v FROM numbers(${COUNT.toFixed(0) as Sql}) WHERE isFinite(v)`;
    const [binary, text] = await Promise.all([bytesOf(values, "RowBinary"), bytesOf(values, "TSV")]);
    const printed = text.toString().split("\n");
    expect(printed.length - 1).toBe(binary.length / 8);
    expect(binary.length / 8).toBeGreaterThan(COUNT / 2);
    const wrong = printed.filter((one, i) => one !== "" && engineNumber(binary.readDoubleLE(8 * i)) !== one);
    expect(wrong.slice(0, 9)).toEqual([]);
  });

  it("has the same digits in JSON as in the engine's other texts", async () => {
    const values = sql`SELECT ${KINDS["of random bits"] as Sql} AS v FROM numbers(5000) WHERE isFinite(v)`;
    const [json, text] = await Promise.all([bytesOf(values, "JSONEachRow"), bytesOf(values, "TSV")]);
    expect(json.toString()).toBe(text.toString().replaceAll(/(.+)\n/g, '{"v":$1}\n'));
  });
});

describe("a string in JSON", () => {
  const print = recordPrinter(
    table({
      name: "texts",
      doc: "",
      columns: { v: column("text", "") },
      key: ["v"],
      order: ["v"],
      blockColumn: "v",
    }),
  );

  /**
   * Characters of one to three bytes in UTF-8, most of them before a letter, and surrogates with and without
   * their other half.
   */
  const texts = [
    ...Array.from({ length: 0x300 }, (_, i) => String.fromCharCode(i, 0x41)),
    ...Array.from({ length: 0x100 }, (_, i) => String.fromCharCode(0x2000 + i)),
    ...Array.from({ length: 0x200 }, (_, i) => String.fromCharCode(0xd700 + 0x20 * i, 0x61)),
    ..."\ufeff\ufffd\ufffe\uffff",
    '😀/\u2028\u0000"\\\u001f\u007f',
    "a\ud83d",
    "\ude00b/",
    "",
  ];

  it("is escaped like the engine's", async () => {
    const hexes = texts.map((text) => Buffer.from(text, "utf8").toString("hex"));
    const list = `'${hexes.join(",")}'` as Sql;
    const values = sql`SELECT unhex(arrayJoin(splitByChar(',', ${list}))) AS v`;
    const lines = (await bytesOf(values, "JSONEachRow")).toString().split("\n");
    expect(texts.map((v) => print({ v }))).toEqual(lines.slice(0, -1));
  });
});
