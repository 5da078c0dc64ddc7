import { describe, expect, it, onTestFinished } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { DEFAULT_RPC_LIMITS } from "../rpc/limits.ts";
import { parseEndpointUrl } from "../rpc/url.ts";
import { endpoint as busyEndpoint, ETH } from "../support/rpc-endpoints.ts";
import { Endpoint } from "./endpoint.ts";
import { EndpointWarnings } from "./warnings.ts";

function endpoint(url = "http://127.0.0.1:1") {
  const clock = new ManualClock();
  const warnings: string[] = [];
  const logger = { info: () => {}, warn: (_: object, message: string) => warnings.push(message) };
  const made = new Endpoint(parseEndpointUrl(url), {
    chain: ETH,
    limits: DEFAULT_RPC_LIMITS,
    clock,
    warnings: new EndpointWarnings(logger, DEFAULT_RPC_LIMITS.warningIntervalMs, clock),
  });
  onTestFinished(() => made.close());
  return { made, clock, warnings };
}

describe("Endpoint.report", () => {
  it("counts bad blocks, and warns about them once per interval", async () => {
    const { made, clock, warnings } = endpoint();
    made.report({ kind: "invalid", block: 7, problem: "wrong root" });
    made.report({ kind: "missing", block: 8, problem: "not there" });
    expect(warnings).toEqual(["http://127.0.0.1:1: block 7 failed verification: wrong root"]);
    await clock.advance(DEFAULT_RPC_LIMITS.warningIntervalMs);
    made.report({ kind: "missing", block: 9, problem: "not there" });
    expect(warnings[1]).toBe("http://127.0.0.1:1: block 9 is not available: not there");
    expect(made.status()).toMatchObject({ lies: 1, missing: 2, failures: 0 });
  });

  it("shows the end of a backoff in the status until it is over", async () => {
    const { made, clock } = endpoint();
    expect(made.status().avoidedUntil).toBeNull();
    made.report({ kind: "unusable", reason: "nonsense" });
    expect(made.status().avoidedUntil).toBe(Math.ceil((clock.now() + 1_000) / 1_000));
    await clock.advance(1_000);
    expect(made.status().avoidedUntil).toBeNull();
  });

  it("shows a wait for Retry-After in the status, too", async () => {
    const { url } = await busyEndpoint(() => null, { status: () => 429, headers: { "retry-after": "120" } });
    const { made, clock } = endpoint(url);
    await expect(made.check(new AbortController().signal)).rejects.toThrow();
    expect(made.status().avoidedUntil).toBe(Math.ceil((clock.now() + 120_000) / 1_000));
    await clock.advance(120_000);
    expect(made.status().avoidedUntil).toBeNull();
  });

  it("starts an outage that a usable result ends", async () => {
    const { made, clock } = endpoint();
    made.report({ kind: "timeout", afterMs: 300 });
    expect(made.outage()).toBeNull();
    await clock.advance(DEFAULT_RPC_LIMITS.outageAfterMs);
    expect(made.outage()).toBe("no response within 300 ms, since 2023-11-14T22:13:20Z");
    expect(made.status()).toMatchObject({ failures: 1, timeouts: 1 });
    made.report({ kind: "usable" });
    expect(made.outage()).toBeNull();
  });

  it("keeps the newest block, the unsupported methods and the exclusion", () => {
    const { made } = endpoint();
    made.report({ kind: "head", block: 9 });
    made.report({ kind: "block", block: 7 });
    expect(made.newest).toBe(9);
    made.report({ kind: "head", block: 5 });
    made.report({ kind: "block", block: 6 });
    expect(made.newest).toBe(6);
    expect(made.supports("eth_a")).toBe(true);
    made.report({ kind: "unsupported", method: "eth_a" });
    expect(made.supports("eth_a")).toBe(false);
    made.report({ kind: "unsuitable", reason: "wrong chain" });
    expect(made.standing().isExcluded).toBe(true);
    expect(made.outage()).toBe("wrong chain");
  });
});
