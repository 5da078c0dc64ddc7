import { expect, it } from "vitest";
import { NewestLists } from "./newest-lists.ts";

it("counts the memory of long keys, which have up to a hundred addresses, and of strings", () => {
  const { cache } = new NewestLists(100_000);
  const [key, text] = ["k".repeat(5_000), "t".repeat(10_000)];
  cache.set(key, text, 1);
  expect(cache.use.bytes).toBeGreaterThanOrEqual(2 * (key.length + text.length));
  for (let i = 0; i < 10; i++) cache.set(`${key}${i}`, text, 1);
  expect(cache.use.bytes).toBeLessThanOrEqual(100_000);
  expect(cache.use.entries).toBe(3);
});
