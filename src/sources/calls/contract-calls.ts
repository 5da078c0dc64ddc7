import { grouped } from "../../lib/collections/grouped.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import { BaseError } from "../../lib/error.ts";
import { type Hex, toQuantity } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { CallBlock, ContractCall } from "../../schema/contract-call.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import type { SourceLogger } from "../endpoints/warnings.ts";
import { hasRefusal, type RpcOutcome } from "../rpc/json-rpc.ts";
import { OtherBlock } from "./block-parameter.ts";
import { type CallState, newestNeeded, newestState } from "./call-state.ts";
import { CallRefused, EthCalls } from "./eth-calls.ts";
import { inHalves } from "./in-halves.ts";
import { decodeAggregate, encodeAggregate, MULTICALL3, multicallGas } from "./multicall.ts";
import { StateDepths } from "./state-depths.ts";

const NO_CONTRACT: Hex = "0x";

/** Number of endpoints whose results must be equal, if that many have the state. */
const AGREEING_ENDPOINTS = 2;

/** Results in the order of the calls; null for a call that fails. */
type Results = (Hex | null)[];

/** Results in the order of the calls; null for a call that fails, undefined if endpoints disagree. */
export type AgreedResults = (Hex | null | undefined)[];

/**
 * Makes read-only contract calls, in batches. A call that names a block reads the state of that block, so its
 * result does not depend on the time of the call. If no endpoint has that state any more, the call reads the
 * newest state.
 */
export class ContractCalls {
  readonly #pool: EndpointPool;
  readonly #depths = new StateDepths();
  readonly #calls: EthCalls;
  #foundMulticall = false;

  constructor(pool: EndpointPool, logger: SourceLogger) {
    this.#pool = pool;
    this.#calls = new EthCalls(pool, logger);
  }

  /**
   * Returns the results of the calls, in order; null for a call that fails. A transport failure never counts
   * as a failure of the call.
   *
   * @param head newest block of the chain; null if it is not known
   * @throws BlockReplaced if all endpoints have another block in place of one that a call names by its hash
   */
  async results(calls: readonly ContractCall[], head: number | null): Promise<Results> {
    const found = await this.#pastResults(calls);
    const others = calls.filter((call) => !found.has(call));
    const needed = newestNeeded(others, head);
    const newest = await this.#resultsIn(newestState(this.#pool, needed), others);
    for (const [i, call] of others.entries()) found.set(call, newest[i] ?? null);
    return calls.map((call) => found.get(call) ?? null);
  }

  /**
   * Returns the results of calls in the state of one block; null if no endpoint has that state. If a second
   * endpoint also has it, the result of a call on which the two disagree is undefined. Calls to different
   * contracts are never combined into one call: the code of a hostile contract could change what the next
   * call sees.
   */
  async resultsAt(block: BlockRef, calls: readonly ContractCall[]): Promise<AgreedResults | null> {
    const endpoints = this.#pool.available();
    const found = new Map<Endpoint, Results>();
    // A block that no endpoint has may have been removed from the chain. If one has it, the others lag
    // behind.
    for (const waits of [false, true]) {
      for (const only of endpoints) {
        if (found.size === AGREEING_ENDPOINTS || found.has(only)) continue;
        const results = await this.#resultsOf(only, block, calls, waits);
        if (results !== null) found.set(only, results);
      }
      if (found.size === 0) return null;
    }
    const [first = [], second] = found.values();
    return first.map((result, i) => (second === undefined || second[i] === result ? result : undefined));
  }

  /** @param waits whether to wait for the block if the endpoint does not have it */
  #resultsOf(
    only: Endpoint,
    block: BlockRef,
    calls: readonly ContractCall[],
    waits: boolean,
  ): Promise<Results | null> {
    const isEligible = (endpoint: Endpoint) => endpoint === only;
    const read = (state: CallState) =>
      this.#apart(waits ? state : withoutWaiting(state, block.number), calls);
    return this.#stateResults(block, isEligible, read).catch(nullIfReplaced);
  }

  /** Returns, by call, the results of the calls that name a block whose state an endpoint has. */
  async #pastResults(calls: readonly ContractCall[]): Promise<Map<ContractCall, Hex | null>> {
    const found = new Map<ContractCall, Hex | null>();
    const add = async ([block, group]: [CallBlock, ContractCall[]]) => {
      const results = await this.#resultsAt(block, group);
      for (const [i, call] of group.entries()) if (results !== null) found.set(call, results[i] ?? null);
    };
    const groups = callsByBlock(calls);
    // Tries one group after another, oldest first. Once one succeeds, newer groups will probably also
    // succeed, so they run at the same time.
    const others: Promise<void>[] = [];
    for (const group of groups) {
      if (found.size === 0) await add(group);
      else others.push(add(group));
    }
    await Promise.all(others);
    return found;
  }

  /**
   * Returns the results of calls in the state of one block; null if no endpoint has that state, or if the
   * endpoints that may have it do not respond.
   */
  #resultsAt(block: CallBlock, calls: readonly ContractCall[]): Promise<Results | null> {
    return this.#stateResults(
      block,
      () => true,
      (state) => this.#resultsIn(state, calls),
    );
  }

  async #stateResults(
    { number: block, hash }: CallBlock,
    isEligible: (endpoint: Endpoint) => boolean,
    read: (state: CallState) => Promise<Results>,
  ): Promise<Results | null> {
    const unable = new UnableEndpoints();
    const mayHave = (endpoint: Endpoint) => !unable.has(endpoint) && this.#depths.mayHave(endpoint, block);
    for (;;) {
      const all = this.#pool.checked().filter(isEligible);
      // This set must not change during a read, because the read would fail once no endpoint was eligible any
      // more.
      const eligible = new Set(all.filter(mayHave));
      if (eligible.size === 0) {
        if (unable.haveReplaced(all)) throw new BlockReplaced(block, hash);
        return null;
      }
      const state: CallState = {
        tag: toQuantity(block),
        hash,
        block,
        isEligible: (endpoint) => eligible.has(endpoint),
        judge: (endpoint, outcomes) => this.#requireState(endpoint, block, outcomes),
      };
      try {
        return await read(state);
      } catch (error) {
        if (!this.#mayTryOthers(error, unable, block)) return null;
      }
    }
  }

  /**
   * Returns true if a read failed only because one endpoint cannot serve the state, so others may be tried.
   * Returns false after another transient failure, unless an endpoint has another block with this number.
   * Throws all other errors.
   */
  #mayTryOthers(error: unknown, unable: UnableEndpoints, block: number): boolean {
    this.#pool.signal.throwIfAborted();
    if (unable.add(error)) return true;
    if (error instanceof CallRefused) this.#depths.refused(error.by, block);
    if (error instanceof BaseError && error.retryable && !unable.hasReplaced) return false;
    throw error;
  }

  #requireState(endpoint: Endpoint, block: number, outcomes: readonly RpcOutcome[]): void {
    if (!hasRefusal(outcomes, "state")) return;
    this.#depths.lacks(endpoint, block);
    throw new NoState(endpoint, block);
  }

  /** Makes the calls to each contract together, but calls to different contracts separately. */
  async #apart(state: CallState, calls: readonly ContractCall[]): Promise<Results> {
    const groups = [...grouped(calls, ({ to }) => to).values()];
    const single = groups.filter((group) => group.length === 1).flat();
    const several = groups.filter((group) => group.length > 1);
    const found = new Map<ContractCall, Hex | null>();
    const add = async (group: readonly ContractCall[], results: Promise<Results>) => {
      for (const [i, result] of (await results).entries()) {
        const call = group[i];
        if (call !== undefined) found.set(call, result);
      }
    };
    await Promise.all([
      add(single, single.length === 0 ? Promise.resolve([]) : this.#calls.each(state, single)),
      ...several.map((group) => add(group, this.#resultsIn(state, group))),
    ]);
    return calls.map((call) => found.get(call) ?? null);
  }

  async #resultsIn(state: CallState, calls: readonly ContractCall[]): Promise<Results> {
    if (calls.length === 0) return [];
    if (calls.length === 1 || !(await this.#hasMulticall())) return this.#calls.each(state, calls);
    const batches = partsOf(calls, this.#pool.limits.maxCallsPerMulticall);
    return (await Promise.all(batches.map((batch) => this.#multicall(state, batch)))).flat();
  }

  /**
   * Returns whether the chain has Multicall3. Remembers only a positive result, because a young chain may get
   * the contract later.
   */
  async #hasMulticall(): Promise<boolean> {
    if (this.#foundMulticall) return true;
    const call = { method: "eth_getCode", params: [MULTICALL3, "latest"] };
    const { signal } = this.#pool;
    const { outcomes } = await this.#pool.runBriefly((endpoint) => endpoint.send([call], signal));
    const [outcome] = outcomes;
    this.#foundMulticall = outcome !== undefined && "result" in outcome && String(outcome.result).length > 2;
    return this.#foundMulticall;
  }

  /**
   * Makes a multicall with limited gas. If it fails, is refused or gets no response, splits the calls in half,
   * because a single contract can use up all the gas, or return more than the endpoint allows. A single call
   * whose multicall fails in the EVM counts as failed; if it is refused, the call is made directly, without a
   * limit. In blocks before Multicall3 was deployed, makes each call separately.
   */
  async #multicall(state: CallState, calls: readonly ContractCall[]): Promise<Results> {
    const gas = multicallGas(calls.length);
    const answer = await this.#calls.together(state, { to: MULTICALL3, data: encodeAggregate(calls), gas });
    if (answer === NO_CONTRACT) return this.#calls.each(state, calls);
    const hasData = answer !== "failed" && answer !== "unknown";
    const results = hasData ? decodeAggregate(answer, calls.length) : null;
    if (results !== null) return results;
    if (calls.length > 1) return inHalves(calls, (half) => this.#multicall(state, half));
    return answer === "failed" ? [null] : this.#calls.each(state, calls);
  }
}

/** Returns the calls that name a block, grouped by this block. The blocks are in ascending order. */
function callsByBlock(calls: readonly ContractCall[]): [CallBlock, ContractCall[]][] {
  const groups = grouped(calls, ({ block }) => `${block?.number}:${block?.hash}`);
  return [...groups.values()]
    .flatMap((group): [CallBlock, ContractCall[]][] => {
      const block = group[0]?.block;
      return block === undefined ? [] : [[block, group]];
    })
    .sort(([a], [b]) => a.number - b.number);
}

/**
 * The endpoints that cannot make calls in the state of a block. Each is tried only once: an endpoint that is
 * merely behind may have the state later, but not immediately.
 */
class UnableEndpoints {
  readonly #lacking = new Set<Endpoint>();
  readonly #replaced = new Set<Endpoint>();

  has(endpoint: Endpoint): boolean {
    return this.#lacking.has(endpoint) || this.#replaced.has(endpoint);
  }

  /**
   * True if an endpoint has another block with this number. In that case, the newest state may be on the
   * other fork.
   */
  get hasReplaced(): boolean {
    return this.#replaced.size > 0;
  }

  /** Returns true if all of these endpoints have another block with this number. */
  haveReplaced(endpoints: readonly Endpoint[]): boolean {
    return endpoints.length > 0 && endpoints.every((endpoint) => this.#replaced.has(endpoint));
  }

  /**
   * Adds the endpoint that lacks the state or has another block, according to the error. Returns false for
   * other errors.
   */
  add(error: unknown): boolean {
    if (error instanceof NoState) this.#lacking.add(error.by);
    else if (error instanceof OtherBlock) this.#replaced.add(error.by);
    else return false;
    return true;
  }
}

/** Treats an endpoint that does not have the block as one without the state. */
function withoutWaiting(state: CallState, block: number): CallState {
  return {
    ...state,
    judge(endpoint, outcomes) {
      state.judge(endpoint, outcomes);
      if (hasRefusal(outcomes, "block")) throw new NoState(endpoint, block);
    },
  };
}

function nullIfReplaced(error: unknown): null {
  if (error instanceof BlockReplaced) return null;
  throw error;
}

/**
 * An endpoint does not have the state. Another one may have it, so this does not count as a failure of the
 * call.
 */
class NoState extends BaseError {
  readonly by: Endpoint;

  constructor(by: Endpoint, block: number) {
    super("endpoint", `${by.name}: it does not have the state of block ${block}`);
    this.by = by;
  }
}

/** A reorg replaced a block whose state is needed. The block that replaced it must be fetched first. */
class BlockReplaced extends BaseError {
  constructor(block: number, hash: Hex | undefined) {
    super("endpoint", `block ${block} is no longer ${hash}: it was replaced while contracts were called`, {
      retryable: true,
    });
  }
}
