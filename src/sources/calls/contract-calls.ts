import { type Hex, isHex } from "../../lib/hex.ts";
import { partsOf } from "../../lib/parts.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import { EndpointError } from "../endpoints/endpoint.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import type { RefusalKind, RpcCall, RpcOutcome } from "../rpc/json-rpc.ts";
import { decodeAggregate, encodeAggregate, MULTICALL3 } from "./multicall.ts";

/** Read-only contract calls at the head, in batches. */
export class ContractCalls {
  readonly #pool: EndpointPool;
  #hasMulticall = false;

  constructor(pool: EndpointPool) {
    this.#pool = pool;
  }

  /** Results in order; null where the call reverts. A failure of the transport is never taken for a revert. */
  async results(calls: readonly ContractCall[]): Promise<(Hex | null)[]> {
    if (calls.length === 0) return [];
    if (calls.length === 1 || !(await this.#findMulticall())) return this.#plain(calls);
    const batches = partsOf(calls, this.#pool.limits.maxCallsPerMulticall);
    return (await Promise.all(batches.map((batch) => this.#multicall(batch)))).flat();
  }

  /** Asked again while the answer is no: a young chain may get the contract later. */
  async #findMulticall(): Promise<boolean> {
    if (this.#hasMulticall) return true;
    const question = { method: "eth_getCode", params: [MULTICALL3, "latest"] };
    const { signal } = this.#pool;
    const { outcomes } = await this.#pool.runBriefly((endpoint) => endpoint.send([question], signal));
    const [outcome] = outcomes;
    this.#hasMulticall = outcome !== undefined && "result" in outcome && String(outcome.result).length > 2;
    return this.#hasMulticall;
  }

  /** One call for all; halved when it fails as a whole, since one greedy contract can burn all the gas. */
  async #multicall(calls: readonly ContractCall[]): Promise<(Hex | null)[]> {
    if (calls.length === 1) return this.#plain(calls);
    const together = { to: MULTICALL3, data: encodeAggregate(calls) };
    const [answer] = await this.#ask([together], ["revert", "size"]);
    const results = answer === undefined || answer === null ? null : decodeAggregate(answer, calls.length);
    if (results !== null) return results;
    const middle = calls.length >> 1;
    const halves = [calls.slice(0, middle), calls.slice(middle)];
    return (await Promise.all(halves.map((half) => this.#multicall(half)))).flat();
  }

  async #plain(calls: readonly ContractCall[]): Promise<(Hex | null)[]> {
    return this.#ask(calls, ["revert"]);
  }

  /** @param failing refusals that count as the call's own failure, given as null */
  async #ask(calls: readonly ContractCall[], failing: readonly RefusalKind[]): Promise<(Hex | null)[]> {
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
  if (!isHex(data)) throw new EndpointError(endpoint, "eth_call was answered with something that is not hex");
  return data;
}
