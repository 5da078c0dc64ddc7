import { type Hex, isHex } from "../../lib/hex.ts";
import { partsOf } from "../../lib/parts.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import { EndpointError } from "../endpoints/endpoint-error.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import type { RefusalKind, RpcCall, RpcOutcome } from "../rpc/json-rpc.ts";
import { decodeAggregate, encodeAggregate, MULTICALL3 } from "./multicall.ts";

/** Read-only contract calls at the head, in batches. */
export class ContractCalls {
  readonly #pool: EndpointPool;
  #foundMulticall = false;

  constructor(pool: EndpointPool) {
    this.#pool = pool;
  }

  /** Results in order; null if the call reverts. A failure of the transport never counts as a revert. */
  async results(calls: readonly ContractCall[]): Promise<(Hex | null)[]> {
    if (calls.length === 0) return [];
    if (calls.length === 1 || !(await this.#hasMulticall())) return this.#callEach(calls);
    const batches = partsOf(calls, this.#pool.limits.maxCallsPerMulticall);
    return (await Promise.all(batches.map((batch) => this.#multicall(batch)))).flat();
  }

  /** Only a positive result is kept: a young chain may get the contract later. */
  async #hasMulticall(): Promise<boolean> {
    if (this.#foundMulticall) return true;
    const call = { method: "eth_getCode", params: [MULTICALL3, "latest"] };
    const { signal } = this.#pool;
    const { outcomes } = await this.#pool.runBriefly((endpoint) => endpoint.send([call], signal));
    const [outcome] = outcomes;
    this.#foundMulticall = outcome !== undefined && "result" in outcome && String(outcome.result).length > 2;
    return this.#foundMulticall;
  }

  /** One call for all; halved when it fails as a whole, because a single contract can burn all the gas. */
  async #multicall(calls: readonly ContractCall[]): Promise<(Hex | null)[]> {
    if (calls.length === 1) return this.#callEach(calls);
    const together = { to: MULTICALL3, data: encodeAggregate(calls) };
    const [data] = await this.#request([together], ["revert", "size"]);
    const results = data === undefined || data === null ? null : decodeAggregate(data, calls.length);
    if (results !== null) return results;
    const middle = calls.length >> 1;
    const halves = [calls.slice(0, middle), calls.slice(middle)];
    return (await Promise.all(halves.map((half) => this.#multicall(half)))).flat();
  }

  async #callEach(calls: readonly ContractCall[]): Promise<(Hex | null)[]> {
    return this.#request(calls, ["revert"]);
  }

  /** @param failing refusals that count as a failure of the call itself; their result is null */
  async #request(calls: readonly ContractCall[], failing: readonly RefusalKind[]): Promise<(Hex | null)[]> {
    const requests = calls.map((call): RpcCall => ({ method: "eth_call", params: [call, "latest"] }));
    return this.#pool.runBriefly(async (endpoint) => {
      const { outcomes } = await endpoint.send(requests, this.#pool.signal);
      return outcomes.map((outcome) =>
        "refusal" in outcome && failing.includes(outcome.refusal.kind)
          ? null
          : returned(outcome, endpoint.name),
      );
    });
  }
}

function returned(outcome: RpcOutcome, endpoint: string): Hex {
  if ("refusal" in outcome) {
    throw new EndpointError(
      endpoint,
      `eth_call was refused: "${outcome.refusal.message}" (${outcome.refusal.code})`,
    );
  }
  const data = typeof outcome.result === "string" ? outcome.result.toLowerCase() : "";
  if (!isHex(data)) throw new EndpointError(endpoint, "eth_call returned something that is not hex");
  return data;
}
