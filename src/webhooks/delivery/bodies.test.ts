import { describe, expect, it } from "vitest";
import type { Delivery } from "../rules/next-progress.ts";
import { bodiesOf } from "./bodies.ts";

const FIELDS = { chain: "eth", block: 7, hash: "0xaa" };
const delivery = (data: Delivery["data"]): Delivery => ({
  event: "block",
  id: "1:7:0xaa",
  fields: FIELDS,
  data,
});

describe("bodiesOf", () => {
  it("prints one body if all of it fits", () => {
    const data = { whales: [{ n: 1 }], 'a "name"': [{ text: "é" }] };
    const [body = "", ...others] = bodiesOf("hook_1", delivery(data), 10_000);
    expect(others).toEqual([]);
    const head = { event: "block", id: "1:7:0xaa", webhook: "hook_1", part: 1, parts: 1 };
    expect(JSON.parse(body)).toEqual({ ...head, ...FIELDS, data });
  });

  it("prints a body without data", () => {
    const [body = ""] = bodiesOf("hook_1", { event: "test", id: null, fields: {}, data: {} }, 10_000);
    expect(JSON.parse(body)).toMatchObject({ event: "test", data: {}, part: 1, parts: 1 });
  });

  it("divides a delivery that is too large into numbered parts, in order", () => {
    const data = {
      a: Array.from({ length: 50 }, (_, n) => ({ n, text: "é".repeat(40) })),
      b: [{ n: 50 }, { n: 51 }],
    };
    const bodies = bodiesOf("hook_1", delivery(data), 1_000);
    expect(Math.max(...bodies.map((body) => Buffer.byteLength(body)))).toBeLessThanOrEqual(1_000);
    const parsed = bodies.map((body) => JSON.parse(body));
    expect(parsed.map(({ part, parts }) => [part, parts])).toEqual(
      bodies.map((_, i) => [i + 1, bodies.length]),
    );
    expect(parsed.flatMap(({ data: { a = [] } }) => a)).toEqual(data.a);
    expect(parsed.flatMap(({ data: { b = [] } }) => b)).toEqual(data.b);
    expect(bodies.length).toBeGreaterThan(5);
  });

  it("sends a value that is larger than the limit alone", () => {
    const data = { a: [{ text: "x".repeat(2_000) }, { text: "y" }] };
    const bodies = bodiesOf("hook_1", delivery(data), 1_000);
    expect(bodies.map((body) => JSON.parse(body).data.a.length)).toEqual([1, 1]);
  });
});
