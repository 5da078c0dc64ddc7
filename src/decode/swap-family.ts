import type { Hex } from "../lib/hex.ts";
import type { Log } from "../schema/block.ts";
import type { ContractFamily, DecodedEvent, Pool, PoolFamily } from "../schema/swap.ts";
import { isWords } from "./abi.ts";
import type { PoolKey } from "./pools/create2.ts";

/** The form of an event: a log that does not have it is some other contract's, whatever its topic says. */
interface EventForm {
  topic: Hex;
  /** Number of topics, the first included. */
  topics: number;
  /** Words of data, exactly. */
  words: number;
}

/** An event of the family's pools. `read` sees only logs of the right form. */
export interface PoolEvent extends EventForm {
  read(log: Log, pool: Pool): DecodedEvent;
}

/** A pool as its factory announces it; of a singleton's pool, the native coin is the zero address here. */
export interface AnnouncedPool extends PoolKey {
  address: Hex;
}

/** The factory's event that announces a pool. `read` sees only logs of the right form. */
export interface CreationEvent extends EventForm {
  read(log: Log): AnnouncedPool | null;
}

/** How one protocol family speaks: everything that decoding needs to know of it. */
export interface SwapFamily {
  family: PoolFamily;
  events: readonly PoolEvent[];
  creation: CreationEvent;
}

/** A family whose pools are contracts of their own. */
export interface ContractSwapFamily extends SwapFamily {
  family: ContractFamily;
  /** Selectors of the factory's view that finds a pool, and of the pool's view that tells its fee. */
  selectors: { findPool: Hex; fee: Hex | null };
  /** Fees that a pool's address may be derived from, the usual ones; only null where it is not. */
  feeTiers: readonly (number | null)[];
}

/** True when a log has the form of the event; says nothing of who sent it. */
export function hasForm(log: Log, form: EventForm): boolean {
  return log.topics[0] === form.topic && log.topics.length === form.topics && isWords(log.data, form.words);
}
