/**
 * An observation that a caller reports. `HealthReport` describes the kinds that affect the health of the
 * endpoint.
 */
export type Report =
  /** None of the requested data failed verification. */
  | { kind: "ok" }
  /** A block from the endpoint is invalid or missing. */
  | { kind: "invalid" | "missing"; block: number; problem: string }
  /** The caller gave up after this time. */
  | { kind: "timeout"; afterMs: number }
  /** The caller could use the result of the last request. */
  | { kind: "usable" }
  /** The caller could not use the result of the last request. */
  | { kind: "unusable"; reason: string }
  /** The endpoint reported this block as its newest. */
  | { kind: "head"; block: number }
  /** The endpoint sent this block, and it did not fail verification. */
  | { kind: "block"; block: number }
  /** The endpoint does not offer this method. */
  | { kind: "unsupported"; method: string }
  /** The endpoint can never be used. */
  | { kind: "unsuitable"; reason: string };
