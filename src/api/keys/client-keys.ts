import { createHash } from "node:crypto";
import { type KeyLimits, NO_KEY_LIMITS } from "./key-limits.ts";

/**
 * The permitted uses of a key: `data` for REST, JSON-RPC and streams, `sql` for SQL, `metrics` for
 * `/metrics`, `operations` for `/v1/operations`, which shows what other clients do.
 */
export const KEY_SCOPES = ["data", "sql", "metrics", "operations"] as const;

/** Scopes of a new key unless others are given. */
export const USUAL_SCOPES = ["data", "sql"] as const satisfies readonly KeyScope[];

export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key as the service knows it: the key itself is not stored. */
export interface ClientKey {
  /** Names the key in the log and the metrics. Not secret. */
  id: string;
  scopes: readonly KeyScope[];
  /** Unix seconds; null: it does not expire. */
  expiresAt: number | null;
  limits: KeyLimits;
}

/** The keys with which clients may use the service. They may change while it runs. */
export interface ClientKeys {
  /** False if the service is open: given keys are then ignored. */
  readonly isRequired: boolean;
  /** @param hash as returned by `hashOfKey` */
  find(hash: string): ClientKey | undefined;
}

/**
 * Returns the SHA-256 of a key, as hex. The time that a lookup in a map takes reveals nothing, because a
 * client cannot choose the first characters of a hash.
 */
export function hashOfKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/**
 * Scopes of keys in the configuration. These are client keys, and clients must not see what other clients do.
 */
const FIXED_SCOPES = ["data", "sql", "metrics"] as const satisfies readonly KeyScope[];

/** Makes keys that never change. Each is named by its position. */
export function fixedKeys(keys: readonly string[]): ClientKeys {
  const known = new Map(
    keys.map((key, i): [string, ClientKey] => [
      hashOfKey(key.trim()),
      { id: `configured-${i + 1}`, scopes: FIXED_SCOPES, expiresAt: null, limits: NO_KEY_LIMITS },
    ]),
  );
  return { isRequired: known.size > 0, find: (hash) => known.get(hash) };
}

/** Combines several sets of keys. */
export function anyOf(sets: readonly ClientKeys[]): ClientKeys {
  return {
    isRequired: sets.some(({ isRequired }) => isRequired),
    find: (hash) => sets.map((keys) => keys.find(hash)).find((key) => key !== undefined),
  };
}
