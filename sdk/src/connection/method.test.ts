import { describe, expect, it } from "vitest";
import { withMethod } from "./method.ts";
import type { ServiceRequest } from "./request.ts";

const path = "/v1/topk-api/dex-trades";
const many = (count: number) => Array.from({ length: count }, (_, i) => `0x${String(i).padStart(40, "0")}`);
const methodOf = (params: object) => {
  const { query, body } = withMethod({ path, params } satisfies ServiceRequest);
  expect([query, body].filter((one) => one !== undefined)).toEqual([params]);
  return query === undefined ? "POST" : "GET";
};

describe("requests of endpoints with both methods", () => {
  it("use GET, which caches may keep, for short parameters", () => {
    expect(methodOf({ eq: many(25), size: 2, fill: true, from: undefined })).toBe("GET");
    expect(methodOf({ pool_address: "all", eq: [1, " a "] })).toBe("GET");
  });

  it.each([
    ["more than 25 items", { eq: many(26) }],
    ["a long URL", { eq: many(5).map((one) => one.repeat(10)) }],
    ["an item with a comma", { eq: ["a,b"] }],
    ["an empty list", { eq: [] }],
    ["an empty item", { eq: [""] }],
    ["an item that is neither a string nor a number", { eq: [null] }],
    ["an item without a decimal form", { eq: [Number.NaN] }],
    ["an object", { params: {} }],
  ])("use POST for %s", (_, params) => {
    expect(methodOf(params)).toBe("POST");
  });
});
