import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractFamily, DecodedEvent, Pool, PoolFamily } from "../../schema/swap.ts";
import { isWords } from "../abi/abi.ts";

/** The form of an event. A log of another form comes from an unrelated contract, whatever its topic is. */
interface EventForm {
  topic: Hex;
  /** Number of topics, including the first. */
  topics: number;
  /** Exact number of words of data. */
  words: number;
}

/** An event of the family's pools. `read` gets only logs of the right form. */
export interface PoolEvent extends EventForm {
  read(log: Log, pool: Pool): DecodedEvent;
}

/**
 * The inputs from which a factory derives a pool's address. `fee` is null in the V2 family. If the deployment
 * lists `keys`, `fee` is one of them.
 */
export interface PoolKey {
  token0: Hex;
  token1: Hex;
  fee: number | null;
}

/** A pool as its factory announces it. In a singleton's pool, the zero address is the native coin. */
export interface AnnouncedPool extends PoolKey {
  address: Hex;
}

/** The factory's event that announces a pool. `read` gets only logs of the right form. */
export interface CreationEvent extends EventForm {
  read(log: Log): AnnouncedPool | null;
}

/** The events of one protocol family. */
export interface SwapFamily {
  family: PoolFamily;
  events: readonly PoolEvent[];
  creation: CreationEvent;
}

/** A family whose pools are contracts of their own. */
export interface ContractSwapFamily extends SwapFamily {
  family: ContractFamily;
  /** Selectors of the factory's view that finds a pool, and of the pool's view that returns its fee. */
  selectors: { findPool: Hex; fee: Hex | null };
  /** Fees from which a pool's address may be derived, most common first; only null if no fee is used. */
  feeTiers: readonly (number | null)[];
}

/** True when a log has the form of the event, whichever contract emitted it. */
export function hasForm(log: Log, form: EventForm): boolean {
  return log.topics[0] === form.topic && log.topics.length === form.topics && isWords(log.data, form.words);
}
