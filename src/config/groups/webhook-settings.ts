import { isIP } from "node:net";
import { z } from "zod";
import { hostName } from "../../lib/names/host-name.ts";
import { commaList, integerFrom, numeric, setting } from "../setting.ts";

const HOST_RULE = "must be names, addresses or ranges such as 10.0.0.0/8, without http://, port, path or *";

/**
 * Returns whether the text is a host or a range of addresses. Unlike a proxy's range, this range may contain
 * all addresses: the operator then allows any target.
 */
function isHostOrRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  if (bits === undefined) return hostName(text) !== null;
  const version = isIP(address);
  return (
    version !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
}

/** Settings for webhooks: their allowed targets and their limits. */
export const WEBHOOK_SETTINGS = {
  hooks: setting({
    group: "Webhooks",
    flag: "--hooks <number>",
    env: "QUARRY_HOOKS",
    schema: numeric(integerFrom(0, 10_000).default(100)),
    doc: "maximum number of webhooks; 0: none are delivered",
  }),
  hookHosts: setting({
    group: "Webhooks",
    flag: "--hook-hosts <host[,host]>",
    env: "QUARRY_HOOK_HOSTS",
    schema: commaList.pipe(z.array(z.string().refine(isHostOrRange, HOST_RULE))).optional(),
    doc: "private host names, addresses and ranges that webhooks may target; default: public addresses only",
  }),
  hookTimeout: setting({
    group: "Webhooks",
    flag: "--hook-timeout <seconds>",
    env: "QUARRY_HOOK_TIMEOUT",
    schema: numeric(z.number().min(0.1).max(120).default(10)),
    doc: "maximum time for a receiver to respond; then the delivery is retried",
  }),
  hookBody: setting({
    group: "Webhooks",
    flag: "--hook-body <KiB>",
    env: "QUARRY_HOOK_BODY",
    schema: numeric(integerFrom(16, 16_384).default(256)),
    doc: "maximum size of one delivery; the matches in one block may take several",
  }),
  hookQueue: setting({
    group: "Webhooks",
    flag: "--hook-queue <KiB>",
    env: "QUARRY_HOOK_QUEUE",
    schema: numeric(integerFrom(64, 1_048_576).default(1_024)),
    doc: "maximum size of the blocks that wait in memory for one webhook; later ones are read from the store when their turn comes",
  }),
  hookRetry: setting({
    group: "Webhooks",
    flag: "--hook-retry <hours>",
    env: "QUARRY_HOOK_RETRY",
    schema: numeric(z.number().min(0).max(720).default(24)),
    doc: "a webhook whose deliveries fail for longer than this is paused until it is resumed with quarry hooks resume",
  }),
} as const;

export type WebhookSetting = keyof typeof WEBHOOK_SETTINGS;

export const WEBHOOK_SETTING_NAMES = Object.keys(WEBHOOK_SETTINGS) as readonly WebhookSetting[];
