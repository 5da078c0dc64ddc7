import { createMPT } from "@ethereumjs/mpt";
import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBytes } from "../../lib/hex.ts";
import { type RlpItem, rlp } from "./encoding.ts";
import { orderedRoot } from "./ordered-root.ts";

async function rootByLibrary(values: Uint8Array[]): Promise<string> {
  const trie = await createMPT();
  for (const [index, value] of values.entries()) {
    const digits = index.toString(16);
    const key = index === 0 ? "" : digits.padStart(digits.length + (digits.length % 2), "0");
    await trie.put(rlp(Buffer.from(key, "hex")), value);
  }
  return fromBytes(trie.root());
}

describe("orderedRoot", () => {
  it("of an empty list is the root in empty blocks", () => {
    expect(orderedRoot([])).toBe("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
  });

  it("equals a general trie's root for lists of 0 to 300 items, short and long", async () => {
    const item = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      fc.uint8Array({ minLength: 100, maxLength: 300 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 300, size: "max" }), async (values) => {
        expect(orderedRoot(values)).toBe(await rootByLibrary(values));
      }),
      { numRuns: 25 },
    );
  });

  it.each([1, 2, 16, 17, 127, 128, 129, 255, 256, 257, 300])(
    "equals a general trie's root at %i items, where the form of the keys changes",
    async (length) => {
      const values = Array.from({ length }, (_, i) => Uint8Array.of(1 + (i % 255), i >> 8));
      expect(orderedRoot(values)).toBe(await rootByLibrary(values));
    },
  );
});

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
