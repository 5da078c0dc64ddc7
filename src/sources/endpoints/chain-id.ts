import type { Chain } from "../../chains/chain.ts";
import type { RpcCall, RpcOutcome } from "../rpc/json-rpc.ts";
import { EndpointError, UnsuitableEndpoint } from "./endpoint-error.ts";

export const CHAIN_ID_CALL: RpcCall = { method: "eth_chainId", params: [] };

const CHAIN_ID = /^0x[0-9a-f]{1,13}$/i;

/**
 * Checks the response to `CHAIN_ID_CALL`.
 *
 * @throws WrongChain if it names another chain
 * @throws EndpointError if it names none
 */
export function requireChain(endpoint: string, outcome: RpcOutcome | undefined, chain: Chain): void {
  if (outcome === undefined || !("result" in outcome)) {
    throw new EndpointError(endpoint, `eth_chainId failed: ${outcome?.refusal.message ?? "no response"}`);
  }
  if (typeof outcome.result !== "string" || !CHAIN_ID.test(outcome.result)) {
    throw new EndpointError(endpoint, "eth_chainId returned something that is not a chain id");
  }
  if (Number(outcome.result) !== chain.chainId) throw new WrongChain(endpoint, outcome.result, chain);
}

/** The endpoint serves another chain, so all its data would be wrong. */
export class WrongChain extends UnsuitableEndpoint {
  constructor(endpoint: string, chainId: unknown, chain: Chain) {
    super(
      "bad-config",
      `${endpoint} serves chain id ${Number(chainId)}, but chain "${chain.name}" has chain id ${chain.chainId}: ` +
        `give an RPC URL of "${chain.name}", or choose another chain`,
    );
  }
}
