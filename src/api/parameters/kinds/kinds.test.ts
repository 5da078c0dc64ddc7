import { describe, expect, it } from "vitest";
import { ADDRESS } from "../../../reads/values/hex-values.ts";
import { integer, TIMESTAMP } from "../../../reads/values/number-values.ts";
import { type ParameterKind, readParameters, required } from "../parameter.ts";
import { preview } from "../preview.ts";
import { INTERVAL, LOOKBACK } from "./durations.ts";
import { addressList, POOL_OR_ALL, poolListOrAll, valueList } from "./lists.ts";
import { BOOLEAN, CHAIN, choice, text } from "./words.ts";

const A = `0x${"aB".repeat(20)}`;
const B = `0x${"0c".repeat(20)}`;
const context = { method: "POST", now: 1_700_000_000, chains: ["eth", "base"] } as const;

const read = (kind: ParameterKind<unknown>, given: unknown, method: "GET" | "POST" = "POST") =>
  readParameters({ p: required(kind, "") }, { p: given }, { ...context, method }).p;

const message = (kind: ParameterKind<unknown>, given: unknown, method: "GET" | "POST" = "POST") => {
  try {
    return `read as ${JSON.stringify(read(kind, given, method))}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe("parameter kinds", () => {
  it("integer: a number or its text, within bounds", () => {
    const kind = integer({ min: 1, max: 2500 });
    expect([1, "1", " 2500 ", 7.0].map((given) => read(kind, given))).toEqual([1, 1, 2500, 7]);
    expect(message(kind, 0)).toBe("Invalid parameter p: got 0, expected an integer from 1 to 2500.");
    for (const wrong of ["1.5", 1.5, "1e3", "0x10", true, [1], {}, "99999999999999999999", "ten", " "]) {
      expect(message(kind, wrong)).toContain("expected an integer from 1 to 2500");
    }
  });

  it("boolean: true and false in any case", () => {
    expect([true, false, "True", "FALSE", "true"].map((given) => read(BOOLEAN, given))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    const objects: unknown[] = [[], {}, ["true"], [[true]], { toString: 1, valueOf: 1 }];
    for (const wrong of ["yes", 1, "0", ...objects]) {
      expect(message(BOOLEAN, wrong)).toContain("got");
      expect(message(BOOLEAN, wrong)).toContain("true or false");
    }
  });

  it("address: any case in, lower case out", () => {
    expect(read(ADDRESS, A)).toBe(A.toLowerCase());
    expect(read(ADDRESS, A.toUpperCase())).toBe(A.toLowerCase());
    for (const wrong of [A.slice(2), `${A}0`, `${A.slice(0, -1)}g`, 5, [A], { a: 1 }, `${A},${B}`]) {
      expect(message(ADDRESS, wrong)).toContain("0x and 40 hex digits");
    }
  });

  it("pool: an address, a 32-byte id, or all", () => {
    const id = `0x${"1F".repeat(32)}`;
    expect([A, id, "all", "ALL"].map((given) => read(POOL_OR_ALL, given))).toEqual([
      A.toLowerCase(),
      id.toLowerCase(),
      "all",
      "all",
    ]);
    expect(message(POOL_OR_ALL, `0x${"1f".repeat(31)}`)).toContain("expected all, or one pool");
  });

  it("interval: 1m to 365d", () => {
    expect(["1m", "15m", "4h", "1d", "365d", "525600m"].map((given) => read(INTERVAL, given))).toEqual([
      60, 900, 14_400, 86_400, 31_536_000, 31_536_000,
    ]);
    for (const wrong of ["0m", "366d", "1w", "1s", "1M", "d", "1.5h", "-1d", 60, "525601m", "99999999d"]) {
      expect(message(INTERVAL, wrong)).toContain("from 1m to 365d");
    }
  });

  it("lookback: 1s to 30d", () => {
    expect(["1s", "90s", "15m", "24h", " 30d "].map((given) => read(LOOKBACK, given))).toEqual([
      1, 90, 900, 86_400, 2_592_000,
    ]);
    for (const wrong of ["0s", "31d", "721h", "1w", "1D", "24", 24, "1.5h", "-1d", "2592001s", ""]) {
      expect(message(LOOKBACK, wrong), String(wrong)).toMatch(
        /with the unit s, m, h or d, from 1s to 30d|Missing/,
      );
    }
  });

  it("timestamp: any integer from 0 to 2^53 - 1, as milliseconds are", () => {
    for (const time of [0, 1_700_000_000, 2 ** 32, 1_700_000_000_000, 2 ** 53 - 1]) {
      expect([read(TIMESTAMP, time), read(TIMESTAMP, String(time))]).toEqual([time, time]);
    }
    for (const wrong of [-1, 2 ** 53, "9007199254740992", 1.5, "now"]) {
      expect(message(TIMESTAMP, wrong)).toContain("a time in unix seconds, an integer from 0 to 2^53 - 1");
    }
  });

  it("choice and chain list the allowed values", () => {
    expect(message(choice(["desc", "asc"]), "up")).toBe(
      'Invalid parameter p: got "up", expected desc or asc.',
    );
    for (const given of ["desc", "DESC", " Desc "]) expect(read(choice(["desc", "asc"]), given)).toBe("desc");
    for (const wrong of ["descending", 1, ["desc"], null]) {
      expect(message(choice(["desc", "asc"]), wrong)).not.toContain("read as");
    }
    expect(read(CHAIN, "ETH")).toBe("eth");
    expect(message(CHAIN, "doge")).toContain("one of the configured chains: eth, base");
  });

  it("preview a value that is nested more deeply than the stack allows", () => {
    const deep = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    for (const kind of [text("a string"), ADDRESS, addressList({ max: 9, maxOnGet: 9 }), BOOLEAN]) {
      expect(message(kind, deep)).toContain(`got ${"[".repeat(99)}`);
    }
  });
});

describe("lists that are too long", () => {
  /** Makes a list of equal items that reports the highest index that was read. */
  function counted(count: number, item: unknown) {
    const items: unknown[] = Array.from({ length: count }, () => item);
    const seen = { most: 0 };
    const proxy = new Proxy(items, {
      get(target, name) {
        if (typeof name === "string" && /^\d+$/.test(name)) seen.most = Math.max(seen.most, Number(name));
        return Reflect.get(target, name);
      },
    });
    return { proxy, seen };
  }

  it("stop at the first wrong item", () => {
    const kind = addressList({ max: 4, maxOnGet: 2 });
    const { proxy, seen } = counted(1_000, {});
    expect(kind.parse(proxy, context)).toBeUndefined();
    expect(seen.most).toBe(0);
    expect(message(kind, ",".repeat(1_000_000))).toContain('got "" (item 1 of 1000000)');
  });

  it("stop at the limit", () => {
    const { proxy, seen } = counted(60_000, 1);
    expect(valueList(10).parse(proxy, context)).toBeUndefined();
    expect(seen.most).toBe(25_000);
    const kind = valueList(10);
    expect(kind.parse("1,".repeat(100_000), context)).toBeUndefined();
    expect(
      kind.parse(
        Array.from({ length: 11 }, (_, i) => i),
        context,
      ),
    ).toBeUndefined();
  });

  it("print no more of a value than the message shows", () => {
    const { proxy, seen } = counted(1_000_000, 1);
    expect(preview(proxy)).toBe(`[${"1,".repeat(50).slice(0, 99)}…`);
    expect(seen.most).toBeLessThanOrEqual(101);
    expect(preview({ a: "x".repeat(1_000), b: 1 })).toBe(`{"a":"${"x".repeat(94)}…`);
    expect(preview({ a: ["x", 1, null, true], b: {} })).toBe('{"a":["x",1,null,true],"b":{}}');
  });
});

describe("lists of addresses", () => {
  const kind = addressList({ max: 4, maxOnGet: 2 });
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(40, "0")}`);

  it("are JSON lists, text with commas, or both; each address counts once, in order", () => {
    const expected = [B, A.toLowerCase()];
    for (const given of [[B, A], `${B},${A}`, `${B}, ${A}`, [B, `${A},${B}`], [B, A, A.toUpperCase()]]) {
      expect(read(kind, given)).toEqual(expected);
    }
  });

  it("may end with a comma", () => {
    const expected = [B, A.toLowerCase()];
    for (const given of [`${B},${A},`, `${B},${A}, `, [`${B},`, `${A},`]]) {
      expect([read(kind, given), read(kind, given, "GET")]).toEqual([expected, expected]);
    }
    for (const wrong of [",", `,${A}`, `${A},,`, `${A},,${B}`, [A, ""]]) {
      expect(message(kind, wrong)).toContain('got "" (item');
    }
  });

  it("report the malformed address and its position", () => {
    expect(message(kind, [A, "0x12", B])).toBe(
      'Invalid parameter p: got "0x12" (item 2 of 3), expected a list of 1 to 4 addresses (0x and 40 hex digits each).',
    );
    expect(message(kind, [A, null])).toContain("null (item 2 of 2)");
  });

  it("are limited, on GET with the advice to POST; duplicates count once", () => {
    expect(message(kind, many(5))).toContain("got a list of 5, expected a list of 1 to 4");
    expect(read(kind, [...many(4), ...many(4)])).toHaveLength(4);
    expect(message(kind, many(3).join(), "GET")).toContain("POST a JSON body for up to 4");
    expect(read(kind, many(2).join(), "GET")).toHaveLength(2);
    expect(message(kind, [])).toContain("got []");
  });
});

describe("lists of pools", () => {
  const kind = poolListOrAll({ max: 3, maxOnGet: 2 });
  const id = `0x${"1F".repeat(32)}`;

  it("are addresses and ids, or all", () => {
    expect([read(kind, "all"), read(kind, "All")]).toEqual(["all", "all"]);
    expect(read(kind, A)).toEqual([A.toLowerCase()]);
    expect(read(kind, `${id},${A}`)).toEqual([id.toLowerCase(), A.toLowerCase()]);
    expect(read(kind, [A, id, A])).toEqual([A.toLowerCase(), id.toLowerCase()]);
  });

  it("report what is wrong", () => {
    expect(message(kind, `${A},all`)).toContain('got "all" (item 2 of 2), expected all, or a list of');
    expect(message(kind, `0x${"1f".repeat(31)}`)).toContain("(item 1 of 1)");
    expect(message(kind, [A, B, id], "GET")).toContain("got a list of 3, expected all, or 1 to 2 pools");
    expect(message(kind, [])).toContain("got []");
  });
});
