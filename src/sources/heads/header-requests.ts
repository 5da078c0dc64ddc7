import type { Hex } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import { type Endpoint, EndpointError } from "../endpoints/endpoint.ts";
import { FieldReader } from "../rpc/field-reader.ts";
import type { RpcOutcome } from "../rpc/json-rpc.ts";

/** A block as it is named; parent and time (unix seconds) where the endpoint tells them. */
export interface Header extends BlockRef {
  parentHash: Hex | null;
  timestamp: number | null;
}

/** @throws EndpointError, RpcFormatError when the endpoint does not tell */
export async function newestHeader(endpoint: Endpoint, signal: AbortSignal): Promise<Header> {
  const outcome = await askHeader(endpoint, "latest", signal);
  return toHeader(resultOf(endpoint, outcome, "the latest block"), "latest block");
}

/**
 * One block of the endpoint's present chain; null when it has none of that number. A refusal is no answer, and
 * neither is another block: taken for a fork, they would undo good blocks.
 *
 * @throws EndpointError, RpcFormatError when the endpoint does not tell
 */
export async function askBlock(
  endpoint: Endpoint,
  number: number,
  signal: AbortSignal,
): Promise<BlockRef | null> {
  const name = `block ${number}`;
  const result = resultOf(endpoint, await askHeader(endpoint, `0x${number.toString(16)}`, signal), name);
  if (result === null) return null;
  const found = toHeader(result, name);
  if (found.number === number) return { number, hash: found.hash };
  throw new EndpointError(endpoint.name, `block ${found.number} was sent for block ${number}`);
}

/** @throws EndpointError when the endpoint does not have it */
export async function requireBlock(
  endpoint: Endpoint,
  number: number,
  signal: AbortSignal,
): Promise<BlockRef> {
  const found = await askBlock(endpoint, number, signal);
  if (found === null) throw new EndpointError(endpoint.name, `block ${number} is not there any more`);
  return found;
}

/** Newest final block; null where the endpoint knows none. */
export async function finalizedBlock(endpoint: Endpoint, signal: AbortSignal): Promise<BlockRef | null> {
  const outcome = await askHeader(endpoint, "finalized", signal);
  if ("refusal" in outcome || outcome.result === null) return null;
  const { number, hash } = toHeader(outcome.result, "finalized block");
  return { number, hash };
}

async function askHeader(endpoint: Endpoint, tag: string, signal: AbortSignal): Promise<RpcOutcome> {
  const call = { method: "eth_getBlockByNumber", params: [tag, false] };
  const { outcomes } = await endpoint.send([call], signal);
  return outcomes[0] ?? { result: null };
}

function resultOf(endpoint: Endpoint, outcome: RpcOutcome, what: string): unknown {
  if ("result" in outcome) return outcome.result;
  const { message, code } = outcome.refusal;
  throw new EndpointError(endpoint.name, `${what} was refused: "${message}" (${code})`);
}

function toHeader(json: unknown, where: string): Header {
  const block = new FieldReader(json, where);
  return {
    number: block.integer("number"),
    hash: block.bytes("hash", 32),
    parentHash: block.bytesOrNull("parentHash", 32),
    timestamp: block.has("timestamp") ? block.integer("timestamp") : null,
  };
}
