/** What a user of an endpoint observed; `HealthReport` describes the kinds that concern its health. */
export type Report =
  /** All requested data was verified. */
  | { kind: "ok" }
  /** A block from the endpoint is invalid, or absent. */
  | { kind: "invalid" | "missing"; block: number; problem: string }
  /** The caller gave up after this time. */
  | { kind: "timeout"; afterMs: number }
  /** Whether the caller could use the result of the last request. */
  | { kind: "usable" }
  | { kind: "unusable"; reason: string }
  /** Its newest block, as it reports it. */
  | { kind: "head"; block: number }
  /** It sent this block, verified. */
  | { kind: "block"; block: number }
  /** It does not offer this method. */
  | { kind: "unsupported"; method: string }
  /** It can never be used. */
  | { kind: "unsuitable"; reason: string };
