import { randomBytes } from "node:crypto";
import { BaseError } from "../../lib/error.ts";
import { type Hex, toQuantity } from "../../lib/hex.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError } from "../endpoints/endpoint-error.ts";
import type { SourceLogger } from "../endpoints/warnings.ts";
import { hasRefusal, type RpcCall, type RpcOutcome } from "../rpc/json-rpc.ts";
import type { CallState } from "./call-state.ts";

/** The block parameter of `eth_call`: a number or tag, or a hash (EIP-1898). */
export type BlockParameter = string | { blockHash: Hex; requireCanonical: false };

/** The "method" that is reported as unsupported if an endpoint does not accept block hashes. */
const CALL_BY_HASH = "eth_call by block hash";

/** @param gas maximum gas; default: all that the endpoint allows */
export function callRequest(to: Hex, data: Hex, block: BlockParameter, gas?: number): RpcCall {
  const limit = gas === undefined ? {} : { gas: toQuantity(gas) };
  return { method: "eth_call", params: [{ to, data, ...limit }, block] };
}

/**
 * Returns a request for a call that every endpoint can make if it has the state. The call goes to a random
 * account, so the node must read the state, and no proxy has the result in a cache. The result is 0x.
 */
export function probeRequest(block: BlockParameter): RpcCall {
  return callRequest(`0x${randomBytes(20).toString("hex")}`, "0x", block);
}

/**
 * Decides how a call names its block. A block is named by its hash if the endpoint accepts hashes, because a
 * reorg can put another block under the same number. `requireCanonical` is false because a block that was
 * replaced a moment ago may become canonical again. An endpoint that does not accept hashes gets the number.
 * After the call, it must still have the block with the expected hash under this number.
 */
export class BlockParameters {
  readonly #logger: SourceLogger;
  /** Endpoints that accept hashes. */
  readonly #accepting = new Set<Endpoint>();

  constructor(logger: SourceLogger) {
    this.#logger = logger;
  }

  /**
   * Returns the parameter for an endpoint. Before the first call by hash, tests whether the endpoint accepts
   * hashes.
   *
   * @throws OtherBlock if the endpoint has another block with this number; EndpointError if it has none yet
   */
  async parameterFor(
    endpoint: Endpoint,
    { tag, hash, judge }: CallState,
    signal: AbortSignal,
  ): Promise<BlockParameter> {
    if (hash === undefined || !endpoint.supports(CALL_BY_HASH)) return tag;
    const byHash = parameterOf(hash);
    if (this.#accepting.has(endpoint)) return byHash;
    // A node that ignores the parameter makes the call even for a block that does not exist.
    const noBlock: Hex = `0x${randomBytes(32).toString("hex")}`;
    const probes = [probeRequest(byHash), probeRequest(parameterOf(noBlock))];
    const [known, unknown] = (await endpoint.send(probes, signal)).outcomes;
    if (known !== undefined) judge(endpoint, [known]);
    if (isExecuted(known) && !isExecuted(unknown)) {
      this.#accepting.add(endpoint);
      return byHash;
    }
    const [numbered, header] = (await endpoint.send([probeRequest(tag), headerRequest(tag)], signal))
      .outcomes;
    if (numbered !== undefined) judge(endpoint, [numbered]);
    // If the endpoint can make no call at all, the next call will show the reason.
    if (!isExecuted(known) && !isExecuted(numbered)) return byHash;
    requireBlock(endpoint, header, { tag, hash });
    endpoint.report({ kind: "unsupported", method: CALL_BY_HASH });
    this.#logger.info(
      { endpoint: endpoint.name },
      "the endpoint's eth_call does not accept block hashes (EIP-1898): calls use block numbers, and the hashes are checked",
    );
    return tag;
  }

  /**
   * Checks, after some calls, that the endpoint has no other block with this number. The check is needed if
   * the calls did not name the block by its hash, or were refused because the endpoint lacks the block.
   *
   * @throws OtherBlock if it has another block; EndpointError if it has none although it made the calls
   */
  async checkAfter(
    endpoint: Endpoint,
    { tag, hash }: CallState,
    {
      block,
      outcomes,
      signal,
    }: { block: BlockParameter; outcomes: readonly RpcOutcome[]; signal: AbortSignal },
  ): Promise<void> {
    const isLacking = hasRefusal(outcomes, "block");
    if (hash === undefined || (typeof block !== "string" && !isLacking)) return;
    const found = await endpoint.send([headerRequest(tag)], signal);
    const [header] = found.outcomes;
    if (!isLacking || hashIn(header) !== null) requireBlock(endpoint, header, { tag, hash });
  }
}

function parameterOf(blockHash: Hex): BlockParameter {
  return { blockHash, requireCanonical: false };
}

function headerRequest(tag: string): RpcCall {
  return { method: "eth_getBlockByNumber", params: [tag, false] };
}

function isExecuted(outcome: RpcOutcome | undefined): boolean {
  return outcome !== undefined && ("result" in outcome || outcome.refusal.kind === "revert");
}

function requireBlock(
  endpoint: Endpoint,
  header: RpcOutcome | undefined,
  { tag, hash }: { tag: string; hash: Hex },
): void {
  const found = hashIn(header);
  if (found === null) throw new EndpointError(endpoint.name, `has no block ${Number(tag)} yet`);
  if (found !== hash) throw new OtherBlock(endpoint, tag, hash);
}

function hashIn(header: RpcOutcome | undefined): string | null {
  const block = header !== undefined && "result" in header ? header.result : null;
  const hash = (block as { hash?: unknown } | null)?.hash;
  return typeof hash === "string" ? hash.toLowerCase() : null;
}

/**
 * The endpoint has another block with the number of a call's block, because a reorg replaced one of the two.
 */
export class OtherBlock extends BaseError {
  readonly by: Endpoint;

  constructor(by: Endpoint, tag: string, hash: Hex) {
    super("endpoint", `${by.name}: block ${Number(tag)} is not ${hash}`);
    this.by = by;
  }
}
