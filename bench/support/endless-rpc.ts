import { ethereum } from "../../src/chains/ethereum.ts";
import type { ContractCall } from "../../src/schema/contract-call.ts";
import type { EndlessChain } from "../../test/support/nodes/endless-chain.ts";

/** Number of blocks below the head at which the node reports a block as final. */
const FINAL_DEPTH = 64;

export interface RpcCall {
  id: number;
  method: string;
  params: [string | ContractCall, unknown];
}

/**
 * Makes the responses of a node of the endless chain, up to a head. `endless_served` returns the highest
 * block that it has sent.
 */
export class EndlessRpc {
  readonly #chain: EndlessChain;
  head: number;
  /** Called before the response to a request for `latest`, or for a block's receipts. */
  onRequest: (what: "head" | "receipts", number: number) => void = () => {};
  #served: number;
  /** JSON that was made in advance, because a real node would not have to make it. */
  readonly #made = new Map<number, ReturnType<EndlessChain["json"]>>();

  constructor(chain: EndlessChain, head: number) {
    this.#chain = chain;
    this.head = head;
    this.#served = chain.first - 1;
  }

  /** Makes the JSON of a block in advance, and deletes the JSON of earlier blocks. */
  make(number: number): void {
    this.#made.clear();
    this.#made.set(number, this.#chain.json(number));
  }

  /** Returns the JSON of a header, in the form of an announcement. */
  announced(number: number): string {
    return `{"number":"0x${number.toString(16)}","hash":"${this.#chain.hash(number)}"}`;
  }

  /** Returns the response to the body of a request. */
  respond(body: string): string {
    const calls = JSON.parse(body) as RpcCall | RpcCall[];
    return Array.isArray(calls)
      ? `[${calls.map((call) => this.#answer(call)).join(",")}]`
      : this.#answer(calls);
  }

  #answer(call: RpcCall): string {
    const value = this.#result(call);
    const reverted = call.method === "eth_call" && value === "null";
    const outcome = reverted ? '"error":{"code":3,"message":"execution reverted"}' : `"result":${value}`;
    return `{"jsonrpc":"2.0","id":${call.id},${outcome}}`;
  }

  #result({ method, params: [subject] }: RpcCall): string {
    if (method === "eth_chainId") return `"0x${ethereum.chainId.toString(16)}"`;
    if (method === "eth_call") return JSON.stringify(this.#chain.call(subject as ContractCall));
    if (method === "endless_served") return String(this.#served);
    if (method === "eth_getCode") return '"0x"';
    if (method === "eth_subscribe") return '"0x1"';
    if (subject === "latest") this.onRequest("head", this.head);
    const number = this.#numberOf(String(subject));
    if (number > this.head || number < this.#chain.first) return "null";
    const { block, receipts } = this.#made.get(number) ?? this.#chain.json(number);
    if (method !== "eth_getBlockReceipts") return block;
    this.#served = Math.max(this.#served, number);
    this.onRequest("receipts", number);
    return receipts;
  }

  #numberOf(tag: string): number {
    if (tag === "latest") return this.head;
    return tag === "finalized" ? this.head - FINAL_DEPTH : Number(tag);
  }
}
