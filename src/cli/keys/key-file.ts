import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, chown, type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { z } from "zod";
import { hashOfKey, KEY_SCOPES } from "../../api/keys/client-keys.ts";
import { BaseError } from "../../lib/error.ts";
import { fileReason, meansFullDisk, systemCode } from "../../lib/system-error.ts";

/** Maximum number of keys in a file. */
const MOST_KEYS = 10_000;
/** Maximum number of characters of a key's name. */
export const LONGEST_NAME = 100;
const SECONDS = z.number().int().min(0);

const RECORD = z.strictObject({
  id: z.string().regex(/^key_[0-9a-f]{12}$/),
  name: z.string().min(1).max(LONGEST_NAME),
  /** SHA-256 of the key, as hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(KEY_SCOPES)).min(1),
  created_at: SECONDS,
  expires_at: SECONDS.nullable(),
  /** Requests per second. */
  rate: z.number().positive().nullable(),
  /** The following fields may be absent: the first version of the file did not have them. */
  monthly_requests: z.number().int().positive().nullable().default(null),
  /** Seconds. */
  query_time: z.number().positive().nullable().default(null),
  /** MiB. */
  query_memory: z.number().positive().nullable().default(null),
  sql_rows: z.number().int().positive().nullable().default(null),
});

const FILE = z.strictObject({ version: z.literal(1), keys: z.array(RECORD).max(MOST_KEYS) });

export type KeyRecord = z.infer<typeof RECORD>;

/** @throws NoKeyFile, BadKeyFile */
export async function readKeyFile(path: string): Promise<KeyRecord[]> {
  const text = await readFile(path, "utf8").catch((cause) => {
    throw systemCode(cause) === "ENOENT"
      ? new NoKeyFile(path)
      : new BadKeyFile(path, fileReason(cause), cause);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new BadKeyFile(path, "it is not JSON", cause);
  }
  const parsed = FILE.safeParse(value);
  if (!parsed.success) throw new BadKeyFile(path, z.prettifyError(parsed.error), parsed.error);
  return parsed.data.keys;
}

/**
 * Creates a key of 192 random bits, and its record. The key itself must be shown now, because it is not
 * stored.
 */
export function newKey(fields: Omit<KeyRecord, "id" | "hash">): { key: string; record: KeyRecord } {
  const key = `qk_${randomBytes(24).toString("base64url")}`;
  const id = `key_${randomBytes(6).toString("hex")}`;
  return { key, record: { id, ...fields, hash: hashOfKey(key) } };
}

/**
 * Replaces the keys of a file in one step, so that a running service never reads half of it. The file is
 * created if it does not exist; otherwise it keeps its owner and mode.
 *
 * @throws BadKeyFile, KeyFileInUse, KeyFileNotWritten, TooManyKeys
 */
export async function changeKeyFile(path: string, change: (keys: KeyRecord[]) => KeyRecord[]): Promise<void> {
  const draft = `${path}.part`;
  const file = await open(draft, "wx", 0o640).catch((cause) => {
    throw systemCode(cause) === "EEXIST" ? new KeyFileInUse(draft) : new KeyFileNotWritten(path, cause);
  });
  try {
    const before = await stat(path).catch((cause) => {
      if (systemCode(cause) === "ENOENT") return null;
      throw new KeyFileNotWritten(path, cause);
    });
    const keys = change(before === null ? [] : await readKeyFile(path));
    if (keys.length > MOST_KEYS) throw new TooManyKeys();
    await completeDraft(file, draft, keys, before)
      .then(() => rename(draft, path))
      .catch((cause) => {
        throw new KeyFileNotWritten(path, cause);
      });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** @param before the file that the draft will replace; null if there is none */
async function completeDraft(
  file: FileHandle,
  draft: string,
  keys: readonly KeyRecord[],
  before: Stats | null,
): Promise<void> {
  await file.writeFile(`${JSON.stringify({ version: 1, keys }, null, 2)}\n`);
  await file.sync();
  if (before === null) return;
  await chmod(draft, before.mode & 0o777);
  // Only root may give a file to another user.
  await chown(draft, before.uid, before.gid).catch(() => {});
}

class NoKeyFile extends BaseError {
  constructor(path: string) {
    super(
      "bad-config",
      `there is no key file ${path}. Create it with: quarry keys create NAME --key-file ${path}`,
    );
  }
}

class BadKeyFile extends BaseError {
  constructor(path: string, problem: string, cause: unknown) {
    super("bad-config", `the key file ${path} cannot be read: ${problem}`, { cause });
  }
}

class KeyFileNotWritten extends BaseError {
  constructor(path: string, cause: unknown) {
    super(
      meansFullDisk(cause) ? "disk-full" : "bad-config",
      `the key file ${path} cannot be written: ${fileReason(cause)}`,
      { cause },
    );
  }
}

class KeyFileInUse extends BaseError {
  constructor(draft: string) {
    super(
      "bad-config",
      `another command is changing the key file. If none is running, delete ${draft} and try again.`,
    );
  }
}

class TooManyKeys extends BaseError {
  constructor() {
    super("bad-config", `a key file may have at most ${MOST_KEYS} keys. Revoke some first.`);
  }
}
