import type { Chain, Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log, Transaction } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { DecodedEvent, Erc20Transfer, Pool } from "../../schema/swap.ts";
import { hasWords, isWords } from "../abi/abi.ts";
import type { BufferAssets, BufferScheme } from "./buffers.ts";

/** The form of an event. A log with the same topic but another form comes from an unrelated contract. */
interface EventForm {
  topic: Hex;
  /** Number of topics, including the event's signature hash. */
  topics: number;
  /** Exact number of words of data, or the minimum if the event has arrays. */
  words: number;
  /** Whether the data may be longer, because the event has arrays. Default: false. */
  hasArrays?: true;
}

/** Evidence from a transaction about the pools that it uses. */
export interface Evidence {
  transaction: Transaction;
  /** All ERC-20 transfers of the transaction, in log order. */
  transfers: readonly Erc20Transfer[];
}

/** Evidence about a swap. It includes the underlying tokens of the vaults' buffers, which calls revealed. */
export interface SwapEvidence extends Evidence {
  buffers: BufferAssets;
}

/** Reads an event of the family's pools. */
export interface EventReader {
  /**
   * Called only for logs of the right form. Returns null for an event that is left out, such as a swap of a
   * pool's own shares.
   */
  read(log: Log, pool: Pool, evidence: SwapEvidence): DecodedEvent | null;
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
   * The fee, tick spacing or flag that determines the address together with the tokens. Null if only the
   * tokens determine it.
   */
  key: number | null;
}

/** A pool as its factory announces it. The zero address and 0xeeee… denote the native coin. */
export interface AnnouncedPool {
  address: Hex;
  token0: Hex;
  token1: Hex;
  /** Fee in millionths. Null if it is not announced. */
  fee: number | null;
  /** The key that determines the pool's address, if the fee does not. */
  key?: number;
  /** All tokens, in the pool's order. Null for an unknown token. Default: `token0`, `token1`. */
  tokens?: readonly (Hex | null)[];
  /** Underlying tokens that swaps may exchange instead of the pool's tokens. Default: none. */
  underlying?: readonly (Hex | null)[];
  /** The pool's hook. The zero address means no hook. Absent if it is unknown or the family has no hooks. */
  hooks?: Hex;
  /** The hook's permissions, as the flags of Uniswap V4. Absent if `hooks` is absent. */
  hookFlags?: number;
}

/** The factory's event that announces a pool. */
export interface CreationEvent extends EventForm {
  /**
   * Called only for logs of the right form from the deployment's factory. Receives all logs of the
   * transaction, because another contract may name the tokens.
   */
  read(log: Log, transactionLogs: readonly Log[], deployment: Deployment): AnnouncedPool | null;
}

/** A candidate that another contract must confirm or complete. */
export interface FollowUp {
  address: Hex;
  call: ContractCall;
  /** Returns null if the candidate is not a pool. */
  poolOf(result: Hex | null): Pool | null;
  /**
   * First block of a registry that announces every pool that it confirms; absent if the result never changes.
   * An announcement in an indexed block is known without the call, so the call must not reveal the pool
   * before its announcement.
   */
  announcedFrom?: number;
}

/** Results of contract calls, in order. Null for a call that reverted. */
export type CallResults = readonly (Hex | null)[];

/**
 * Null means that the contract is not a pool. Undefined means that the candidate is undecided, and that a
 * transaction may still prove it. If there are several follow-ups, one confirmation is enough.
 */
export type Verdict = Pool | readonly FollowUp[] | null | undefined;

/**
 * Recognizes the family's genuine pools. Creation events come first, then contract calls, then transactions
 * that use the pool. All functions are pure.
 */
export interface PoolProof {
  /**
   * Returns the address of the pool that a deployment creates for a key. Returns null if the address cannot
   * be derived from the key.
   */
  addressOf(key: PoolKey, deployment: Deployment): Hex | null;
  /** Returns the calls whose results `judge` needs. */
  calls(address: Hex, chain: Chain): ContractCall[];
  judge(address: Hex, results: CallResults, chain: Chain): Verdict;
  /** Returns the pool that a transaction's log and transfers prove, or null. */
  fromTransaction(address: Hex, log: Log, evidence: Evidence, chain: Chain): Pool | null;
  /** Returns how many hashes `fromTransaction` takes if it proves nothing; absent: not known. */
  hashes?(address: Hex, evidence: Evidence, chain: Chain): number;
}

/** A swap in a singleton's pool. The pool's key is unknown. */
export interface UnknownSwap extends Evidence {
  id: Hex;
  log: Log;
}

/** A view function that takes the leading digits of a pool's id and returns the pool's key. */
export interface KeyView {
  contract: "factory" | "positionManager";
  selector: Hex;
  /** Number of hex digits of the id that the function takes. */
  digits: number;
}

/** Finds and reads the keys of a singleton's pools. A pool's id is the hash of its key. */
export interface KeyScheme {
  /**
   * Returns the pool of an ABI-encoded key. Returns null unless the id is the key's hash, which proves the
   * key.
   */
  poolOfKey(id: Hex, key: Hex): AnnouncedPool | null;
  /**
   * Yields keys that a transaction suggests, the most likely first. Keys are ABI-encoded hex digits without
   * `0x`.
   */
  suggestedKeys(swap: UnknownSwap): Iterable<string>;
  /** Null if no contract returns keys by id. */
  view: KeyView | null;
}

/**
 * One protocol family: its events, and how its pools are recognized. Some topics occur in several families.
 */
export interface SwapFamily {
  family: PoolFamily;
  events: readonly PoolEvent[];
  /** Present only for families whose events come from a singleton or vault. */
  anonymousEvents?: readonly AnonymousEvent[];
  creations: readonly CreationEvent[];
  /** Reads the pool's address or id from one of its events. Absent if the pool itself emits them. */
  poolIdOf?(log: Log): Hex | null;
  /** Absent if only creation events and keys can prove a pool, as in a singleton. */
  proof?: PoolProof;
  /** Present for singletons only. */
  keys?: KeyScheme;
  /** Present if the family's vault converts tokens for swaps. */
  buffers?: BufferScheme;
}

/** Returns true if a log has the form of the event, whichever contract emitted it. */
export function hasForm(log: Log, form: EventForm): boolean {
  if (log.topics[0] !== form.topic || log.topics.length !== form.topics) return false;
  return form.hasArrays ? hasWords(log.data, form.words) : isWords(log.data, form.words);
}
