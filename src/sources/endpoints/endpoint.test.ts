import { describe, expect, it, onTestFinished } from "vitest";
import { DEFAULT_RPC_LIMITS } from "../rpc/limits.ts";
import { parseEndpointUrl } from "../rpc/url.ts";
import { Endpoint } from "./endpoint.ts";

function endpoint(): Endpoint {
  const limits = { ...DEFAULT_RPC_LIMITS, minAvoidMs: 1_000, maxAvoidMs: 60_000 };
  const made = new Endpoint(parseEndpointUrl("http://127.0.0.1:1"), limits);
  onTestFinished(() => made.close());
  return made;
}

const avoidedSeconds = ({ avoidUntil }: Endpoint) => Math.round((avoidUntil - Date.now()) / 1000);

describe("how long an endpoint is avoided", () => {
  it("doubles with each fault in a row, up to a bound, and begins anew after a good answer", () => {
    const lagging = endpoint();
    const avoided = Array.from({ length: 8 }, () => {
      lagging.miss();
      return avoidedSeconds(lagging);
    });
    expect(avoided).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    lagging.praise();
    lagging.miss();
    expect(avoidedSeconds(lagging)).toBe(1);
  });

  it("goes on doubling for one that lied of late, though it answered well in between", () => {
    const liar = endpoint();
    for (const seconds of [1, 2, 4]) {
      liar.blame();
      expect(avoidedSeconds(liar)).toBe(seconds);
      liar.praise();
    }
    expect(liar.status().lies).toBe(3);
  });
});
