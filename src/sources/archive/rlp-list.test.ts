import { RLP } from "@ethereumjs/rlp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RlpItem, rlp, rlpOfEncoded } from "../verify/encoding.ts";
import { MalformedRlp, RlpList } from "./rlp-list.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);
const { tree } = fc.letrec<{ tree: RlpItem }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie("tree"), { maxLength: 5 }),
  ),
}));

/** Returns all items of a list. Nested lists become nested arrays. */
function read(list: RlpList): RlpItem[] {
  return list.map((i) => (list.isList(i) ? read(list.list(i, `${i}`)) : Uint8Array.from(list.bytes(i))));
}

function readBy(decode: () => RlpItem): RlpItem | "refused" {
  try {
    return decode();
  } catch {
    return "refused";
  }
}

describe("RlpList", () => {
  it("reads what another implementation encodes, however it is nested", () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 6 }), (items) => {
        const encoded = RLP.encode(items as Uint8Array[]);
        const list = RlpList.decode(encoded, "it");
        expect(read(list)).toEqual(items);
        expect(Buffer.from(list.encoding).equals(encoded)).toBe(true);
        expect(Buffer.from(rlpOfEncoded(list.map((i) => list.encodings(i)))).equals(encoded)).toBe(true);
      }),
    );
  });

  it("accepts exactly the bytes that another implementation accepts as a list", () => {
    const encoded = fc.array(tree, { maxLength: 4 }).map((items) => rlp(items));
    const damage = fc.tuple(
      fc.nat(40),
      fc.constantFrom(0, 1, 0x37, 0x38, 0x7f, 0x80, 0x81, 0xb8, 0xc0, 0xf8),
    );
    fc.assert(
      fc.property(encoded, damage, (intact, [at, value]) => {
        const damaged = Uint8Array.from(intact);
        if (at < damaged.length) damaged[at] = value;
        const other = readBy(() => RLP.decode(damaged) as RlpItem);
        const expected = Array.isArray(other) ? other : "refused";
        expect(readBy(() => read(RlpList.decode(damaged, "it")))).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, Uint8Array, string]>([
    ["nothing", bytes(), "the body is not a list"],
    ["a byte string", bytes(0x82, 1, 2), "the body is not a list"],
    ["two lists", bytes(0xc0, 0xc0), "the body is not a single list"],
    ["a list that is cut", bytes(0xc3, 1, 2), "an item is longer than its list"],
    ["an item that is longer than the list", bytes(0xc2, 0x82, 1), "an item is longer than its list"],
    ["an item of more than 4 GiB", bytes(0xc9, 0xbc, 1, 0, 0, 0, 0, 0, 0, 0), "an item is longer"],
    ["a byte with a prefix that it does not need", bytes(0xc2, 0x81, 1), "not in its shortest form"],
    ["a length that begins with zero", bytes(0xc3, 0xb8, 0, 0), "not in its shortest form"],
  ])("refuses %s", (_, encoded, message) => {
    expect(() => RlpList.decode(encoded, "the body")).toThrow(MalformedRlp);
    expect(() => RlpList.decode(encoded, "the body")).toThrow(message);
  });

  it("refuses a list with more items than a real one, before it takes up the memory", () => {
    const listOf = (items: number) => RlpList.decode(rlpOfEncoded([Buffer.alloc(items, 1)]), "the body");
    expect(listOf(2 ** 20)).toHaveLength(2 ** 20);
    expect(() => listOf(2 ** 20 + 1)).toThrow("the body has more than 1048576 items");
  });

  it("reads numbers and hex text, and names the item otherwise", () => {
    const words = ["", "01", "ff".repeat(6), "01".padEnd(16, "0"), "ff".repeat(32), "ff".repeat(33)];
    const list = RlpList.decode(rlp([...words.map((hex) => Buffer.from(hex, "hex")), [bytes(7)]]), "it");
    expect([0, 1, 2, 3, 4].map((i) => list.bigint(i))).toEqual([
      0n,
      1n,
      2n ** 48n - 1n,
      2n ** 56n,
      2n ** 256n - 1n,
    ]);
    expect([list.uint64(0), list.uint64(3)]).toEqual([0n, 2n ** 56n]);
    expect([list.integer(1), list.quantity(0), list.quantity(3)]).toEqual([1, "0x0", "0x100000000000000"]);
    expect([list.hex(0), list.hex(1, 1), list.addressOrNull(0)]).toEqual(["0x", "0x01", null]);
    expect(() => list.bigint(5)).toThrow("it: item 5 is longer than 256 bits");
    expect(() => list.integer(3)).toThrow("it: item 3 is 2^53 or more");
    expect(() => list.uint64(4)).toThrow("it: item 4 is 2^64 or more");
    expect(() => list.addressOrNull(1)).toThrow("it: item 1 has 1 bytes, expected 20");
    expect(() => list.bytes(6)).toThrow("it: item 6 is not a byte string");
    expect(() => list.bytes(7)).toThrow("it has no item 7");
    expect(() => list.list(6, "inner").hex(0, 2)).toThrow("it: inner: item 0 has 1 bytes, expected 2");
    expect(() => list.requireLength(1, 6)).toThrow("it has 7 items, expected 1 to 6");
  });
});
