import { CHAIN } from "../../api/parameters/kinds/words.ts";
import { optional, type RequestContext, readParameters } from "../../api/parameters/parameter.ts";
import { BaseError } from "../../lib/error.ts";
import { requireKept, type StoredScope } from "../../schema/scope.ts";
import { readRules } from "../rules/read-rules.ts";
import type { Targets } from "../targets/targets.ts";
import { newSecret, newWebhookId } from "../webhook.ts";
import type { StoredWebhook } from "./webhook-records.ts";

interface GivenWebhook {
  url: string;
  chain: string;
  rules: readonly unknown[];
}

interface NewWebhookOptions {
  targets: Targets;
  context: RequestContext;
  /** Returns the stored scope of a chain. */
  scopeOf(chain: string): StoredScope;
  /** Number of existing webhooks, and the maximum. */
  count: number;
  maxCount: number;
  /** Current time in unix milliseconds. */
  nowMs: number;
}

/**
 * Returns a new webhook with its own id and secret. Does not store it.
 *
 * @throws BadTarget, NotPublic, InvalidParameter, InvalidSubscription, NotAnEvent, NotStored, TooManyWebhooks
 */
export function newWebhook(
  { url, chain, rules }: GivenWebhook,
  { targets, context, scopeOf, count, maxCount, nowMs }: NewWebhookOptions,
): StoredWebhook {
  if (count >= maxCount) throw new TooManyWebhooks(maxCount);
  const { href } = targets.requireAllowed(url);
  const read = readParameters({ chain: optional(CHAIN, chain, "chain of the webhook") }, { chain }, context);
  const { events } = readRules(rules, context);
  for (const { table } of events) requireKept(read.chain, scopeOf(read.chain), table);
  return {
    id: newWebhookId(),
    secret: newSecret(),
    url: href,
    chain: read.chain,
    rules,
    createdAt: nowMs,
    isPaused: false,
    resumedAt: nowMs,
    version: 0,
  };
}

class TooManyWebhooks extends BaseError {
  constructor(maxCount: number) {
    super(
      "bad-input",
      `The limit on webhooks is reached (--hooks ${maxCount}). Remove one, or raise the limit.`,
    );
  }
}
