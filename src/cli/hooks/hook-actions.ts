import type { WebhookSetting } from "../../config/groups/webhook-settings.ts";
import type { Settings } from "../../config/settings.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { didYouMean } from "../../lib/names/suggestion.ts";
import { EVERYTHING } from "../../schema/scope.ts";
import { bodiesOf } from "../../webhooks/delivery/bodies.ts";
import { newWebhook } from "../../webhooks/records/new-webhook.ts";
import type { StoredWebhook } from "../../webhooks/records/webhook-records.ts";
import { type ActionResult, MissingWord, UnusedWord } from "../command-action.ts";
import { receiverOf, targetsOf } from "../serving/webhooks.ts";
import type { ActionName } from "./action-names.ts";
import { type ListedWebhook, listedWebhook, webhookTable } from "./hook-list.ts";
import type { OpenWebhooks } from "./open-webhooks.ts";

export interface ActionOptions {
  /** The second argument of the command: a URL, or the id of a webhook. */
  target: string | undefined;
  /** Rules as JSON. */
  rules: readonly string[];
  settings: Settings<WebhookSetting | "chain">;
}

type Action = (webhooks: OpenWebhooks, options: ActionOptions) => Promise<ActionResult>;

export const ACTIONS = {
  add,
  list,
  remove,
  test,
  pause,
  resume,
} as const satisfies Record<ActionName, Action>;

async function add(
  { records, chains }: OpenWebhooks,
  { target, rules, settings }: ActionOptions,
): Promise<ActionResult> {
  if (target === undefined)
    throw new MissingWord("the URL of a receiver", "hooks add https://example.org/hook");
  const nowMs = systemClock.now();
  const { length: count } = await records.all();
  const webhook = newWebhook(
    { url: target, chain: settings.chain, rules: rules.map(parsedRule) },
    {
      targets: targetsOf(settings),
      context: { method: "POST", now: Math.floor(nowMs / 1000), chains: [...chains.keys()] },
      scopeOf: (name) => chains.get(name) ?? EVERYTHING,
      count,
      maxCount: settings.hooks,
      nowMs,
    },
  );
  await records.save(webhook);
  const { id, url, chain, secret } = webhook;
  return {
    text: `${id}\nsecret: ${secret}\nKeep the secret: it is not shown again. Receivers use it to check who sent a delivery.\n`,
    json: { id, url, chain, rules: webhook.rules, secret },
  };
}

function parsedRule(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson(text);
  }
}

async function list({ records }: OpenWebhooks, { target }: ActionOptions): Promise<ActionResult> {
  if (target !== undefined) throw new UnusedWord(target);
  const listed: ListedWebhook[] = [];
  for (const webhook of await records.all())
    listed.push(listedWebhook(webhook, await records.stateOf(webhook.id)));
  return { text: webhookTable(listed), json: { hooks: listed } };
}

async function remove(webhooks: OpenWebhooks, { target }: ActionOptions): Promise<ActionResult> {
  const webhook = await webhookWith(webhooks, target, "remove");
  await webhooks.records.remove(webhook);
  return { text: `${webhook.id} is removed.\n`, json: { id: webhook.id, removed: true } };
}

async function pause(webhooks: OpenWebhooks, { target }: ActionOptions): Promise<ActionResult> {
  const webhook = await webhookWith(webhooks, target, "pause");
  await webhooks.records.save({ ...webhook, isPaused: true });
  return { text: `${webhook.id} is paused.\n`, json: { id: webhook.id, state: "paused" } };
}

async function resume(webhooks: OpenWebhooks, { target }: ActionOptions): Promise<ActionResult> {
  const webhook = await webhookWith(webhooks, target, "resume");
  const { pausedAt } = await webhooks.records.stateOf(webhook.id);
  // The clock of the service that paused the webhook may be ahead of this machine's.
  const resumedAt = Math.max(systemClock.now(), (pausedAt ?? 0) + 1);
  await webhooks.records.save({ ...webhook, isPaused: false, resumedAt });
  return {
    text: `${webhook.id} continues where it stopped.\n`,
    json: { id: webhook.id, state: "active" },
  };
}

/** Sends a signed delivery from this process, even if no service is running. */
async function test(webhooks: OpenWebhooks, { target, settings }: ActionOptions): Promise<ActionResult> {
  const webhook = await webhookWith(webhooks, target, "test");
  const { id, chain } = webhook;
  const receiver = receiverOf(settings);
  try {
    const delivery = { event: "test", id: null, fields: { chain }, data: {} } as const;
    const [body = ""] = bodiesOf(id, delivery, settings.hookBody * 2 ** 10);
    const outcome = await receiver.post(webhook, body, new AbortController().signal);
    if (outcome.kind === "delivered")
      return {
        text: `The receiver of ${id} accepted the test.\n`,
        json: { id, delivered: true, error: null },
      };
    return {
      text: `The receiver of ${id} did not accept the test: ${outcome.reason}\n`,
      json: { id, delivered: false, error: outcome.reason },
      isOk: false,
    };
  } finally {
    await receiver.close();
  }
}

async function webhookWith(
  { records }: OpenWebhooks,
  id: string | undefined,
  action: string,
): Promise<StoredWebhook> {
  if (id === undefined) throw new MissingWord("the id of a webhook", `hooks ${action} hook_0123456789abcdef`);
  const all = await records.all();
  const found = all.find((one) => one.id === id);
  if (found === undefined)
    throw new UnknownWebhook(
      id,
      all.map((one) => one.id),
    );
  return found;
}

class NotJson extends BaseError {
  constructor(text: string) {
    super(
      "bad-config",
      `--rule: ${JSON.stringify(text.slice(0, 100))} is not JSON. Give an object such as '{"type":"trades","min_usd":100000}'.`,
    );
  }
}

class UnknownWebhook extends BaseError {
  constructor(id: string, known: readonly string[]) {
    super(
      "bad-config",
      `there is no webhook ${JSON.stringify(id.slice(0, 40))}${didYouMean(id, known)}. quarry hooks list shows all.`,
    );
  }
}
