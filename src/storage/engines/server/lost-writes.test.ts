import { expect, it } from "vitest";
import { killStatements, LeaseholderIds } from "./lost-writes.ts";

it("the writes of one process, and of one lease, differ from all others", () => {
  const [own, earlier, other] = [
    new LeaseholderIds("eth", "a"),
    new LeaseholderIds("eth", "b"),
    new LeaseholderIds("ethereum", "b"),
  ];
  const { prefix, own: ofProcess } = own.earlier;
  const found = [own, earlier, other].map((ids) => {
    const id = ids.next();
    return [id.startsWith(prefix), id.startsWith(ofProcess)];
  });
  expect(found).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ]);
  expect(own.next()).not.toBe(own.next());
});

it("prints ids as literals, at most a thousand in each statement", () => {
  const ids = ["it's", ...Array.from({ length: 1_000 }, (_, i) => `id${i}`)];
  const statements = killStatements({ ids, earlier: null });
  expect(statements).toHaveLength(2);
  expect(statements[0]).toMatch(/^KILL QUERY WHERE query_id IN \('it\\x27s', 'id0', .*\) SYNC$/);
  expect(killStatements({ ids: [], earlier: null })).toEqual([]);
});
