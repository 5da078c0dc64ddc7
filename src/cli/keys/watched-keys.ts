import type { ClientKey, ClientKeys } from "../../api/keys/client-keys.ts";
import type { Logger } from "../../lib/log.ts";
import { fileMark } from "./file-mark.ts";
import { type KeyRecord, readKeyFile } from "./key-file.ts";

/** How often a service looks for changes to its key file. */
const KEY_FILE_POLL_MS = 1_000;

export interface WatchedKeys extends ClientKeys {
  close(): void;
}

/**
 * Reads a key file and follows its changes. While the file is missing or invalid, the keys that were read
 * last stay valid, and an error is logged: a mistake must neither open the service nor lock out its clients.
 * A file that cannot be read is tried again even if it does not change: the system may lack file handles, and
 * a revoked key must not stay valid for that reason.
 *
 * @param read reads the file
 * @throws NoKeyFile, BadKeyFile if the file cannot be read now
 */
export async function watchKeys(
  path: string,
  logger: Logger,
  read: (path: string) => Promise<KeyRecord[]> = readKeyFile,
): Promise<WatchedKeys> {
  /** State of the file when it was last read. */
  let seen = await fileMark(path);
  /** State of the file when an error was last logged. */
  let reported: string | null = null;
  let keys = byHash(await read(path));
  let isReading = false;

  async function look(): Promise<void> {
    const mark = await fileMark(path);
    if (mark === seen) return;
    try {
      keys = byHash(await read(path));
      seen = mark;
      reported = null;
      logger.info({ keys: keys.size }, "the key file has changed");
    } catch (error) {
      if (mark === reported) return;
      reported = mark;
      logger.error({ err: error }, "the key file cannot be read, so the keys last read from it stay valid");
    }
  }

  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    void look().finally(() => {
      isReading = false;
    });
  }, KEY_FILE_POLL_MS);
  timer.unref();
  return { isRequired: true, find: (hash) => keys.get(hash), close: () => clearInterval(timer) };
}

function byHash(records: readonly KeyRecord[]): Map<string, ClientKey> {
  return new Map(records.map((record) => [record.hash, keyOf(record)]));
}

function keyOf({ id, scopes, expires_at: expiresAt, ...limits }: KeyRecord): ClientKey {
  const { rate, monthly_requests: monthlyRequests, query_time, query_memory, sql_rows: sqlRows } = limits;
  const queryTimeMs = query_time && query_time * 1000;
  const queryMemoryBytes = query_memory && query_memory * 2 ** 20;
  return { id, scopes, expiresAt, limits: { rate, monthlyRequests, queryTimeMs, queryMemoryBytes, sqlRows } };
}
