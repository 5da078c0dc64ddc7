/** A place in a chain. */
interface DeliveredPlace {
  /** As the ids of a stream's frames. */
  id: string;
  chain: string;
  commit: number;
  block: number;
  hash: string;
  /** Newest final block; null if unknown. */
  finalized: number | null;
}

interface DeliveredPart {
  /** Id of the webhook. */
  webhook: string;
  /** A block that is larger than one delivery has several parts, numbered from 1. */
  part: number;
  parts: number;
}

/** What a webhook delivers. */
export type WebhookEvent<Data = Record<string, Record<string, unknown>[]>> = DeliveredPart &
  (
    | (DeliveredPlace & { event: "block"; parent_hash: string; timestamp: number; data: Data })
    /** Deliveries of blocks above `block` do not hold any more; `rolled_back` has their ids. */
    | (DeliveredPlace & { event: "rollback"; rolled_back: string[] })
    /** What was delivered before cannot be continued, e.g. because blocks were repaired. */
    | { event: "reset"; id: null; chain: string; reason: string }
    | { event: "test"; id: null; chain: string }
  );

/** A request that may be a delivery. */
export interface WebhookRequest {
  /** The body as it arrived: a parsed and printed one may differ. */
  body: string;
  /** The header Quarry-Signature. */
  signature: string | null | undefined;
  /** The secret that `quarry hooks add` showed. */
  secret: string;
  /** Most seconds between the signature and now; default: 300. Older requests may be copies. */
  toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 300;

/**
 * The event of a delivery; null if the signature is missing, wrong or too old, so that it must be ignored.
 *
 * @throws TypeError without a secret: everyone could sign with an empty one
 */
export async function verifyWebhook<Data = Record<string, Record<string, unknown>[]>>({
  body,
  signature,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
}: WebhookRequest): Promise<WebhookEvent<Data> | null> {
  if (!secret) throw new TypeError("verifyWebhook needs the webhook's secret, and it is empty.");
  const [, time = "", digest = ""] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(signature ?? "") ?? [];
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(time));
  // Written so that a tolerance that is not a number accepts nothing.
  if (digest === "" || !(ageSeconds <= toleranceSeconds)) return null;
  const bytes = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), algorithm, false, ["verify"]);
  const given = Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const isGenuine = await crypto.subtle.verify("HMAC", key, given, bytes.encode(`${time}.${body}`));
  return isGenuine ? (JSON.parse(body) as WebhookEvent<Data>) : null;
}
