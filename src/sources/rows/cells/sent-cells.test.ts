import { expect, it } from "vitest";
import type { Cells } from "./cells.ts";
import { receivedCells, sentSlice } from "./received-cells.ts";
import { sentCells, sizeOfCells } from "./sent-cells.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);
const valuesOf = (cells: Cells) => Array.from({ length: cells.length }, (_, row) => cells.at(row));

it("keeps bytes, empty ones and missing ones, and sends bytes of a dictionary once", () => {
  const repeated = bytes(1, 2, 3);
  const values = [repeated, null, bytes(), repeated, undefined, bytes(4)];
  const sent = sentCells(values);
  expect(sent.kind === "bytes" && [...sent.bytes]).toEqual([1, 2, 3, 4]);
  expect(valuesOf(receivedCells(sent))).toEqual([repeated, null, bytes(), repeated, null, bytes(4)]);
});

it("returns the same object for consecutive rows with the same bytes, so that readers convert them once", () => {
  const repeated = bytes(1, 2, 3);
  const received = receivedCells(sentCells([bytes(4), repeated, repeated]));
  expect(received.at(2)).toBe(received.at(1));
  expect(received.at(0)).toEqual(bytes(4));
});

it("keeps values that are not bytes, also among bytes", () => {
  for (const values of [["a", null], [bytes(1), "b"], [true, null], [0.5], [2n ** 64n], [["a"], null]])
    expect(valuesOf(receivedCells(sentCells(values)))).toEqual([...values]);
});

it("sends whole numbers below 2^53 of any type, and missing ones, as numbers", () => {
  for (const [values, expected] of [
    [
      [1n, null, 2n],
      [1, null, 2],
    ],
    [
      [0, undefined],
      [0, null],
    ],
    [new Int32Array([5]), [5]],
    [new BigUint64Array([7n]), [7]],
  ] as const)
    expect(valuesOf(receivedCells(sentCells(values)))).toEqual(expected);
});

const text = (value: string) => Buffer.from(value);

it("reads text of bytes as hex if it is in lower case", () => {
  const cells = ["0x", "0x1f", "0x1F", "1f", "0x1", "0xé", ""];
  const received = receivedCells(sentCells(cells.map(text), true));
  expect(received.at(2)).toBe("0x1F");
  expect(cells.map((_, row) => received.hexAt?.(row))).toEqual(["0x", "0x1f", null, null, null, null, null]);
});

it("sends lists of texts as one array, and a missing list as an empty one", () => {
  const lists = [[text("0x11"), text("0x22")], null, [], [text("b")], [null]];
  const sent = sentCells(lists, true);
  const received = receivedCells(sent);
  expect(sent.kind).toBe("lists");
  expect(valuesOf(received)).toEqual([["0x11", "0x22"], [], [], ["b"], [null]]);
  expect([0, 1, 3, 4].map((row) => received.hexListAt?.(row, 4))).toEqual([["0x11", "0x22"], [], null, null]);
  expect(received.hexListAt?.(0, 1)).toBeNull();
});

it("gives the same values in a slice, also from a dictionary and without values", () => {
  const [one, two, three] = [bytes(1), bytes(2, 2), bytes(3)];
  for (const values of [
    [one, two, null, two, three],
    [one, two, one, null, three],
    [null, one, null, null, two],
    [1n, null, 3n, 4n, 5n],
    ["a", null, "b", "c", "d"],
    [[one], [two, three], null, [], [one]],
  ]) {
    const cells = receivedCells(sentCells(values));
    for (let start = 0; start <= values.length; start++) {
      for (let end = start; end <= values.length; end++) {
        const slice = receivedCells(sentSlice(cells, start, end));
        expect(valuesOf(slice)).toEqual(valuesOf(cells).slice(start, end));
      }
    }
  }
});

it("puts only the bytes of its rows into a slice", () => {
  const cells = receivedCells(sentCells([bytes(1), bytes(2), bytes(1), bytes(3)]));
  expect(sizeOfCells(sentSlice(cells, 1, 2))).toBe(1 + 4 + 4);
});

it("counts the bytes of texts, and texts that are not sent as bytes once for each row", () => {
  const long = "a".repeat(1_000);
  expect(sizeOfCells(sentCells([text(long), text(long)], true))).toBeGreaterThan(2_000);
  expect(sizeOfCells(sentCells([long, long]))).toBeGreaterThan(2_000);
  expect(sizeOfCells(sentCells([[long, long], null]))).toBeGreaterThan(2_000);
  expect(sizeOfCells(sentCells(new Int32Array(10)))).toBe(80);
});
