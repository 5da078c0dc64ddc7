import { createHash } from "node:crypto";

const DIGITS = 12;

/** Returns the first digits of a string's SHA-256: equal strings have equal fingerprints. */
export function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}
