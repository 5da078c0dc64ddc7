import { expect, it } from "vitest";
import { receivedCells, sentCells } from "./cells.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

it("keeps bytes, empty ones and missing ones, and sends bytes of a dictionary once", () => {
  const repeated = bytes(1, 2, 3);
  const values = [repeated, null, bytes(), repeated, undefined, bytes(4)];
  const sent = sentCells(values);
  expect(sent.kind === "bytes" && [...sent.bytes]).toEqual([1, 2, 3, 4]);
  const received = receivedCells(sent);
  expect(received).toEqual([repeated, null, bytes(), repeated, null, bytes(4)]);
  // Readers convert the same object only once if it is repeated, so repeated bytes must remain the same
  // object.
  expect(received[3]).toBe(received[0]);
});

it("keeps values that are not bytes, also among bytes", () => {
  for (const values of [[1n, 2n], ["a", null], [bytes(1), "b"], new Int32Array([5])])
    expect(receivedCells(sentCells(values))).toEqual(values);
});
