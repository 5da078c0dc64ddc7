/** Limits of one API key; null: the limit of the service applies. */
export interface KeyLimits {
  /** Requests per second, in place of `clientRate`. */
  rate: number | null;
  /** Requests per calendar month (UTC); null: any number. */
  monthlyRequests: number | null;
  queryTimeMs: number | null;
  queryMemoryBytes: number | null;
  sqlRows: number | null;
}

export const NO_KEY_LIMITS: KeyLimits = {
  rate: null,
  monthlyRequests: null,
  queryTimeMs: null,
  queryMemoryBytes: null,
  sqlRows: null,
};
