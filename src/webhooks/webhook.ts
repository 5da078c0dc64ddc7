import { randomBytes } from "node:crypto";

/** A webhook as the operator added it: its receiver and its rules. */
export interface Webhook {
  id: string;
  url: string;
  chain: string;
  /** The rules as given: subscriptions of a stream, or prices to watch. `readRules` checks them. */
  rules: readonly unknown[];
  /** Unix milliseconds. */
  createdAt: number;
  /** Whether the operator has paused it. */
  isPaused: boolean;
  /** When the operator last resumed it, unix milliseconds. This ends a pause that began earlier. */
  resumedAt: number;
}

/** A webhook with the key that signs its deliveries. */
export interface SignedWebhook extends Webhook {
  secret: string;
}

/** The side of its level that a watched price is on. A price at the level is above. */
export type Side = "above" | "below";

/** The effects of a block that is not final, kept so that a rollback can undo them. */
export interface JournalEntry {
  block: number;
  /** Id of the delivery that the block caused; null if it caused none. */
  id: string | null;
  /** The side before the block of each watched price whose side changed, by rule id; null: not known. */
  sidesBefore: Readonly<Record<string, Side | null>>;
}

/** How far a webhook has progressed. */
export interface Progress {
  /** Id of the newest frame that was delivered or had nothing to deliver; null if there is none yet. */
  position: string | null;
  /** Side of each watched price, by rule id; null: not known. */
  sides: Readonly<Record<string, Side | null>>;
  /** Effects of blocks that are not final, oldest block first; at most `MAX_JOURNAL` entries. */
  journal: readonly JournalEntry[];
  /**
   * Newest block that was dropped from the journal; null if none was. A rollback to a lower block removes
   * blocks whose effects are no longer known.
   */
  floor: number | null;
  /**
   * Id of a block's delivery that was attempted and may have arrived; null if there is none. If the block is
   * rolled back while the service is down, the receiver must still be notified.
   */
  attempted: string | null;
}

/** The state of a webhook's deliveries. Times are unix milliseconds; null: never, or not now. */
export interface Health {
  deliveredAt: number | null;
  failingSince: number | null;
  /** Why the last delivery failed. If `failingSince` is null: why the webhook cannot be delivered at all. */
  error: string | null;
  /** When the webhook was paused because it had failed for too long. */
  pausedAt: number | null;
}

export interface WebhookState extends Progress, Health {}

export const NEW_STATE: WebhookState = {
  position: null,
  sides: {},
  journal: [],
  floor: null,
  attempted: null,
  deliveredAt: null,
  failingSince: null,
  error: null,
  pausedAt: null,
};

/** Returns whether deliveries wait until the operator resumes them. */
export function isPaused({ isPaused, resumedAt }: Webhook, { pausedAt }: Pick<Health, "pausedAt">): boolean {
  return isPaused || (pausedAt !== null && pausedAt >= resumedAt);
}

const ID_BYTES = 8;
const SECRET_BYTES = 32;

export function newWebhookId(): string {
  return `hook_${randomBytes(ID_BYTES).toString("hex")}`;
}

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}
