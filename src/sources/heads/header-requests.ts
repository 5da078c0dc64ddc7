import { type Hex, toQuantity } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError } from "../endpoints/endpoint-error.ts";
import { FieldReader } from "../rpc/field-reader.ts";
import type { RpcOutcome } from "../rpc/json-rpc.ts";

/**
 * The header fields that identify a block, and the parent's hash and the time (Unix seconds) if the endpoint
 * sends them.
 */
export interface Header extends BlockRef {
  parentHash: Hex | null;
  timestamp: number | null;
}

/** @throws EndpointError, RpcFormatError */
export async function requestNewestHeader(endpoint: Endpoint, signal: AbortSignal): Promise<Header> {
  const outcome = await requestHeader(endpoint, "latest", signal);
  return toHeader(resultOf(endpoint, outcome, "the latest block"), "latest block");
}

/**
 * Requests a block of the endpoint's current chain. Returns null if the chain has no block with this number.
 * Throws if the endpoint refuses, or sends a block with another number: if that counted as a fork, good
 * blocks would be rolled back.
 *
 * @throws EndpointError, RpcFormatError
 */
export async function requestBlock(
  endpoint: Endpoint,
  number: number,
  signal: AbortSignal,
): Promise<BlockRef | null> {
  const name = `block ${number}`;
  const outcome = await requestHeader(endpoint, toQuantity(number), signal);
  const result = resultOf(endpoint, outcome, name);
  if (result === null) return null;
  const found = toHeader(result, name);
  if (found.number === number) return { number, hash: found.hash };
  throw new EndpointError(endpoint.name, `it sent block ${found.number} instead of block ${number}`);
}

/** @throws EndpointError if the endpoint does not have the block */
export async function requireBlock(
  endpoint: Endpoint,
  number: number,
  signal: AbortSignal,
): Promise<BlockRef> {
  const found = await requestBlock(endpoint, number, signal);
  if (found === null) throw new EndpointError(endpoint.name, `block ${number} has disappeared`);
  return found;
}

/** Requests the newest final block. Returns null if the endpoint reports none. */
export async function requestFinalized(endpoint: Endpoint, signal: AbortSignal): Promise<BlockRef | null> {
  const outcome = await requestHeader(endpoint, "finalized", signal);
  if ("refusal" in outcome || outcome.result === null) return null;
  const { number, hash } = toHeader(outcome.result, "finalized block");
  return { number, hash };
}

async function requestHeader(endpoint: Endpoint, tag: string, signal: AbortSignal): Promise<RpcOutcome> {
  const call = { method: "eth_getBlockByNumber", params: [tag, false] };
  const { outcomes } = await endpoint.send([call], signal, { isUrgent: true });
  return outcomes[0] ?? { result: null };
}

function resultOf(endpoint: Endpoint, outcome: RpcOutcome, subject: string): unknown {
  if ("result" in outcome) return outcome.result;
  const { message, code } = outcome.refusal;
  throw new EndpointError(endpoint.name, `the request for ${subject} was refused: "${message}" (${code})`);
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
