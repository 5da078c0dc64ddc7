import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import type { RpcCall, RpcOutcome } from "../rpc/json-rpc.ts";
import { EndpointError } from "./endpoint.ts";

export const CHAIN_ID_CALL: RpcCall = { method: "eth_chainId", params: [] };

const CHAIN_ID = /^0x[0-9a-f]{1,13}$/i;

/**
 * Takes the answer to `CHAIN_ID_CALL` for what it is worth.
 *
 * @throws WrongChain when it is of another chain
 * @throws EndpointError when it says nothing
 */
export function requireChain(endpoint: string, outcome: RpcOutcome | undefined, chain: Chain): void {
  if (outcome === undefined || !("result" in outcome)) {
    throw new EndpointError(endpoint, `eth_chainId was refused: ${outcome?.refusal.message}`);
  }
  if (typeof outcome.result !== "string" || !CHAIN_ID.test(outcome.result)) {
    throw new EndpointError(endpoint, "eth_chainId was answered with something that is no chain id");
  }
  if (Number(outcome.result) !== chain.chainId) throw new WrongChain(endpoint, outcome.result, chain);
}

/** An endpoint of another chain: its data would be wrong everywhere, so it is refused. */
export class WrongChain extends BaseError {
  constructor(endpoint: string, chainId: unknown, chain: Chain) {
    super(
      "bad-config",
      `${endpoint} serves chain id ${Number(chainId)}, but chain "${chain.name}" has chain id ${chain.chainId}: ` +
        "give an RPC URL of that chain, or choose another chain",
    );
  }
}
