import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

describe("retryAfterMs", () => {
  const now = Date.parse("2024-01-05T00:00:00Z");

  it("reads seconds", () => {
    expect(retryAfterMs("3", now)).toBe(3000);
    expect(retryAfterMs(["0.5"], now)).toBe(500);
  });

  it("reads dates; one in the past means now", () => {
    expect(retryAfterMs("Fri, 05 Jan 2024 00:00:10 GMT", now)).toBe(10_000);
    expect(retryAfterMs("Thu, 04 Jan 2024 00:00:00 GMT", now)).toBe(0);
  });

  it("ignores a header that is neither", () => {
    expect(retryAfterMs(undefined, now)).toBeNull();
    expect(retryAfterMs("", now)).toBeNull();
    expect(retryAfterMs("soon", now)).toBeNull();
  });
});
