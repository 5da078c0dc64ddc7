import { expect, it } from "vitest";
import type { Cells } from "../cells/row-batch.ts";
import { receivedCells, sentCells, sizeOfCells } from "./cells.ts";

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
  for (const values of [[1n, 2n], ["a", null], [bytes(1), "b"], new Int32Array([5])])
    expect(valuesOf(receivedCells(sentCells(values)))).toEqual([...values]);
});

it("counts the characters of texts, also in lists and if they are repeated", () => {
  const text = "a".repeat(1_000);
  expect(sizeOfCells(sentCells([text, text]))).toBeGreaterThan(2_000);
  expect(sizeOfCells(sentCells([[text, text], null]))).toBeGreaterThan(2_000);
  expect(sizeOfCells(sentCells(new Int32Array(10)))).toBe(80);
});
