import type { PoolToken } from "../../queries/pool/pool.ts";

/** The two tokens of a pool by what they are there for. */
export interface Legs {
  /** The one that is bought and sold. */
  token: PoolToken;
  /** The one that it is paid in. */
  quote: PoolToken;
  /** Time of the pool's newest trade, unix seconds; null where there was none. */
  newest: number | null;
}
