import { createHmac } from "node:crypto";

/** The header with the signature of a delivery: `t=<unix seconds>,v1=<hex>`. */
export const SIGNATURE_HEADER = "quarry-signature";

/**
 * Signs a delivery: HMAC-SHA256 of the time, a dot and the body. The time lets a receiver reject a replayed
 * request.
 *
 * @param seconds unix time
 */
export function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
