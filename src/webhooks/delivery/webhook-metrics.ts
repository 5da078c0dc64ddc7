import { Counter, Gauge, type Registry } from "prom-client";
import { gauge } from "../../lib/figures.ts";
import type { Outcome } from "./receiver.ts";
import type { WebhookRunner } from "./webhook-runner.ts";

/** Returns a function that counts deliveries by their result. */
export function deliveryCounter(registry: Registry): (result: Outcome["kind"]) => void {
  const counter = new Counter({
    name: "quarry_webhook_deliveries_total",
    help: "Webhook deliveries that this process sent, by result; failed ones are retried",
    labelNames: ["result"],
    registers: [registry],
  });
  for (const result of ["delivered", "failed"]) counter.inc({ result }, 0);
  return (result) => counter.inc({ result });
}

interface Measured {
  runners(): readonly WebhookRunner[];
  /** Returns the number of webhooks that this process should deliver but cannot. */
  refused(): number;
  /** Returns the number of a chain's newest block; null if it has none. */
  newestBlock(chain: string): number | null;
}

/** Exports metrics of the webhooks that this process delivers. */
export function measureWebhooks(registry: Registry, { runners, refused, newestBlock }: Measured): void {
  const lagOf = ({ block, webhook }: WebhookRunner) =>
    Math.max(0, (newestBlock(webhook.chain) ?? 0) - (block ?? newestBlock(webhook.chain) ?? 0));
  new Gauge({
    name: "quarry_webhooks",
    help: "Webhooks that this process delivers, by state: active, failing (the last delivery failed), paused (failed for too long), paused-by-operator, refused (cannot be delivered)",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const counts = { ...countStates(runners()), refused: refused() };
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
    },
  });
  gauge(
    registry,
    {
      name: "quarry_webhook_lag_blocks",
      help: "Blocks that the webhook farthest behind has yet to deliver; paused webhooks are ignored",
    },
    () => Math.max(0, ...runners().flatMap((runner) => (runner.isPaused ? [] : lagOf(runner)))),
  );
}

function countStates(runners: readonly WebhookRunner[]): Record<string, number> {
  const counts = { active: 0, failing: 0, paused: 0, "paused-by-operator": 0 };
  for (const runner of runners) counts[stateOf(runner)]++;
  return counts;
}

/** Returns the state of a webhook. A pause by the operator has its own state, because it needs no alert. */
function stateOf({ webhook, isPaused, isFailing }: WebhookRunner) {
  if (webhook.isPaused) return "paused-by-operator";
  return isPaused ? "paused" : isFailing ? "failing" : "active";
}
