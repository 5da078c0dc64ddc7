import type { Chain } from "../../chains/chain.ts";
import { toQuantity } from "../../lib/hex.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError } from "../endpoints/endpoint-error.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import { verifySenders } from "../prover/verify-senders.ts";
import { FieldReader } from "../rpc/field-reader.ts";
import type { RpcOutcome } from "../rpc/json-rpc.ts";
import { type Problem, verifyHeader, verifyWithoutReceipts } from "../verify/verify-block.ts";
import { parseBlock } from "../wire/parse.ts";
import type { HeaderWithHashes } from "../wire/rpc-block.ts";

/** A source of headers of one chain. */
export interface HeaderSource {
  /**
   * Returns the headers of some blocks, in order.
   *
   * @param content whether to request whole transactions or only their hashes
   * @throws EndpointError if a block is still invalid or missing after all attempts
   */
  headers(
    numbers: readonly number[],
    content: HeaderContent,
    signal: AbortSignal,
  ): Promise<HeaderWithHashes[]>;
}

export type HeaderContent = "hashes" | "transactions";

/** Fetches headers from endpoints and verifies them. */
export class HeaderFetcher implements HeaderSource {
  readonly #pool: EndpointPool;
  readonly #chain: Chain;
  readonly #senders: boolean;

  /** @param senders whether the senders of transactions are compared with their signatures */
  constructor(pool: EndpointPool, chain: Chain, senders: boolean) {
    this.#pool = pool;
    this.#chain = chain;
    this.#senders = senders;
  }

  async headers(
    numbers: readonly number[],
    content: HeaderContent,
    signal: AbortSignal,
  ): Promise<HeaderWithHashes[]> {
    const { maxCallAttempts } = this.#pool.limits;
    const request = (endpoint: Endpoint) => this.#request(endpoint, numbers, content, signal);
    const shouldRetry = (failures: number) => failures < maxCallAttempts;
    return this.#pool.run(request, { signal, block: numbers.at(-1), shouldRetry });
  }

  async #request(
    endpoint: Endpoint,
    numbers: readonly number[],
    content: HeaderContent,
    signal: AbortSignal,
  ): Promise<HeaderWithHashes[]> {
    const calls = numbers.map((number) => ({
      method: "eth_getBlockByNumber",
      params: [toQuantity(number), content === "transactions"],
    }));
    const { outcomes } = await endpoint.send(calls, signal);
    return numbers.map((number, i) => this.#parse(endpoint, number, outcomes[i], content));
  }

  #parse(
    endpoint: Endpoint,
    number: number,
    outcome: RpcOutcome | undefined,
    content: HeaderContent,
  ): HeaderWithHashes {
    if (outcome === undefined || "refusal" in outcome) {
      const reason = outcome === undefined ? "no response" : `"${outcome.refusal.message}"`;
      throw new EndpointError(endpoint.name, `the request for block ${number} failed: ${reason}`);
    }
    if (outcome.result === null) throw new EndpointError(endpoint.name, `it does not have block ${number}`);
    const found = content === "transactions" ? whole(outcome.result, number) : header(outcome.result, number);
    const problem = this.#problemOf(found);
    if (problem === null) return found;
    endpoint.report({ kind: "invalid", block: number, problem: problem.message });
    throw new EndpointError(endpoint.name, `block ${number}: ${problem.message}`);
  }

  #problemOf({ block, transactions }: HeaderWithHashes): Problem | null {
    if (transactions === null) return verifyHeader(block);
    const whole = { ...block, transactions };
    const { chainId } = this.#chain;
    return verifyWithoutReceipts(whole, chainId) ?? (this.#senders ? verifySenders(whole, chainId) : null);
  }
}

function whole(json: unknown, number: number): HeaderWithHashes {
  const block = parseBlock(json, number);
  const { transactions } = block;
  return {
    block: { ...block, transactions: [] },
    hashes: transactions.map(({ hash }) => hash),
    transactions,
  };
}

function header(json: unknown, number: number): HeaderWithHashes {
  const fields = new FieldReader(json, `block ${number}`);
  const hashes = fields.bytesList("transactions", 32);
  const block = parseBlock({ ...fields.object, transactions: [] }, number);
  return { block, hashes, transactions: null };
}
