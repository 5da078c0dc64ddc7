import type { Chain, Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log, Transaction } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { DecodedEvent, Erc20Transfer, Pool } from "../../schema/swap.ts";
import { isWords } from "../abi/abi.ts";

/** The form of an event. A log of another form comes from an unrelated contract, whatever its topic is. */
interface EventForm {
  topic: Hex;
  /** Number of topics, including the event's signature hash. */
  topics: number;
  /** Exact number of words of data. */
  words: number;
}

/** What a transaction shows about the pools that it uses. */
export interface Evidence {
  transaction: Transaction;
  /** All its ERC-20 transfers, in log order. */
  transfers: readonly Erc20Transfer[];
}

/** Reads an event of the family's pools. */
export interface EventReader {
  /** Called only for logs of the right form. Null: nothing happened in the pool that counts. */
  read(log: Log, pool: Pool, evidence: Evidence): DecodedEvent | null;
}

/** An event of the family's pools. */
export interface PoolEvent extends EventForm, EventReader {}

/** An event without topics, recognized by its emitter and its length. */
export interface AnonymousEvent extends EventReader {
  /** Exact number of bytes of data. */
  bytes: number;
}

/** The inputs from which a factory derives a pool's address. */
export interface PoolKey {
  token0: Hex;
  token1: Hex;
  /**
   * What determines the address in addition to the tokens: a fee, a tick spacing, a flag; null for nothing.
   */
  key: number | null;
}

/** A pool as its factory announces it. The zero address and 0xeeee… are the native coin. */
export interface AnnouncedPool {
  address: Hex;
  token0: Hex;
  token1: Hex;
  /** In millionths; null if it is not announced. */
  fee: number | null;
  /** The key of its address, if that is not the fee. */
  key?: number;
  /** All tokens, in the pool's order; null for a token that is not known. Default: `token0`, `token1`. */
  tokens?: readonly (Hex | null)[];
  /** What swaps may exchange instead of the tokens. Default: nothing. */
  underlying?: readonly (Hex | null)[];
  /** The pool's hook; the zero address means none. Absent if the family has no hooks. */
  hooks?: Hex;
}

/** The factory's event that announces a pool. */
export interface CreationEvent extends EventForm {
  /**
   * Called only for logs of the right form from the deployment's factory, with all logs of their transaction,
   * because another contract may name the tokens.
   */
  read(log: Log, transactionLogs: readonly Log[], deployment: Deployment): AnnouncedPool | null;
}

/** A candidate that another contract must confirm or complete. */
export interface FollowUp {
  address: Hex;
  call: ContractCall;
  /** Null: not a pool. */
  poolOf(result: Hex | null): Pool | null;
}

/** Results of contract calls in order; null for a call that reverts. */
export type CallResults = readonly (Hex | null)[];

/**
 * Null: not a pool; undefined: undecided, so that transactions may still prove it. One follow-up is enough.
 */
export type Verdict = Pool | readonly FollowUp[] | null | undefined;

/**
 * How the family's genuine pools are recognized, in this order: announced by a creation event, by contract
 * calls, or by a transaction that uses them. All of it is pure.
 */
export interface PoolProof {
  /**
   * Returns the address of the pool that a deployment creates for a key; null if it does not follow from the
   * key.
   */
  addressOf(key: PoolKey, deployment: Deployment): Hex | null;
  /** Returns the calls whose results `judge` needs. */
  calls(address: Hex, chain: Chain): ContractCall[];
  judge(address: Hex, results: CallResults, chain: Chain): Verdict;
  /** Returns the pool that a transaction proves by its log and its transfers; null if it proves none. */
  fromTransaction(address: Hex, log: Log, evidence: Evidence, chain: Chain): Pool | null;
}

/** A swap in a pool of a singleton whose key is unknown. */
export interface UnknownSwap extends Evidence {
  id: Hex;
  log: Log;
}

/** A view function that returns the key of a pool for the leading digits of its id. */
export interface KeyView {
  contract: "factory" | "positionManager";
  selector: Hex;
  /** Number of hex digits of the id that the function takes. */
  digits: number;
}

/** How the keys of a singleton's pools are found and read. A pool's id is the hash of its key. */
export interface KeyScheme {
  /** Returns the pool of an ABI-encoded key; null unless the id is the key's hash, which proves the key. */
  poolOfKey(id: Hex, key: Hex): AnnouncedPool | null;
  /** Yields keys that a transaction suggests, as ABI text without `0x`, the most likely first. */
  suggestedKeys(swap: UnknownSwap): Iterable<string>;
  /** Null if no contract returns keys by id. */
  view: KeyView | null;
}

/** The events of one protocol family. Families share some topics. */
export interface SwapFamily {
  family: PoolFamily;
  events: readonly PoolEvent[];
  /** Only for families whose events come from a singleton or vault. */
  anonymousEvents?: readonly AnonymousEvent[];
  creations: readonly CreationEvent[];
  /** Reads the pool's address or id from one of its events. Absent if the pool itself emits them. */
  poolIdOf?(log: Log): Hex | null;
  /** Absent if only creation events and keys prove a pool, as in a singleton. */
  proof?: PoolProof;
  /** Present for singletons only. */
  keys?: KeyScheme;
}

/** Returns true if a log has the form of the event, whichever contract emitted it. */
export function hasForm(log: Log, form: EventForm): boolean {
  return log.topics[0] === form.topic && log.topics.length === form.topics && isWords(log.data, form.words);
}
