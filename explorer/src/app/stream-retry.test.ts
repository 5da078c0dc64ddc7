import { QuarryError } from "@quarry/sdk";
import { expect, it } from "vitest";
import { streamRetryDelay } from "./stream-retry.ts";

const refused = (status: number, retryAfterSeconds: number | null = null) =>
  new QuarryError("busy", "No.", { status, retryAfterSeconds });

it("waits ever longer before it opens a stream again, up to ten minutes", () => {
  expect([1, 2, 3, 20].map((failures) => streamRetryDelay(null, failures))).toEqual([
    30_000, 60_000, 120_000, 600_000,
  ]);
  expect(streamRetryDelay(new Error("no connection"), 1)).toBe(30_000);
  expect(streamRetryDelay(refused(503), 1)).toBe(30_000);
});

it("waits as long as the service asks for if the client has too many streams", () => {
  expect(streamRetryDelay(refused(429), 1)).toBe(30_000);
  expect(streamRetryDelay(refused(429, 45), 1)).toBe(45_000);
  expect(streamRetryDelay(refused(429, 86_400), 1)).toBe(600_000);
});

it("gives up if the service offers no streams", () => {
  for (const status of [400, 401, 404]) expect(streamRetryDelay(refused(status), 1)).toBe(null);
});
