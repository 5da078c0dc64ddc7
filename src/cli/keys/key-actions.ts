import { KEY_SCOPES, type KeyScope, USUAL_SCOPES } from "../../api/keys/client-keys.ts";
import { monthOf, type Usage } from "../../api/keys/key-usage.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { fileReason } from "../../lib/system-error.ts";
import { type ActionResult, MissingWord, UnusedWord } from "../command-action.ts";
import { type Columns, tableOf } from "../terminal/text-table.ts";
import type { ActionName } from "./action-names.ts";
import { changeKeyFile, type KeyRecord, LONGEST_NAME, newKey, readKeyFile } from "./key-file.ts";
import { readUsage, recordedMonths, totalUsage, usageFiles } from "./usage-files.ts";

const DAY_SECONDS = 86_400;
const MOST_DAYS = 36_500;
const MOST_PER_SECOND = 1_000_000;
const MOST_SECONDS = 3_600;
const MOST_MEBIBYTES = 2 ** 20;
const MOST_ROWS = 1_000_000_000;

/** The second argument of the command, and the options of its actions, as typed. */
export interface ActionOptions {
  target: string | undefined;
  /** Options of a new key, by the name of their flag. */
  fields: Partial<Record<KeyField, string>>;
  month: string | undefined;
  /** Folder with the usage of keys. */
  usageFolder: string;
}

/** Flags that describe a new key. */
export type KeyField =
  | "days"
  | "scopes"
  | "rate"
  | "monthly-requests"
  | "query-time"
  | "query-memory"
  | "sql-rows";

type Action = (path: string, options: ActionOptions) => Promise<ActionResult>;

export const ACTIONS = { create, list, revoke, usage } as const satisfies Record<ActionName, Action>;

async function create(path: string, { target, fields }: ActionOptions): Promise<ActionResult> {
  const name = nameOf(target);
  const createdAt = nowSeconds();
  const number = (field: KeyField, most: number) => numberOf(field, fields[field], most);
  const whole = (field: KeyField, most: number) => wholeNumberOf(field, fields[field], most);
  const days = number("days", MOST_DAYS);
  const { key, record } = newKey({
    name,
    scopes: scopesOf(fields.scopes),
    created_at: createdAt,
    expires_at: days === null ? null : createdAt + Math.round(days * DAY_SECONDS),
    rate: number("rate", MOST_PER_SECOND),
    monthly_requests: whole("monthly-requests", Number.MAX_SAFE_INTEGER),
    query_time: number("query-time", MOST_SECONDS),
    query_memory: whole("query-memory", MOST_MEBIBYTES),
    sql_rows: whole("sql-rows", MOST_ROWS),
  });
  await changeKeyFile(path, (keys) => [...keys, record]);
  return {
    text: `${record.id}\nkey: ${key}\nSave the key now: it is not stored, so it cannot be shown again.\n`,
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
  // If the file is missing, the error must say so, not that the key is unknown.
  await readKeyFile(path);
  await changeKeyFile(path, (keys) => {
    const others = keys.filter((key) => key.id !== id);
    if (others.length === keys.length) throw new UnknownKey(id);
    return others;
  });
  return { text: `${id} is revoked.\n`, json: { id, revoked: true } };
}

async function usage(path: string, { target, month, usageFolder }: ActionOptions): Promise<ActionResult> {
  if (target !== undefined) throw new UnusedWord(target, "usage");
  const keys = await readKeyFile(path);
  const months = await recordedMonths(usageFolder);
  const shownMonth = month ?? monthOf(systemClock.now());
  if (month !== undefined && !months.includes(month)) throw new UnknownMonth(month, usageFolder, months);
  const rows = usageRows(keys, await usageIn(usageFolder, shownMonth));
  return {
    text: `${shownMonth} (UTC), as recorded in ${usageFolder}\n${tableOf(USAGE_COLUMNS, rows)}\n`,
    json: { month: shownMonth, keys: rows },
  };
}

async function usageIn(folder: string, month: string): Promise<Map<string, Usage>> {
  const read = (path: string) =>
    readUsage(path).catch((cause) => {
      throw new BadUsageFile(path, cause);
    });
  return totalUsage(await Promise.all((await usageFiles(folder, month)).map(read)));
}

interface UsageRow {
  id: string;
  /** Null if the key is not in the key file: it was revoked, or comes from `--keys`. */
  name: string | null;
  requests: number;
  monthly_requests: number | null;
  sql_queries: number;
  sql_seconds: number;
}

/** Returns one row for each key in the file, and for each other key with usage, the most used first. */
function usageRows(keys: readonly KeyRecord[], used: ReadonlyMap<string, Usage>): UsageRow[] {
  const known = new Map(keys.map((key) => [key.id, key]));
  const ids = new Set([...known.keys(), ...used.keys()]);
  const rows = [...ids].map((id) => {
    const { requests = 0, sqlQueries = 0, sqlSeconds = 0 } = used.get(id) ?? {};
    const { name = null, monthly_requests = null } = known.get(id) ?? {};
    return { id, name, requests, monthly_requests, sql_queries: sqlQueries, sql_seconds: sqlSeconds };
  });
  return rows.sort((a, b) => b.requests - a.requests);
}

const USAGE_COLUMNS: Columns<UsageRow> = {
  id: ({ id }) => id,
  name: ({ name }) => name ?? "-",
  requests: ({ requests }) => String(requests),
  "per month": ({ monthly_requests: quota }) => (quota === null ? "-" : String(quota)),
  "SQL queries": ({ sql_queries: queries }) => String(queries),
  "SQL seconds": ({ sql_seconds: seconds }) => seconds.toFixed(1),
};

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
      `--scopes: ${JSON.stringify(word.slice(0, 40))} is not a scope; the scopes are ${KEY_SCOPES.join(", ")}`,
    );
  });
}

function numberOf(name: string, text: string | undefined, most: number): number | null {
  if (text === undefined) return null;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value > 0 && value <= most) return value;
  throw new InvalidOption(
    `--${name}: ${JSON.stringify(text.slice(0, 40))} is not a number above 0 and at most ${most}`,
  );
}

function wholeNumberOf(name: string, text: string | undefined, most: number): number | null {
  const value = numberOf(name, text, most);
  if (value === null || Number.isInteger(value)) return value;
  throw new InvalidOption(`--${name}: ${value} is not a whole number`);
}

/** Returns the fields of a key that may be shown. */
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
  limits: limitsText,
  created: ({ created_at: at }) => dayOf(at),
  expires: expiryOf,
};

/** Returns the limits that are set for this key, as text. */
function limitsText(key: KeyRecord): string {
  const limits = [
    [key.rate, "/s"],
    [key.monthly_requests, "/month"],
    [key.query_time, " s"],
    [key.query_memory, " MiB"],
    [key.sql_rows, key.sql_rows === 1 ? " row" : " rows"],
  ] as const;
  const own = limits.flatMap(([value, unit]) => (value === null ? [] : [`${value}${unit}`]));
  return own.length === 0 ? "-" : own.join(", ");
}

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

class UnknownMonth extends BaseError {
  constructor(month: string, folder: string, months: readonly string[]) {
    const recorded = months.length === 0 ? "none" : months.join(", ");
    super(
      "bad-config",
      `--month: ${JSON.stringify(month.slice(0, 40))} is not recorded in ${folder}. Recorded months: ${recorded}.`,
    );
  }
}

class BadUsageFile extends BaseError {
  constructor(path: string, cause: unknown) {
    super("bad-config", `the usage record ${path} cannot be read: ${fileReason(cause)}`, { cause });
  }
}

class UnknownKey extends BaseError {
  constructor(id: string) {
    super("bad-config", `there is no key ${JSON.stringify(id.slice(0, 40))}. quarry keys list shows all.`);
  }
}
