import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RlpItem, rlp } from "./encoding.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.uint8Array({ minLength: 54, maxLength: 57 }),
  fc.uint8Array({ minLength: 250, maxLength: 260 }),
);
const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, bytes, fc.array(tie("item"), { maxLength: 5 })),
}));

describe("rlp", () => {
  it("encodes as the reference implementation does", () => {
    fc.assert(
      fc.property(item, (one) => {
        expect(Buffer.from(rlp(one)).equals(RLP.encode(one))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([0, 1, 55, 56, 255, 256, 65_535, 65_536])(
    "encodes strings of %i bytes, and lists of that size, as the reference implementation does",
    (length) => {
      const one = new Uint8Array(length).fill(200);
      expect(Buffer.from(rlp(one)).equals(RLP.encode(one))).toBe(true);
      expect(Buffer.from(rlp([one, [one]])).equals(RLP.encode([one, [one]]))).toBe(true);
    },
  );
});
