import { createHash } from "node:crypto";

/** A client's SQL as the log and the list of slow requests name it. */
export interface NamedStatement {
  /** Equal texts have equal fingerprints, so that a slow statement can be found again. */
  fingerprint: string;
  text: string;
}

/** Returns the SQL in the body of a request; null if there is none. */
export function statementIn(body: unknown): NamedStatement | null {
  const text = (argumentsOf(body) as { query?: unknown } | null | undefined)?.query;
  if (typeof text !== "string") return null;
  const digest = createHash("sha256").update(text).digest("hex");
  return { fingerprint: digest.slice(0, FINGERPRINT_DIGITS), text };
}

/** Returns the parameters of a request; for the tool `sql`, those in the message. */
function argumentsOf(body: unknown): unknown {
  const { params } = (body ?? {}) as { params?: { name?: unknown; arguments?: unknown } | null };
  return params?.name === "sql" ? params.arguments : body;
}

const FINGERPRINT_DIGITS = 12;
