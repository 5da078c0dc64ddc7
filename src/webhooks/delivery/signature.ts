import { createHmac } from "node:crypto";

/** Name of the header with the signature of a delivery. Its value is `t=<unix seconds>,v1=<hex>`. */
export const SIGNATURE_HEADER = "quarry-signature";

/**
 * Returns the value of the `SIGNATURE_HEADER` for a body. `v1` is the HMAC-SHA256 of the time, a dot and the
 * body. The time lets a receiver reject a replayed request.
 *
 * @param seconds unix time at which the body is sent
 */
export function signatureOf(secret: string, seconds: number, body: string): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
