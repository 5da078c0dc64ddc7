import type { StoredState, StoredWebhook } from "../../webhooks/records/webhook-records.ts";
import { isPaused } from "../../webhooks/webhook.ts";
import { type Columns, tableOf } from "../terminal/text-table.ts";

/** A webhook as printed by `quarry hooks list --json`. Times are unix seconds. */
export interface ListedWebhook {
  id: string;
  url: string;
  chain: string;
  rules: readonly unknown[];
  state: "active" | "failing" | "paused" | "refused";
  /**
   * Id of the newest frame that the receiver has, or that contained nothing for it; null if there is none
   * yet.
   */
  position: string | null;
  created_at: number;
  delivered_at: number | null;
  failing_since: number | null;
  error: string | null;
  /**
   * When the service paused the webhook because its deliveries had failed for too long; null if it did not.
   */
  paused_at: number | null;
}

export function listedWebhook(webhook: StoredWebhook, state: StoredState): ListedWebhook {
  const { id, url, chain, rules, createdAt } = webhook;
  const paused = isPaused(webhook, state);
  return {
    id,
    url,
    chain,
    rules,
    state: paused ? "paused" : stateOf(state),
    position: state.position,
    created_at: seconds(createdAt),
    delivered_at: secondsOrNull(state.deliveredAt),
    failing_since: secondsOrNull(state.failingSince),
    error: state.error,
    paused_at: paused ? secondsOrNull(state.pausedAt) : null,
  };
}

/**
 * Returns the state of a webhook that is not paused. If there is an error although no delivery has failed,
 * the error is the reason why the service does not deliver at all.
 */
function stateOf({ error, failingSince }: StoredState): "active" | "failing" | "refused" {
  if (error === null) return "active";
  return failingSince === null ? "refused" : "failing";
}

const seconds = (ms: number) => Math.floor(ms / 1000);
const secondsOrNull = (ms: number | null) => (ms === null ? null : seconds(ms));

/** Shown for values that are not known yet. */
const UNKNOWN = "-";

const COLUMNS: Columns<ListedWebhook> = {
  id: ({ id }) => id,
  state: ({ state }) => state,
  chain: ({ chain }) => chain,
  block: ({ position }) => position?.split(":")[1] ?? UNKNOWN,
  rules: ({ rules }) => rules.map((rule) => String((rule as { type?: unknown }).type)).join(", "),
  url: ({ url }) => url,
};

export function webhookTable(listed: readonly ListedWebhook[]): string {
  if (listed.length === 0) return "There are no webhooks. Add one with: quarry hooks add\n";
  const table = tableOf(COLUMNS, listed);
  const notes = listed.flatMap((webhook) => noteOn(webhook) ?? []);
  return `${[table, ...notes].join("\n")}\n`;
}

function noteOn({
  id,
  state,
  error,
  failing_since: since,
  paused_at: pausedAt,
}: ListedWebhook): string | null {
  if (error === null || (state === "paused" && pausedAt === null)) return null;
  if (since === null) return `${id}: cannot deliver: ${error}`;
  const time = new Date(since * 1000).toISOString();
  return `${id}: ${state === "paused" ? "paused, because it had been failing" : "has been failing"} since ${time}: ${error}`;
}
