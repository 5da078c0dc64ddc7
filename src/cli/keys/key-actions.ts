import { KEY_SCOPES, type KeyScope, USUAL_SCOPES } from "../../api/access/client-keys.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { type ActionResult, MissingWord, UnusedWord } from "../command-action.ts";
import { type Columns, tableOf } from "../terminal/text-table.ts";
import type { ActionName } from "./action-names.ts";
import { changeKeyFile, type KeyRecord, LONGEST_NAME, newKey, readKeyFile } from "./key-file.ts";

const DAY_SECONDS = 86_400;
const MOST_DAYS = 36_500;
const MOST_PER_SECOND = 1_000_000;

/** The second argument of the command, and the options of a new key, as typed. */
export interface ActionOptions {
  target: string | undefined;
  days: string | undefined;
  rate: string | undefined;
  scopes: string | undefined;
}

type Action = (path: string, options: ActionOptions) => Promise<ActionResult>;

export const ACTIONS = { create, list, revoke } as const satisfies Record<ActionName, Action>;

async function create(path: string, { target, ...given }: ActionOptions): Promise<ActionResult> {
  const name = nameOf(target);
  const createdAt = nowSeconds();
  const days = numberOf("days", given.days, MOST_DAYS);
  const { key, record } = newKey({
    name,
    scopes: scopesOf(given.scopes),
    created_at: createdAt,
    expires_at: days === null ? null : createdAt + Math.round(days * DAY_SECONDS),
    rate: numberOf("rate", given.rate, MOST_PER_SECOND),
  });
  await changeKeyFile(path, (keys) => [...keys, record]);
  return {
    text: `${record.id}\nkey: ${key}\nKeep the key: it is not stored, so it is not shown again.\n`,
    json: { ...shown(record), key },
  };
}

async function list(path: string, { target }: ActionOptions): Promise<ActionResult> {
  if (target !== undefined) throw new UnusedWord(target);
  const keys = await readKeyFile(path);
  return { text: keyTable(keys), json: { keys: keys.map(shown) } };
}

async function revoke(path: string, { target: id }: ActionOptions): Promise<ActionResult> {
  if (id === undefined) throw new MissingWord("the id of a key", "keys revoke key_0123456789ab");
  // If there is no file, the error says so, rather than that there is no such key.
  await readKeyFile(path);
  await changeKeyFile(path, (keys) => {
    const others = keys.filter((key) => key.id !== id);
    if (others.length === keys.length) throw new UnknownKey(id);
    return others;
  });
  return { text: `${id} is revoked.\n`, json: { id, revoked: true } };
}

function nameOf(name: string | undefined): string {
  if (name === undefined || name.trim() === "")
    throw new MissingWord("a name for the key", "keys create dashboard");
  if (name.length > LONGEST_NAME)
    throw new InvalidOption(`the name has more than ${LONGEST_NAME} characters`);
  if (/\p{C}/u.test(name)) throw new InvalidOption("the name has unprintable characters");
  return name;
}

function scopesOf(text: string | undefined): KeyScope[] {
  if (text === undefined) return [...USUAL_SCOPES];
  const words = text.split(",").map((word) => word.trim());
  return words.map((word) => {
    const scope = KEY_SCOPES.find((one) => one === word);
    if (scope !== undefined) return scope;
    throw new InvalidOption(
      `--scopes: ${JSON.stringify(word.slice(0, 40))} is no scope; the scopes are ${KEY_SCOPES.join(", ")}`,
    );
  });
}

function numberOf(name: string, text: string | undefined, most: number): number | null {
  if (text === undefined) return null;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value > 0 && value <= most) return value;
  throw new InvalidOption(
    `--${name}: ${JSON.stringify(text.slice(0, 40))} is no number above 0, up to ${most}`,
  );
}

/** What may be shown of a key. */
function shown({ hash: _, ...rest }: KeyRecord) {
  return { ...rest, is_expired: isExpired(rest) };
}

const isExpired = ({ expires_at: at }: Pick<KeyRecord, "expires_at">) => at !== null && at <= nowSeconds();
const nowSeconds = () => Math.floor(systemClock.now() / 1000);
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");

const COLUMNS: Columns<KeyRecord> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  scopes: ({ scopes }) => scopes.join(", "),
  rate: ({ rate }) => (rate === null ? "-" : `${rate}/s`),
  created: ({ created_at: at }) => dayOf(at),
  expires: expiryOf,
};

function expiryOf(key: KeyRecord): string {
  if (key.expires_at === null) return "never";
  return `${isExpired(key) ? "expired " : ""}${dayOf(key.expires_at)}`;
}

function keyTable(keys: readonly KeyRecord[]): string {
  if (keys.length === 0) return "There are no keys. Create one with: quarry keys create NAME\n";
  return `${tableOf(COLUMNS, keys)}\n`;
}

class InvalidOption extends BaseError {
  constructor(problem: string) {
    super("bad-config", `${problem}.`);
  }
}

class UnknownKey extends BaseError {
  constructor(id: string) {
    super("bad-config", `there is no key ${JSON.stringify(id.slice(0, 40))}. quarry keys list shows all.`);
  }
}
