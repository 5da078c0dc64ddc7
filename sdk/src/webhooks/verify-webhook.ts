/** A position in a chain. */
interface DeliveredPlace {
  /** The same id as in the frames of a stream. */
  id: string;
  chain: string;
  commit: number;
  block: number;
  hash: string;
  /** Newest final block. Null if unknown. */
  finalized: number | null;
}

interface DeliveredPart {
  /** Id of the webhook. */
  webhook: string;
  /** Number of this part, from 1. A block that is too large for one delivery has several parts. */
  part: number;
  parts: number;
}

/** An event that a webhook delivers. */
export type WebhookEvent<Data = Record<string, Record<string, unknown>[]>> = DeliveredPart &
  (
    | (DeliveredPlace & { event: "block"; parent_hash: string; timestamp: number; data: Data })
    /** Deliveries of blocks above `block` are no longer valid. `rolled_back` has their ids. */
    | (DeliveredPlace & { event: "rollback"; rolled_back: string[] })
    /** The earlier deliveries cannot be continued, e.g. because blocks were repaired. */
    | { event: "reset"; id: null; chain: string; reason: string }
    | { event: "test"; id: null; chain: string }
  );

/** A request that may be a delivery. */
export interface WebhookRequest {
  /** The body exactly as it arrived. A body that was parsed and serialized again may differ. */
  body: string;
  /** The value of the Quarry-Signature header. */
  signature: string | null | undefined;
  /** The secret that `quarry hooks add` showed. */
  secret: string;
  /**
   * Maximum difference between the time of the signature and now, in seconds. Default: 300. An older request
   * may be a replay.
   */
  toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 300;

/**
 * Returns the event of a delivery. Returns null if the signature is missing or wrong, or if its time differs
 * too much from now. The request must then be ignored.
 *
 * @throws TypeError without a secret, because anyone can sign with an empty secret
 */
export async function verifyWebhook<Data = Record<string, Record<string, unknown>[]>>({
  body,
  signature,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
}: WebhookRequest): Promise<WebhookEvent<Data> | null> {
  if (!secret) throw new TypeError("verifyWebhook needs the webhook's secret, but it is empty.");
  const [, time = "", digest = ""] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(time));
  // This condition rejects every signature if the tolerance is not a number.
  if (digest === "" || !(ageSeconds <= toleranceSeconds)) return null;
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), algorithm, false, ["verify"]);
  const given = Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const isGenuine = await crypto.subtle.verify("HMAC", key, given, bytes.encode(`${time}.${body}`));
  return isGenuine ? (JSON.parse(body) as WebhookEvent<Data>) : null;
}
